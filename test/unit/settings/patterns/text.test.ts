import * as fc from 'fast-check'
import { RE2JS } from 're2js'
import { describe, expect, test } from 'vitest'
import { settingsJsonSchema } from '../../../../src/settings/jsonSchemas.ts'
import { anyCase, between } from '../../../../src/settings/patterns/text.ts'
import { holds } from '../../properties/runs.ts'

describe('between', () => {
  const bounds = fc
    .tuple(fc.nat(700_000), fc.nat(700_000), fc.nat(6))
    .map(([a, b, digits]) => [a, b].map((one) => one % 10 ** digits).toSorted((x, y) => x - y) as [number, number])

  holds(
    'takes the whole numbers from one to another, and no others',
    300,
    fc.property(bounds, fc.array(fc.nat(800_000), { maxLength: 20 }), ([low, high], drawn) => {
      const pattern = new RegExp(`^${between(low, high)}$`, 'u')
      const near = [low, high].flatMap((one) => [one - 1, one, one + 1, one * 10, Math.floor(one / 10), 10 ** String(one).length])
      for (const one of [...drawn, ...near].filter((number) => number >= 0))
        expect(pattern.test(String(one)), `${one} in ${low} to ${high}`).toBe(low <= one && one <= high)
    }),
  )

  test.each([
    [5, 23, '(?:[5-9]|1\\d|2[0-3])'],
    [0, 9, '(?:\\d)'],
    [7, 7, '(?:7)'],
  ])('%d to %d', (low, high, pattern) => expect(between(low, high)).toBe(pattern))

  test('takes no leading zero', () => expect(new RegExp(`^${between(0, 99)}$`, 'u').test('05')).toBe(false))
})

test('anyCase', () => {
  const pattern = new RegExp(`^${anyCase('gmt-0')}$`, 'u')
  expect(['gmt-0', 'GMT-0', 'gMt-0', 'gmt+0'].map((text) => pattern.test(text))).toEqual([true, true, true, false])
})

/** All values of one keyword in a schema. */
function valuesOf(keyword: string, schema: unknown): readonly unknown[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, value]) => [...(key === keyword ? [value] : []), ...valuesOf(keyword, value)])
}

test('every pattern of the settings can be read by Helm (RE2) and by editors (with the u flag)', () => {
  const patterns = valuesOf('pattern', JSON.parse(JSON.stringify(settingsJsonSchema()))) as string[]
  expect(patterns.length).toBeGreaterThan(20)
  for (const pattern of new Set(patterns)) {
    expect(() => new RegExp(pattern, 'u')).not.toThrow()
    expect(() => RE2JS.compile(pattern)).not.toThrow()
  }
})
