import { describe, expect, test } from 'vitest'
import { isZoneShaped } from '../../../../src/settings/patterns/time.ts'

describe('a time zone', () => {
  test('of every name that this system lists has the shape', () => {
    expect(Intl.supportedValuesOf('timeZone').filter((name) => !isZoneShaped(name))).toEqual([])
  })

  test.each([
    ...['UTC', 'utc', 'GMT', 'GMT+0', 'Etc/GMT+5', 'CET', 'EST5EDT', 'GB-Eire', 'W-SU', 'US/Eastern', 'Europe/Kiev', 'Asia/Calcutta'],
    ...['europe/berlin', 'America/Argentina/Buenos_Aires', 'America/Port-au-Prince', '+02:00', '-0330', '+14'],
  ])('%s has it', (name) => {
    expect(isZoneShaped(name)).toBe(true)
    expect(() => new Intl.DateTimeFormat('en', { timeZone: name })).not.toThrow()
  })

  test.each([
    'Mars/Phobos',
    'Berlin',
    'BST',
    'PST',
    'GMT+1',
    'UTC+1',
    '+24:00',
    '+2',
    'Europe/',
    'Europe',
    '/Europe/Berlin',
    'Europe/Berlin ',
    '',
  ])('%s has it not', (name) => expect(isZoneShaped(name)).toBe(false))
})
