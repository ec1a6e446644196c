import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'

/** Runs a program, and shows what it says on standard error. Rejects if it fails or is not there. */
export async function run(program: string, args: readonly string[], cwd: string): Promise<void> {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 2, 2] })
  const [code] = (await once(child, 'close').catch(absent(program))) as [number | null]
  if (code !== 0) throw new Error(`${program} ${args.join(' ')}: ended with ${code}`)
}

/** What a program prints. */
export async function output(program: string, args: readonly string[], cwd: string): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { cwd, maxBuffer: 64 * 2 ** 20 }).catch(absent(program))
  return stdout
}

const absent = (program: string) => (error: unknown) => {
  if ((error as { code?: unknown }).code === 'ENOENT')
    throw new Error(`${program} is not installed: docs/dev/release.md lists what a release needs`)
  throw error as Error
}
