import { getTasks } from 'node-cron'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { errorText } from '../../../src/core/errorText.ts'
import { settingsOf } from '../../../src/settings/load.ts'
import { openSchedule, ScheduleError, shortestIntervalMs } from '../../../src/settings/schedule.ts'

// node-cron counts from the machine's clock, so these tests set this clock. They do not wait.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

function ticks(cron: string, timezone: string, from: string, count: number): readonly string[] {
  let atMs = Date.parse(from)
  return Array.from({ length: count }, () => {
    vi.setSystemTime(atMs)
    atMs = openSchedule(cron, timezone).nextMs(atMs)
    return new Date(atMs).toISOString().slice(5, 16)
  })
}

describe('ticks', () => {
  test('of every ten minutes', () => {
    expect(ticks('*/10 * * * *', 'UTC', '2027-01-31T23:45:12.345Z', 3)).toEqual(['01-31T23:50', '02-01T00:00', '02-01T00:10'])
  })

  test('a tick is strictly later, also when asked at the tick', () => {
    expect(ticks('0 * * * *', 'UTC', '2027-01-31T23:00:00.000Z', 1)).toEqual(['02-01T00:00'])
  })

  test('with seconds, with names, with @', () => {
    expect(ticks('30 */20 * * * *', 'UTC', '2027-01-01T00:00:00Z', 2)).toEqual(['01-01T00:00', '01-01T00:20'])
    expect(ticks('0 6 * * Mon-Fri', 'UTC', '2027-01-01T07:00:00Z', 1)).toEqual(['01-04T06:00'])
    expect(ticks('@daily', 'UTC', '2027-01-01T07:00:00Z', 1)).toEqual(['01-02T00:00'])
  })

  test('day of month and day of week combine with AND', () => {
    expect(ticks('0 0 13 * 5', 'UTC', '2027-01-01T00:00:00Z', 1)).toEqual(['08-13T00:00'])
  })

  test('in a time zone', () => {
    expect(ticks('0 9 * * *', 'America/New_York', '2027-07-01T00:00:00Z', 1)).toEqual(['07-01T13:00'])
  })
})

describe('when the clocks change in Berlin', () => {
  test('every ten minutes goes on through the hour that comes twice', () => {
    const all = ticks('*/10 * * * *', 'Europe/Berlin', '2027-10-30T23:55:00Z', 14)
    expect(all).toEqual(['00', '01', '02'].flatMap((h) => [0, 1, 2, 3, 4, 5].map((m) => `10-31T${h}:${m}0`)).slice(0, 14))
  })

  test('half past two comes once on that day', () => {
    expect(ticks('30 2 * * *', 'Europe/Berlin', '2027-10-31T00:00:00Z', 2)).toEqual(['10-31T01:30', '11-01T01:30'])
  })

  test('half past two does not exist in spring: that day is left out', () => {
    expect(ticks('30 2 * * *', 'Europe/Berlin', '2027-03-27T12:00:00Z', 1)).toEqual(['03-29T00:30'])
  })

  test('every ten minutes is not delayed in spring', () => {
    expect(ticks('*/10 * * * *', 'Europe/Berlin', '2027-03-28T00:45:00Z', 3)).toEqual(['03-28T00:50', '03-28T01:00', '03-28T01:10'])
  })
})

function refusal(cron: string, timezone: string): unknown {
  try {
    return openSchedule(cron, timezone)
  } catch (error) {
    return error
  }
}

describe('what is not a schedule', () => {
  test.each([
    ['* * * *', /it has 4 fields/],
    ['61 * * * *', /"61" is not a minute/],
    ['0 0 * * Funday', /"Funday" is not a day of week/],
    ['0 0 30 2 *', /month 2 has no day 30; write a day that the month has, or L for its last day: "0 0 L 2 \*"/],
    ['30 0 0 31 feb,apr ?', /month feb,apr has no day 31; .*: "30 0 0 L feb,apr \?"/],
    ['0 0 1 2 1#2', /no such moment in the next hundred years; day of month, month and day of week must all match/],
    ['*'.repeat(600), /^schedule.cron "\*{100}…" is not a schedule: it is longer/],
    ['', /is not a schedule/],
  ])('%s', (cron, sentence) => {
    const error = refusal(cron, 'UTC')
    expect(error).toBeInstanceOf(ScheduleError)
    expect(errorText(error)).toMatch(sentence)
    expect(errorText(error)).toMatch(/schedule\.cron/)
  })

  test('a time zone that nobody knows', () => {
    expect(errorText(refusal('* * * * *', 'Mars/Base'))).toMatch(/schedule\.timezone "Mars\/Base".*Europe\/Berlin/)
  })
})

test('nothing is left in the list of node-cron, and nothing runs', () => {
  openSchedule('* * * * *', 'UTC').nextMs(Date.now())
  expect(getTasks().size).toBe(0)
})

test.each([
  ['*/10 * * * *', 10],
  ['*/7 * * * *', 4],
  ['*/15 * * * * *', 0.25],
  ['0,5 3 * * *', 5],
  ['0 9-17 * * 1-5', 60],
  ['30 4 * * *', 1_440],
])('the shortest time between two ticks of %s is %d min', (cron, minutes) => expect(shortestIntervalMs(cron, 'UTC')).toBe(minutes * 60_000))

test('a clock that was set back since the given time has the first tick after its present time', () => {
  vi.setSystemTime(Date.parse('2027-01-31T23:45:00.000Z'))
  const { nextMs } = openSchedule('*/10 * * * *', 'UTC')
  expect(new Date(nextMs(Date.parse('2028-01-31T23:45:00.000Z'))).toISOString()).toBe('2027-01-31T23:50:00.000Z')
})

test('a wrong cron, time zone, jitter, policy and slug are shown at once', async () => {
  const text = `version: 1
service: { baseUrl: https://plane.example.com, credential: { apiKey: { env: KEY } } }
workspaces: { acme: { policy: x, slug: a b } }
declaration: groups
schedule: { cron: "*/5 * * *", timezone: Berlin, jitter: 99 }
`
  const loaded = await settingsOf('config.yaml', new TextEncoder().encode(text), {})
  expect(loaded.valid ? [] : loaded.problems.map(({ message }) => message.replace(/:.*/, ''))).toEqual([
    '"policy" cannot be "x"',
    '"a b" cannot be a slug',
    '"*/5 * * *" is not a schedule',
    '"Berlin" is not a time zone',
    '"jitter" must be a text, this is 99',
  ])
})
