import * as fc from 'fast-check'
import { validateDetailed } from 'node-cron'
import { describe, expect, test } from 'vitest'
import { cronProblem } from '../../../../src/settings/patterns/time.ts'
import { cpuMsOf } from '../../cpuTime.ts'
import { holds } from '../../properties/runs.ts'
import { anyCron } from './anyCron.ts'

/** The text before a field, the lowest and the highest value of the field, and the text after it. */
const numericFields: readonly (readonly [string, number, number, string])[] = [
  ['', 0, 59, ' * * * *'],
  ['0 ', 0, 23, ' * * *'],
  ['0 0 ', 1, 31, ' * *'],
  ['0 0 * ', 1, 12, ' *'],
  ['0 0 * * ', 0, 7, ''],
]

describe('cron expressions', () => {
  holds(
    'are accepted where each item is within its bounds and each range in order',
    3_000,
    fc.property(anyCron, ({ text, accepted }) => {
      expect(cronProblem(text) === undefined, cronProblem(text)?.why).toBe(accepted)
    }),
  )

  holds(
    'that are accepted are understood by node-cron',
    2_000,
    fc.property(
      anyCron.filter(({ text }) => cronProblem(text) === undefined),
      ({ text }) => {
        const { errors } = validateDetailed(text)
        expect(errors.filter(({ message }) => !message.includes('impossible'))).toEqual([])
      },
    ),
  )

  test.each([
    ['every 5m', 'it has 2 fields, and a schedule has five, or six with seconds first'],
    ['* * *', 'it has 3 fields, and a schedule has five, or six with seconds first'],
    ['10m', 'it has 1 field, and a schedule has five, or six with seconds first'],
    ['', 'it has no fields, and a schedule has five, or six with seconds first'],
    ['0 *\t* * * *', 'its fields are not separated by blanks'],
    ['5-1 * * * *', 'the range "5-1" ends before it begins'],
    ['fri-mon * * * *', '"fri-mon" is not a minute'],
    ['0 22-6 32 * *', 'the range "22-6" ends before it begins; "32" is not a day of month'],
    ['61 25 * * *', '"61" is not a minute; "25" is not an hour'],
    ['60 0 0 * * *', '"60" is not a second'],
    ['0 22-2 * * *', 'the range "22-2" ends before it begins'],
    ['0 0 * * mon,fri-mon', 'the range "fri-mon" ends before it begins'],
    ['0 0 * dec-feb/2 *', 'the range "dec-feb" ends before it begins'],
    ['0 0 * janfeb *', '"janfeb" is not a month'],
    ['@reboot', '"@reboot" is not a known name'],
  ])('%s', (text, problem) => expect(cronProblem(text)?.why).toBe(problem))

  test.each([
    ['60 * * * *', 'as a minute write 0 to 59, a list such as 0,30, or a step such as */2'],
    ['0 0 32 * *', 'as a day of month write 1 to 31 or L for the last, a list such as 1,15, or a step such as */2'],
    ['0 0 * * 8', 'as a day of week write 0 to 7 or sun to sat, a list such as 1,4, or a step such as */2'],
    ['5-1 * * * *', 'write "1-5", or "5-59,0-1" if the range wraps around the end'],
    ['0 23-0 * * *', 'write "0-23", or "23,0" if the range wraps around the end'],
    ['0 0 * * 5-1', 'write "1-5", or "5-6,0-1" if the range wraps around the end'],
    ['0 0 * * 7-2', 'write "2-7", or "7,0-2" if the range wraps around the end'],
    ['0 0 * * fri-mon', 'write "mon-fri", or "fri-sat,sun-mon" if the range wraps around the end'],
    ['0 0 * November-Feb *', 'write "Feb-November", or "November-dec,jan-Feb" if the range wraps around the end'],
    ['0 22-6/2 * * *', 'write two ranges, each in order'],
    [
      '@hurly',
      'write one of @yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly, or five fields: minute, hour, day of month, month, day of week',
    ],
  ])('%s: the cure', (text, cure) => expect(cronProblem(text)?.cure).toBe(cure))

  holds(
    'that a cure quotes are accepted',
    1_000,
    fc.property(fc.constantFrom(...numericFields), fc.nat(59), fc.nat(59), ([before, low, high, after], one, other) => {
      const [from, to] = [Math.max(one, other) % (high + 1), Math.min(one, other) % (high + 1)]
      fc.pre(from > to && to >= low)
      const { cure = '' } = cronProblem(`${before}${from}-${to}${after}`) ?? {}
      const quoted = [...cure.matchAll(/"([^"]+)"/g)].map(([, range = '']) => range)
      expect(quoted).toHaveLength(2)
      for (const range of quoted) expect(cronProblem(`${before}${range}${after}`)).toBeUndefined()
    }),
  )

  test.each([
    '*/10 * * * *',
    '0 0 * * fri-sun',
    '0 0 * * 5-7',
    '0 6 * * Mon-Fri',
    '0 0 * January-march *',
    '0 0 L * ?',
    '0 0 * * friL',
    '@daily',
  ])('%s is accepted', (text) => expect(cronProblem(text)).toBeUndefined())

  test('of more than 500 characters are none', () => {
    expect(cronProblem(`${'0,'.repeat(250)}0 * * * *`)).toMatchObject({ why: 'it is longer than 500 characters' })
  })

  test('an expression made to be slow is judged at once', () => {
    const slow = ['0-4000000000 * * * *', '0,'.repeat(249), '00-0'.repeat(120), `${'*/1,'.repeat(60)}* `.repeat(2)]
    expect(cpuMsOf(() => slow.map(cronProblem))).toBeLessThan(500)
  })
})
