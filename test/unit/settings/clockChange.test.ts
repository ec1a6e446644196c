import { describe, expect, test } from 'vitest'
import { clockChangeFinding } from '../../../src/settings/schedule.ts'

const march = Date.UTC(2027, 2, 20)
const october = Date.UTC(2026, 9, 20)
const sentence = (cron: string, timezone: string, fromMs: number) => clockChangeFinding(cron, timezone, fromMs).map((one) => one.sentence)

describe('a change of the clocks', () => {
  test('that skips ticks is told two weeks before', () => {
    const skipped =
      'the clocks of Europe/Berlin go forward on 2027-03-28: the time from 02:00 to 03:00 does not exist on that day, and its ticks are skipped'
    expect(sentence('30 2 * * *', 'Europe/Berlin', march)).toEqual([skipped])
    expect(sentence('30 2 * * *', 'Europe/Berlin', Date.UTC(2027, 2, 10))).toEqual([])
    expect(sentence('30 2 * * *', 'Europe/Berlin', Date.UTC(2027, 2, 28, 1))).toEqual([])
  })
  test('that delays ticks is told, also for half an hour', () => {
    expect(sentence('*/10 0-22 * * *', 'Europe/Berlin', october)).toEqual([
      'the clocks of Europe/Berlin go back on 2026-10-25: the time from 02:00 to 03:00 comes twice, and only the second one has ticks',
    ])
    expect(sentence('45 1 * * *', 'Australia/Lord_Howe', Date.UTC(2027, 3, 1))[0]).toContain('from 01:30 to 02:00 comes twice')
  })
  test.each([
    ['a schedule of every hour', '*/10 * * * *', 'Europe/Berlin', october],
    ['ticks in other hours', '30 3 * * *', 'Europe/Berlin', october],
    ['ticks on other days', '30 2 * * 1-5', 'Europe/Berlin', march],
    ['a zone without changes', '30 2 * * *', 'UTC', march],
  ])('is not told for %s', (_what, cron, timezone, fromMs) => expect(sentence(cron, timezone, fromMs)).toEqual([]))
})
