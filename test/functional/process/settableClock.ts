import { readFile, rename, writeFile } from 'node:fs/promises'
import type { Place } from './program.ts'

/** Replaces the machine's clock in a process by one that a file sets: `Date` then shows the real time plus the ms in the file. */
const settableClock = (file: string) => `
import { readFileSync } from 'node:fs'
const RealDate = Date
const setMs = () => Number(readFileSync(${JSON.stringify(file)}, 'utf8'))
globalThis.Date = class extends RealDate {
  constructor(...args) { super(...(args.length === 0 ? [RealDate.now() + setMs()] : args)) }
  static now() { return RealDate.now() + setMs() }
}
`

/** A clock for the processes of a place. `set` moves it forward, or back if negative. */
export async function openClock(place: Place) {
  await writeFile(place.path('clock'), '0')
  await writeFile(place.path('clock.mjs'), settableClock(place.path('clock')))
  const set = async (byMs: number) => {
    // The process reads the file at any moment, so it must never be empty.
    await writeFile(place.path('clock.next'), String(Number(await readFile(place.path('clock'), 'utf8')) + byMs))
    await rename(place.path('clock.next'), place.path('clock'))
  }
  return { set, env: { NODE_OPTIONS: `--import=${place.path('clock.mjs')}` } }
}
