import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

/** From the start of a process to its exit, and what it used of the processors, in ms. */
export type Timed = { readonly tookMs: number; readonly processorMs: number }

/** One run of a command by the clock of bash, whose own start does not count. The output is thrown away. */
export async function timed(command: string, args: readonly string[], cwd?: string): Promise<Timed> {
  const script = 'TIMEFORMAT="%3R %3U %3S"; time "$@" >/dev/null'
  const child = spawn('bash', ['-c', script, 'bash', command, ...args], { ...(cwd && { cwd }), stdio: ['ignore', 'ignore', 'pipe'] })
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit') as Promise<[number | null]>])
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${said}`)
  const [real = 0, user = 0, system = 0] = (said.trim().split('\n').at(-1) ?? '').split(' ').map((seconds) => Number(seconds) * 1_000)
  return { tookMs: real, processorMs: user + system }
}
