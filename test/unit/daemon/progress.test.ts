import { expect, test } from 'vitest'
import { openProgress } from '../../../src/daemon/cycleProgress.ts'

const minuteMs = 60_000

test('healthy while something moves, within three intervals or the longest cycle', () => {
  const progress = openProgress(0, 15 * minuteMs)
  expect(progress.healthy(15 * minuteMs).ok).toBe(true)
  expect(progress.healthy(15 * minuteMs + 1)).toEqual({ ok: false, reason: 'the first cycle began 900 s ago; at most 900 s are expected' })
  progress.began(0)
  progress.ended(minuteMs, true)
  progress.next(11 * minuteMs)
  expect(progress.healthy(31 * minuteMs).ok).toBe(true)
  expect(progress.healthy(31 * minuteMs + 1)).toMatchObject({
    ok: false,
    reason: expect.stringContaining('the last cycle ended 1800 s ago'),
  })
  progress.began(32 * minuteMs)
  expect(progress.healthy(33 * minuteMs)).toMatchObject({ ok: true, reason: expect.stringContaining('a cycle began 60 s ago') })
})

test('a cycle that takes hours is healthy as long as requests end', () => {
  const progress = openProgress(0, 60 * minuteMs)
  progress.began(0)
  progress.requestEnded(170 * minuteMs)
  expect(progress.healthy(180 * minuteMs)).toEqual({
    ok: true,
    reason: 'the first cycle began 10800 s ago, a request ended 600 s ago; at most 3600 s are expected',
  })
  expect(progress.healthy(230 * minuteMs + 1).ok).toBe(false)
  progress.ended(231 * minuteMs, true)
  expect(progress.healthy(232 * minuteMs)).toMatchObject({ ok: true, reason: expect.stringContaining('ended 60 s ago; at most') })
})

test('a schedule of once a week is not unhealthy in between', () => {
  const progress = openProgress(0, minuteMs)
  progress.ended(1, true)
  progress.next(7 * 24 * 60 * minuteMs)
  expect(progress.healthy(6 * 24 * 60 * minuteMs).ok).toBe(true)
})

test('ready from the first cycle with a report on, for good; it says nothing of the files, which may be invalid in part', () => {
  const progress = openProgress(0, minuteMs)
  expect(progress.ready().ok).toBe(false)
  progress.ended(1, false)
  expect(progress.ready().ok).toBe(false)
  progress.ended(2, true)
  progress.ended(3, false)
  expect(progress.ready()).toEqual({ ok: true, reason: 'a cycle has ended with a report' })
})
