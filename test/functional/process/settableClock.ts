import { readFile, rename, writeFile } from 'node:fs/promises'

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

/** The steady clock of a process moves as well, and its servers answer with the same time: Node does not ask `Date` for the header. */
const passingTime = `
import { ServerResponse } from 'node:http'
const realNow = performance.now.bind(performance)
performance.now = () => realNow() + setMs()
const { writeHead } = ServerResponse.prototype
ServerResponse.prototype.writeHead = function (...args) {
  this.setHeader('Date', new Date().toUTCString())
  return writeHead.apply(this, args)
}
`

type Folder = { readonly path: (name: string) => string }

/** A clock for the processes of a place. `set` moves it forward, or back if negative, as a person would set the clock of the machine. */
export const openClock = (place: Folder) => openFile(place, settableClock(place.path('clock')))

/** The same, but `set` lets the time pass: for these processes it was as long as that. A sandbox among them answers with the same time. */
export const openTime = (place: Folder) => openFile(place, settableClock(place.path('clock')) + passingTime)

async function openFile(place: Folder, module: string) {
  await writeFile(place.path('clock'), '0')
  await writeFile(place.path('clock.mjs'), module)
  const set = async (byMs: number) => {
    // The process reads the file at any moment, so it must never be empty.
    await writeFile(place.path('clock.next'), String(Number(await readFile(place.path('clock'), 'utf8')) + byMs))
    await rename(place.path('clock.next'), place.path('clock'))
  }
  return { set, env: { NODE_OPTIONS: `--import=${place.path('clock.mjs')}` } }
}
