import { expect, test } from 'vitest'
import { by, compare } from '../../../src/core/compare.ts'

test.each([
  ['a', 'a', 0],
  ['a', 'b', -1],
  ['b', 'a', 1],
  ['B', 'a', -1],
  ['ä', 'z', 1],
  ['', 'a', -1],
  ['a10', 'a9', -1],
])('%j to %j: %i', (a, b, expected) => expect(compare(a, b)).toBe(expected))

test('by a text that things have, those with the same text as they were', () => {
  const things = ['b1', 'a1', 'c1', 'a2'].map((text) => ({ name: text.slice(0, 1), text }))
  expect(things.toSorted(by(({ name }) => name)).map(({ text }) => text)).toEqual(['a1', 'a2', 'b1', 'c1'])
})
