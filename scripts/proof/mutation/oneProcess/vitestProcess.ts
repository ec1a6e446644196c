import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type FileHandle, mkdir, open, writeFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { type Event, eventsFile, folder, type Order, orderFile } from './exchange.ts'

const vitest = 'node_modules/vitest/vitest.mjs'
const config = 'scripts/proof/mutation/oneProcess/vitest.config.ts'
/** Vitest begins with the first test within this time. */
const startMs = 300_000

/** `isStuck`: the last test did not end within its limit. */
export type End = { readonly events: readonly Event[]; readonly isStuck: boolean; readonly code: number | null }

/**
 * Runs one process of vitest to its end. Ends it if a test exceeds its limit, or if `isEnough`.
 *
 * @param isEnough called with each event
 */
export async function runVitest(order: Order, isEnough: (event: Event) => boolean): Promise<End> {
  await mkdir(folder, { recursive: true })
  await writeFile(orderFile, JSON.stringify(order))
  await writeFile(eventsFile, '')
  const what = order.tests === undefined ? ['related', ...Object.keys(order.sources), '--run'] : ['run']
  // With `CI`, vitest never writes a snapshot.
  const child = spawn(process.execPath, [vitest, ...what, '--config', config], { stdio: 'ignore', env: { ...process.env, CI: '1' } })
  const closed = once(child, 'close') as Promise<[number | null]>
  await using file = await open(eventsFile)
  const newEvents = eventsOf(file)
  const events: Event[] = []
  let limit = { fromMs: performance.now(), ms: startMs }
  let isStuck = false
  for (let isOpen = true; isOpen && !isStuck; ) {
    isOpen = await Promise.race([closed.then(() => false), wait(200, true)])
    const fresh = await newEvents()
    events.push(...fresh)
    const last = fresh.at(-1)
    if (last !== undefined) limit = { fromMs: performance.now(), ms: last.kind === 'begins' ? last.limitMs : startMs }
    isStuck = performance.now() - limit.fromMs > limit.ms
    if (isStuck || fresh.some(isEnough)) child.kill('SIGKILL')
  }
  const [code] = await closed
  return { events, isStuck, code }
}

/** Each call returns the events since the last call. */
function eventsOf(file: FileHandle): () => Promise<readonly Event[]> {
  let rest = ''
  return async () => {
    const lines = (rest + (await file.readFile('utf8'))).split('\n')
    // The last line may not be complete.
    rest = lines.pop() ?? ''
    return lines.map((line) => JSON.parse(line) as Event)
  }
}
