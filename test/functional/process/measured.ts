import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Place } from './program.ts'
import type { Running } from './running.ts'

/** The most memory that a process had so far, in MB. Only Linux tells it. */
async function peakOf({ child }: Running): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1_000
}

/** Runs the program to its end, and returns the most memory that it had. */
export async function measured(place: Place, args: readonly string[]): Promise<{ code: number | null; text: string; megabytes: number }> {
  const running = place.start(args)
  running.child.stdin?.end()
  let megabytes = 0
  const isOver = running.ended.then(() => true)
  while (!(await Promise.race([isOver, sleep(20, false)]))) megabytes = Math.max(megabytes, await peakOf(running))
  const { code, out, err } = await running.ended
  return { code, text: out + err, megabytes }
}
