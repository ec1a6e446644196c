import { expect, test } from 'vitest'
import { openServiceClock } from '../../../src/compose/origins.ts'
import type { Answer, Origin } from '../../../src/http/origin.ts'

const never = new AbortController().signal

/** A clock that starts at 1,000. The answers of the service set it. They arrive at once. */
function opened() {
  let nowMs = 1_000
  const clock = openServiceClock({ now: () => nowMs })
  const answers = async (headers: Answer['headers']) => {
    const answer: Answer = { status: 200, headers, body: '', sentAtMs: nowMs, receivedAtMs: nowMs }
    const origin: Origin = { url: new URL('https://plane.example.com'), request: async () => answer, close: async () => undefined }
    await clock.setBy(origin).request({ method: 'GET', path: '/' }, never)
  }
  return { clock, answers, pass: (ms: number) => void (nowMs += ms) }
}

test('the clock of the service is unknown without a date', async () => {
  const { clock, answers } = opened()
  expect(clock.nowMs()).toBeUndefined()
  await answers({})
  await answers({ date: 'yesterday' })
  expect(clock.nowMs()).toBeUndefined()
})

test('it runs on from the last date, by the steady clock', async () => {
  const { clock, answers, pass } = opened()
  await answers({ date: 'Sun, 22 Nov 2026 10:00:00 GMT' })
  pass(5_000)
  expect(clock.nowMs()).toBe(Date.UTC(2026, 10, 22, 10, 0, 5))
  await answers({ date: 'Sun, 22 Nov 2026 12:00:00 GMT' })
  await answers({})
  expect(clock.nowMs()).toBe(Date.UTC(2026, 10, 22, 12, 0, 0))
})
