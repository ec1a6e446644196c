import { expect, test } from 'vitest'
import { withGracePeriod } from '../../../src/plane/rate/retry.ts'
import { never, virtualTime } from './virtualTime.ts'

/** Work that ends by itself at `atMs`, or when its signal fires. */
const workUntil = (clock: ReturnType<typeof virtualTime>, atMs: number) => (signal: AbortSignal) =>
  clock.sleep(atMs, signal).then(
    () => `done at ${clock.now()}`,
    () => `cut at ${clock.now()}`,
  )

test.each([
  ['ends by itself before a stop', 100, 200, 'done at 100'],
  ['ends in time after it', 500, 200, 'done at 500'],
  ['is cut when its time is over', 5_000, 200, 'cut at 1200'],
])('what has begun %s', async (_, endMs, stopMs, expected) => {
  const clock = virtualTime(0)
  const stop = new AbortController()
  const working = withGracePeriod(workUntil(clock, endMs), 1_000, clock, stop.signal)
  void clock.sleep(stopMs, never).then(() => stop.abort())
  await clock.run()
  expect(await working).toBe(expected)
})

test('what begins after a stop is told at once', async () => {
  const clock = virtualTime(0)
  expect(await withGracePeriod(workUntil(clock, 100), 1_000, clock, AbortSignal.abort())).toBe('cut at 0')
})

test('nothing of it stays: neither a timer nor a listener', async () => {
  const sleeping: AbortSignal[] = []
  const stop = new AbortController()
  const listeners = new Set<unknown>()
  const { addEventListener, removeEventListener } = stop.signal
  Object.assign(stop.signal, {
    addEventListener: (...args: Parameters<typeof addEventListener>) => {
      listeners.add(args[1])
      addEventListener.apply(stop.signal, args)
    },
    removeEventListener: (...args: Parameters<typeof removeEventListener>) => {
      listeners.delete(args[1])
      removeEventListener.apply(stop.signal, args)
    },
  })
  const sleep = (_ms: number, signal: AbortSignal) => {
    sleeping.push(signal)
    return new Promise<void>(() => undefined)
  }
  await withGracePeriod(async () => 'quick', 1_000, { sleep }, stop.signal)
  expect([listeners.size, sleeping.length]).toEqual([0, 0])
  await withGracePeriod(async () => stop.abort(), 1_000, { sleep }, stop.signal)
  expect(sleeping.map(({ reason }) => reason)).toEqual([new Error('this timer is no longer needed')])
})
