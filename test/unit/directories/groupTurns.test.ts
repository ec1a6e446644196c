import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { noDeadline } from '../../../src/directories/deadline.ts'
import { type Explained, openGroupTurns } from '../../../src/directories/groupTurns.ts'

const { signal } = new AbortController()
class Failed extends Error {
  readonly of: 'group' | 'gone' | 'refusal' | 'all'
  constructor(of: Failed['of']) {
    super(of)
    this.of = of
  }
}
const explained: Explained = (error) => (error instanceof Failed ? { of: error.of, why: `why ${error.of}` } : undefined)
const fail = (of: Failed['of']) => async () => {
  throw new Failed(of)
}
const left = (ms: number) => ({ leftMs: () => ms })
const opened = () => openGroupTurns(explained, noDeadline, signal)

test('a failure of one group is said, and the next one has its turn', async () => {
  const turns = opened()
  expect(await turns.take(1, fail('group'))).toEqual({ missing: 'why group' })
  expect(await turns.take(0, async () => 'members')).toBe('members')
  expect(turns.worst()).toBeUndefined()
})

test.each<[string, readonly Failed['of'][], boolean]>([
  ['eight groups in a row', Array.from({ length: 8 }, () => 'group' as const), true],
  ['seven groups in a row', Array.from({ length: 7 }, () => 'group' as const), false],
  ['eight refusals before any answer', Array.from({ length: 8 }, () => 'refusal' as const), true],
  ['many groups that are gone', Array.from({ length: 50 }, () => 'gone' as const), false],
  ['one failure of all', ['all'], true],
])('%s: does the reading end?', async (_, failures, isEnd) => {
  const turns = opened()
  for (const of of failures) await turns.take(1, fail(of))
  expect(await turns.take(0, async () => 'members')).toEqual(isEnd ? { missing: `why ${failures[0]}`, notAsked: true } : 'members')
})

test('an answer in between: neither failures nor refusals end the reading', async () => {
  const turns = opened()
  for (let n = 0; n < 40; n++) {
    await turns.take(1, fail(n % 2 === 0 ? 'group' : 'refusal'))
    expect(await turns.take(1, async () => n)).toBe(n)
  }
  for (let n = 0; n < 40; n++) expect(await turns.take(1, fail('refusal'))).toEqual({ missing: 'why refusal' })
})

test('the error that tells most is that of all groups, then a refusal', async () => {
  const turns = opened()
  await turns.take(1, fail('gone'))
  expect(turns.worst()).toBeUndefined()
  await turns.take(1, fail('group'))
  expect(turns.worst()).toMatchObject({ error: { of: 'group' }, ofAll: false })
  await turns.take(1, fail('refusal'))
  expect(turns.worst()).toMatchObject({ error: { of: 'refusal' }, ofAll: true })
  await turns.take(1, fail('all'))
  expect(turns.worst()).toMatchObject({ error: { of: 'all' }, ofAll: true })
})

test('any other error is thrown, and so is the end of the whole reading', async () => {
  const turns = opened()
  await expect(
    turns.take(1, async () => {
      throw new TypeError('a mistake in this program')
    }),
  ).rejects.toThrow(TypeError)
  const ended = AbortSignal.abort(new Error('stopped'))
  await expect(openGroupTurns(explained, noDeadline, ended).take(1, () => sleep(1_000))).rejects.toThrow('stopped')
})

test('while others wait a group has half of the time, less what is left for the end, and the last one has all of it', async () => {
  const turns = openGroupTurns(explained, left(400), signal)
  const slow = (until: AbortSignal) => sleep(10_000, 'never', { signal: until })
  const order: number[] = []
  const timed = async (waiting: number) => {
    const atMs = performance.now()
    expect(await turns.take(waiting, slow)).toMatchObject({ missing: expect.stringContaining('its share of the time') })
    order.push(waiting)
    return performance.now() - atMs
  }
  const [all, share] = await Promise.all([timed(0), timed(3)])
  expect(order).toEqual([3, 0])
  expect(share).toBeGreaterThanOrEqual(175)
  expect(all).toBeGreaterThanOrEqual(355)
  expect(await turns.take(0, async () => 'members')).toBe('members')
})

test('a group that does not notice its signal is not waited for', async () => {
  const turns = openGroupTurns(explained, left(50), signal)
  expect(await turns.take(1, () => sleep(60_000, 'never', { ref: false }))).toMatchObject({
    cure: expect.stringContaining('raise readingTimeout'),
  })
})

test('without any time left no group is begun', async () => {
  let leftMs = 1_000
  const turns = openGroupTurns(explained, { leftMs: () => leftMs, setting: 'directories.corp.readingTimeout' }, signal)
  leftMs = 90
  expect(await turns.take(1, async () => 'members')).toMatchObject({
    notAsked: true,
    cure: expect.stringContaining('directories.corp.readingTimeout'),
  })
})
