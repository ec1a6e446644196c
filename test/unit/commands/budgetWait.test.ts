import { expect, test } from 'vitest'
import { sayBudgetWaits } from '../../../src/commands/waitWatch.ts'
import { virtualTime } from '../plane/virtualTime.ts'

type Moment = { readonly length: number; readonly untilMs: number; readonly others?: number; readonly status?: number }

/** The sentences about the wait, with their times. `at` gives the state of the queue for each moment since the start. */
async function saidOf(at: (ms: number) => Moment, forMs = 60_000): Promise<readonly string[]> {
  const clock = virtualTime(0)
  const said: string[] = []
  const view = () => {
    const { length, untilMs, others = 0, status } = at(clock.now())
    const asked = status === undefined ? undefined : { sinceMs: 0, untilMs, status, text: 'slow down', cure: 'a key of its own' }
    return { length, waitMs: Math.max(0, untilMs - clock.now()), windowMs: 60_000, limit: 60, used: 54, others, asked }
  }
  const waits = sayBudgetWaits({
    queues: () => new Map([['default', { view }]]),
    clock,
    say: (sentence) => void said.push(`${clock.now()}: ${sentence}`),
  })
  await clock.run(forMs)
  waits[Symbol.dispose]()
  await clock.run()
  return said
}

test('a wait is said once, after two seconds, with whose the budget is', async () => {
  expect(await saidOf((ms) => ({ length: ms < 42_000 ? 2 : 0, untilMs: 42_000, others: 47.6 }))).toEqual([
    '2500: Waiting 40 s for the rate limit of credential "default" (earlier commands and others use 48 of 60).\n',
  ])
  expect(await saidOf(() => ({ length: 1, untilMs: 5_000 }))).toEqual([
    '2500: Waiting 3 s for the rate limit of credential "default" (54 of 60 are used).\n',
  ])
})

test('after a 429 the status is said, since it is unknown what the service counts', async () => {
  expect(await saidOf(() => ({ length: 1, untilMs: 5_000, others: 3, status: 429 }))).toEqual([
    '2500: Waiting 3 s for the rate limit of credential "default" (Plane answered 429).\n',
  ])
})

test('a short wait, and a budget for which nobody waits, are not worth a word', async () => {
  expect(await saidOf(() => ({ length: 1, untilMs: 2_400 }))).toEqual([])
  expect(await saidOf(() => ({ length: 0, untilMs: 50_000 }))).toEqual([])
})

test('a wait that is followed by another is said again, but not every few seconds', async () => {
  const minutes = await saidOf((ms) => ({ length: 1, untilMs: ms < 30_000 ? 30_000 : 60_000 }))
  expect(minutes.map((line) => line.slice(0, 16))).toEqual(['2500: Waiting 28', '32000: Waiting 2'])
  const paced = await saidOf((ms) => ({ length: 1, untilMs: (Math.floor(ms / 4_000) + 1) * 4_000 }))
  expect(paced.length).toBeLessThanOrEqual(6)
})
