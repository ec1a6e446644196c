import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { didYouMean, differenceOf, isNear, nearest } from '../../../src/core/nearest.ts'

describe('the name that was probably meant', () => {
  test.each([
    ['projct', ['project', 'projects', 'role'], 'project'],
    ['crop', ['corp'], 'corp'],
    ['partners-legal', ['partner-legal', 'partner-lega'], 'partner-legal'],
    ['partners-legal', ['partner-legal', 'partners-lega'], undefined],
    ['ENG-Admins', ['eng-admins', 'eng-admin'], 'eng-admins'],
    ['инженеры', ['инженер', 'engineers'], 'инженер'],
    ['ab', ['cd'], undefined],
    ['engineering', ['marketing'], undefined],
    ['', ['a'], 'a'],
    ['dev', ['deva', 'devs'], undefined],
    ['dev', ['deva', 'devs', 'Dev'], 'Dev'],
    ['P001', ['P000', 'P0'], undefined],
    ['team-1', ['team-', 'team-a'], 'team-a'],
    ['same', ['same'], undefined],
    ['TOP', ['ТОР'], 'ТОР'],
    ['a-b-c-d', ['a–b–c–d'], 'a–b–c–d'],
  ])('%s of %j is %s', (name, candidates, expected) => {
    expect(nearest(name, candidates)).toBe(expected)
  })

  /** The least number of edits between two texts, by the definition. An edit inserts, deletes or replaces a letter, or swaps two neighbours. */
  function edits(a: string, b: string, known = new Map<string, number>()): number {
    if (a === '' || b === '') return a.length + b.length
    const rest = (fromA: number, fromB: number) => edits(a.slice(fromA), b.slice(fromB), known)
    const found = known.get(`${a} ${b}`)
    if (found !== undefined) return found
    const swapped = a.length > 1 && b.length > 1 && a[0] === b[1] && a[1] === b[0] ? rest(2, 2) + 1 : Infinity
    const least = Math.min(rest(0, 1) + 1, rest(1, 0) + 1, rest(1, 1) + Number(a[0] !== b[0]), swapped)
    known.set(`${a} ${b}`, least)
    return least
  }
  /** The limit is a third of the letters, at least one and at most three. If several names are equally near, none is taken. */
  function byDefinition(name: string, candidates: readonly string[]): string | undefined {
    const limit = Math.min(3, Math.max(1, Math.floor(name.length / 3)))
    const near = candidates.filter((one) => one !== name).map((one) => ({ one, edits: edits(name.toLowerCase(), one.toLowerCase()) }))
    const [first, second] = near.filter((one) => one.edits <= limit).toSorted((a, b) => a.edits - b.edits)
    return first?.edits === second?.edits ? undefined : first?.one
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
    expect(nearest(`${long}abcdefgh`, [`${long}xyz`])).toBe(`${long}xyz`)
    expect(differenceOf(`${long}abc`, `${long.toUpperCase()}xyz`)).toBe('letter case')
  })

  test('does not depend on the order of the candidates', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 6 }), fc.uniqueArray(fc.string({ maxLength: 6 }), { maxLength: 8 }), (name, candidates) => {
        expect(nearest(name, candidates.toReversed())).toBe(nearest(name, candidates))
      }),
    )
  })
})

test.each([
  ['projct', ['role', 'project'], true],
  ['dev', ['deva', 'devs'], true],
  ['engineering', ['marketing'], false],
  ['same', ['same'], false],
  ['any', [], false],
])('%s is near to one of %j: %s', (name, candidates, expected) => expect(isNear(name, candidates)).toBe(expected))

test.each([
  ['projct', 'did you mean "project"? '],
  ['Project', 'did you mean "project"? (It differs only in letter case.) '],
  ['role', ''],
])('%s before other text is asked about as %j', (name, expected) => expect(didYouMean(name, ['project'])).toBe(expected))
