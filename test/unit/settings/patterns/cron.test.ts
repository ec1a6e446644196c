import * as fc from 'fast-check'
import { validateDetailed } from 'node-cron'
import { describe, expect, test } from 'vitest'
import { cronProblem } from '../../../../src/settings/patterns/cron.ts'
import { holds } from '../../properties/runs.ts'
import { anyCron } from './anyCron.ts'

describe('cron expressions', () => {
  holds(
    'are accepted where each item is within its bounds and each range in order',
    3_000,
    fc.property(anyCron, ({ text, accepted }) => {
      expect(cronProblem(text) === undefined, cronProblem(text)).toBe(accepted)
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
    ['every 5m', 'expected 5 or 6 fields but got 2'],
    ['61 25 * * *', '"61" is not a minute; "25" is not an hour'],
    ['60 0 0 * * *', '"60" is not a second'],
    ['0 22-2 * * *', 'the range "22-2" ends before it begins'],
    ['0 0 * * mon,fri-mon', 'the range "fri-mon" ends before it begins'],
    ['0 0 * dec-feb/2 *', 'the range "dec-feb" ends before it begins'],
    ['0 0 * janfeb *', '"janfeb" is not a month'],
    ['@reboot', '"@reboot" is none of @yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly'],
  ])('%s', (text, problem) => expect(cronProblem(text)).toBe(problem))

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
    expect(cronProblem(`${'0,'.repeat(250)}0 * * * *`)).toBe('it is longer than 500 characters')
  })

  test('an expression made to be slow is judged at once', () => {
    const beganMs = performance.now()
    for (const text of ['0-4000000000 * * * *', '0,'.repeat(249), '00-0'.repeat(120), `${'*/1,'.repeat(60)}* `.repeat(2)]) cronProblem(text)
    expect(performance.now() - beganMs).toBeLessThan(500)
  })
})
