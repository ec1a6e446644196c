import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Answer } from '../../../../src/http/origin.ts'
import type { Kind } from '../../../../src/plane/rate/fairQueue.ts'
import { openQueue } from '../../../../src/plane/rate/queue.ts'
import { usualRetries, withRetries } from '../../../../src/plane/rate/retry.ts'
import { chanceFrom } from '../../../../src/sandbox/chance.ts'
import { rule } from '../../../../src/sandbox/throttle.ts'
import { never, virtualTime } from '../virtualTime.ts'

const minute = 60_000
const limit = { requests: 60, windowMs: minute }
const seeds = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

/** The client makes `calls` calls, four at a time. A second user sends evenly, and began a minute earlier. */
async function besideAnother(perMinute: number, reserve: number, seed: number, kind: Kind = 'write', calls = 300) {
  const time = virtualTime()
  const { draw } = chanceFrom(seed)
  const log: number[] = []
  const ask = () => rule('sliding-log', limit, log, time.now())
  const latency = () => time.sleep(10 + Math.floor(draw() * 20), never)
  const beganMs = time.now() + minute
  const over = new AbortController()
  const wishes = { made: 0, granted: 0 }

  async function secondUser(): Promise<void> {
    for (let nth = 0; !over.signal.aborted; nth++) {
      const atMs = beganMs - minute + Math.round(((nth + draw()) * minute) / perMinute)
      await time.sleep(Math.max(0, atMs - time.now()), never)
      const { allowed } = ask()
      if (time.now() < beganMs || over.signal.aborted) continue
      wishes.made++
      if (allowed) wishes.granted++
    }
  }

  async function ours(): Promise<number> {
    await time.sleep(minute, never)
    const budget = { ...limit, reserve, blockedMaxMs: 15 * minute }
    const queue = openQueue({ budget, clock: time, random: () => 0.5, lengthMax: 1_000, inFlightMax: 4 })
    const call = async (): Promise<Answer> => {
      await latency()
      const { allowed, remaining, retryAfterS } = ask()
      await latency()
      const headers: Record<string, string> = allowed ? { 'x-ratelimit-remaining': `${remaining}` } : { 'retry-after': `${retryAfterS}` }
      return { status: allowed ? 200 : 429, headers, body: '', sentAtMs: 0, receivedAtMs: time.now() }
    }
    const retrying = { options: usualRetries, idempotent: true, mayRetry: queue.mayRetry, clock: time, random: () => 0.5 }
    const four = Array.from({ length: 4 }, async () => {
      for (let nth = 0; nth < calls / 4; nth++) await withRetries(() => queue.enqueue({ kind }, call, never), retrying, never)
    })
    await Promise.all(four)
    over.abort()
    return time.now() - beganMs
  }

  const [tookMs] = await Promise.all([ours(), secondUser(), time.run()])
  return { tookMs, ...wishes }
}

/** The cells of the table in docs/dev/benchmarks.md: `367 s · 80 %`. */
const page = readFileSync(new URL('../../../../docs/dev/benchmarks.md', import.meta.url), 'utf8')
const [, table = ''] = /<!-- second-user:begin -->([\s\S]*)<!-- second-user:end -->/.exec(page) ?? []
const [titles = [], ...rows] = table
  .split('\n')
  .filter((line) => /\d/.test(line))
  .map((line) => line.split('|').slice(1, -1))
const cells = rows.flatMap(([rate = '', ...figures]) =>
  figures.map((figure, index) => ({
    rate: parseInt(rate, 10),
    reserve: parseInt(/\d+/.exec(titles[index + 1] ?? '')?.[0] ?? '', 10),
    figure,
  })),
)

test('docs/dev/benchmarks.md has the measurements', () => expect(cells.length).toBeGreaterThan(8))

test.each(cells)('a second user who sends $rate a minute, reserve $reserve %: $figure', async ({ rate, reserve, figure }) => {
  let [tookMs, made, granted] = [0, 0, 0]
  for (const seed of seeds) {
    const one = await besideAnother(rate, reserve / 100, seed)
    tookMs += one.tookMs / seeds.length
    made += one.made
    granted += one.granted
  }
  const [, seconds = '', share = ''] = /(\d+) s · (\d+) %/.exec(figure) ?? []
  expect(Math.abs(tookMs / 1000 - Number(seconds)), `${tookMs / 1000} s`).toBeLessThan(1 + 0.02 * Number(seconds))
  expect(Math.abs((100 * granted) / made - Number(share)), `${(100 * granted) / made} %`).toBeLessThan(3)
})

test('beside a program that takes all that it gets, what takes access away may use the reserve', async () => {
  const minutes = async (kind: Kind) => Math.round((await besideAnother(600, 0.1, 1, kind, 24)).tookMs / minute)
  const [write, revocation] = [await minutes('write'), await minutes('revocation')]
  // docs/settings.md says these numbers.
  expect({ write, revocation }).toEqual({ write: 24, revocation: 6 })
})
