import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nearest } from '../../../src/core/nearest.ts'

describe('the name that was probably meant', () => {
  test.each([
    ['projct', ['project', 'projects', 'role'], 'project'],
    ['crop', ['corp'], 'corp'],
    ['partners-legal', ['partner-legal', 'partners-lega'], 'partner-legal'],
    ['ENG-Admins', ['eng-admins', 'eng-admin'], 'eng-admins'],
    ['инженеры', ['инженер', 'engineers'], 'инженер'],
    ['ab', ['cd'], undefined],
    ['engineering', ['marketing'], undefined],
    ['', ['a'], 'a'],
    ['same', ['same'], undefined],
  ])('%s of %j is %s', (name, candidates, expected) => {
    expect(nearest(name, candidates)).toBe(expected)
  })

  /** The shortest way from one text to another, by the definition: insert, delete, replace a letter, swap two neighbours. */
  function edits(a: string, b: string): number {
    if (a === '' || b === '') return a.length + b.length
    const [insert, remove, replace] = [edits(a, b.slice(1)), edits(a.slice(1), b), edits(a.slice(1), b.slice(1))]
    const swapped = a.length > 1 && b.length > 1 && a[0] === b[1] && a[1] === b[0] ? edits(a.slice(2), b.slice(2)) + 1 : Infinity
    return Math.min(insert + 1, remove + 1, replace + Number(a[0] !== b[0]), swapped)
  }
  /** Up to a third of the letters, but one at least and three at most; of several as near the first by name. */
  function byDefinition(name: string, candidates: readonly string[]): string | undefined {
    const limit = Math.min(3, Math.max(1, Math.floor(name.length / 3)))
    const near = candidates.filter((one) => one !== name).map((one) => ({ one, edits: edits(name.toLowerCase(), one.toLowerCase()) }))
    return near.filter((one) => one.edits <= limit).toSorted((a, b) => a.edits - b.edits || (a.one < b.one ? -1 : 1))[0]?.one
  }
  const word = (maxLength: number) => fc.string({ unit: fc.constantFrom('a', 'b', 'B', 'c'), maxLength })
  test.each([
    ['short', 4, 5],
    ['long', 10, 3],
  ])('is what the definition says, of %s names', (_name, length, count) => {
    fc.assert(
      fc.property(word(length), fc.uniqueArray(word(length), { maxLength: count }), (name, candidates) => {
        expect(nearest(name, candidates)).toBe(byDefinition(name, candidates))
      }),
      { numRuns: 300 },
    )
  })
  test.each([
    ['abcdefgh', 'bacdefhg', 'two swaps'],
    ['abcdefghi', 'abcdefghiabc', 'three more at the end'],
    ['abcdefghi', 'xyzabcdefghi', 'three more at the beginning'],
    ['abcdefghi', 'defghi', 'three fewer'],
    ['abcdefghi', 'xbcdxfghx', 'three others'],
    ['aabbcc', 'abbc', 'two fewer, in the middle'],
  ])('%s, and %s: %s', (name, candidate) => expect(nearest(name, [candidate])).toBe(candidate))
  test.each([
    ['abcdefghi', 'abcdefghiabcd', 'four more'],
    ['abcdefghi', 'xbxdxfxhi', 'four others'],
    ['abcdefgh', 'badcfegh', 'three swaps where two are allowed'],
    ['abc', 'cab', 'two edits where one is allowed'],
  ])('%s, but not %s: %s', (name, candidate) => expect(nearest(name, [candidate])).toBeUndefined())
  test('of names as long as any looks at their beginning', () => {
    const long = 'n'.repeat(255)
    expect(nearest(`${long}abc`, [`${long}xyz`])).toBe(`${long}xyz`)
  })

  test('does not depend on the order of the candidates', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 6 }), fc.uniqueArray(fc.string({ maxLength: 6 }), { maxLength: 8 }), (name, candidates) => {
        expect(nearest(name, candidates.toReversed())).toBe(nearest(name, candidates))
      }),
    )
  })

  test('of 50,000 names that differ late takes no time that a person notices', () => {
    const candidates = Array.from({ length: 50_000 }, (_, index) => `${'department-of-research-'.repeat(4)}${index}`)
    const before = performance.now()
    expect(nearest(`${'department-of-research-'.repeat(4)}12345x`, candidates)).toBeDefined()
    expect(performance.now() - before).toBeLessThan(3_000)
  })
})
