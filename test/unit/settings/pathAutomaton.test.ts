import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openFilePattern } from '../../../src/declaration/filePattern.ts'
import { fencePaths, findPath, linePaths, type PathAutomaton, pathsEnding } from '../../../src/settings/pathAutomaton.ts'

function matches({ start, next, accepts }: PathAutomaton, path: string): boolean {
  return accepts(Iterator.from(path).reduce<ReadonlySet<number>>((state, char) => next(state, char), start))
}
const text = (letters: readonly string[], maxLength = 4) =>
  fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength }).map((all) => all.join(''))
const path = (part: fc.Arbitrary<string>) => fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))

describe('the files of a fence', () => {
  test('are those that its pattern matches', () => {
    const pattern = path(fc.oneof({ weight: 3, arbitrary: text(['a', 'b', '*', '?']) }, { weight: 1, arbitrary: fc.constant('**') }))
    fc.assert(
      fc.property(pattern, path(text(['a', 'b', '.'])), (one, file) => {
        expect([one, file, matches(fencePaths('x/y', one), `x/y/${file}`)]).toEqual([one, file, openFilePattern(one).matches(file)])
      }),
      { numRuns: 5_000 },
    )
  })
})

test.each<readonly [parts: readonly string[], isAnchored: boolean, isDeep: boolean, path: string, seen: boolean]>([
  [['a'], false, true, 'x/a/b', true],
  [['a'], true, true, 'x/a', false],
  [['a/', '*'], true, false, 'a/b', true],
  [['a/', '*'], true, false, 'a/b/c', false],
  [['a', '/**'], true, true, 'a/b/c', true],
  [['a/', '**/', 'b'], true, true, 'a/b', true],
  [['a/', '**/', 'b'], true, true, 'a/x/y/b', true],
  [['a', '?'], true, true, 'a/', false],
])('a line %j (%s, %s) and %s', (parts, isAnchored, isDeep, one, seen) =>
  expect(matches(linePaths(parts, { isAnchored, isDeep }), one)).toBe(seen),
)

describe('the shortest path', () => {
  const find = (pattern: string, chars: string, accepts: (matching: readonly boolean[]) => boolean) =>
    findPath(fencePaths('', pattern), [pathsEnding('.yaml')], chars.split(''), accepts)
  test('is found, if there is one', () => {
    expect(find('t/**', '/.amlytx', ([yaml]) => yaml === true)).toEqual({ path: expect.stringMatching(/^t\/.\.yaml$/) })
    expect(find('t/*.yml', '/.amlytx', ([yaml]) => yaml === true)).toBeUndefined()
  })
  test('is given up if there are too many states', () => {
    const many = Array.from({ length: 16 }, (_, index) =>
      linePaths(['*', 'a', ...Array.from({ length: index }, () => '?')], { isAnchored: false, isDeep: false }),
    )
    expect(findPath(fencePaths('', '**'), many, ['a', 'b'], () => false)).toBe('undecided')
  })
})
