import { expect, test } from 'vitest'
import { logAskedWaits } from '../../../src/log/limitWait.ts'
import { virtualTime } from '../plane/virtualTime.ts'

type Moment = { readonly length?: number; readonly status?: number; readonly sinceMs?: number; readonly untilMs: number }

/** The warnings of one credential, with their times. `at` gives the state of its queue for each moment since the start. */
async function warnedOf(at: (ms: number) => Moment | undefined, forMs: number): Promise<readonly string[]> {
  const clock = virtualTime(0)
  const warned: string[] = []
  const view = () => {
    const now = clock.now()
    const { length = 2, status = 429, sinceMs = 0, untilMs } = at(now) ?? { length: 0, untilMs: 0 }
    const asked =
      untilMs <= now ? undefined : { sinceMs, untilMs, status, text: status < 400 ? '' : 'slow\ndown', cure: 'a key of its own' }
    return { length, waitMs: Math.max(0, untilMs - now), windowMs: 60_000, limit: 60, used: 5, others: 0, asked }
  }
  const warn = (fields: object, message: string) => void warned.push(`${clock.now() / 1000} ${JSON.stringify(fields)} ${message}`)
  const watch = logAskedWaits(() => new Map([['default', { view }]]), { warn }, clock)
  await clock.run(forMs)
  watch[Symbol.dispose]()
  await clock.run()
  return warned
}

test('a wait of 20 s that Plane asked for is a warning with its reason and cure', async () => {
  expect(await warnedOf(() => ({ untilMs: 20_000 }), 60_000)).toEqual([
    '5 {"event":"wait","credential":"default","status":429,"waitMs":15000} credential "default": Plane answered 429 (slow\\u{a}down): 2 requests wait for 15 s; a key of its own',
  ])
})

test('a storm is one warning, however many waits it has; one after a calm window is another', async () => {
  const storm = (ms: number) => ({ sinceMs: ms - (ms % 25_000), untilMs: ms - (ms % 25_000) + 20_000 })
  expect(await warnedOf(storm, 3_600_000)).toHaveLength(1)
  const again = await warnedOf((ms) => (ms < 100_000 || ms > 180_000 ? storm(ms) : undefined), 400_000)
  expect(again.map((line) => Number(line.split(' ')[0]))).toEqual([5, 185])
})

test('another status is another reason', async () => {
  const warned = await warnedOf((ms) => ({ untilMs: 200_000, status: ms < 50_000 ? 429 : ms < 100_000 ? 503 : 200 }), 200_000)
  expect(warned.map((line) => / Plane [^:;(]+/.exec(line)?.[0])).toEqual([
    ' Plane answered 429 ',
    ' Plane answered 503 ',
    ' Plane reports that a quota is spent',
  ])
})

test('short waits become a warning when they have lasted for 15 s, and a wait without a request never does', async () => {
  const short = (ms: number) => ({ untilMs: ms - (ms % 4_000) + 4_000 })
  expect(await warnedOf((ms) => (ms < 11_000 ? short(ms) : undefined), 60_000)).toEqual([])
  expect((await warnedOf(short, 60_000)).map((line) => line.split(' ')[0])).toEqual(['15'])
  expect(await warnedOf(() => ({ length: 0, untilMs: 50_000 }), 60_000)).toEqual([])
})
