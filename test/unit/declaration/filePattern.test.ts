import { posix } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openFilePattern } from '../../../src/declaration/filePattern.ts'

const matches = (pattern: string, file: string) => openFilePattern(pattern).matches(file)

describe('a pattern of files', () => {
  test.each<readonly [pattern: string, file: string, seen: boolean]>([
    ['teams/pay/**', 'teams/pay/a.yaml', true],
    ['teams/pay/**', 'teams/pay/b/c/a.yaml', true],
    ['teams/pay/**', 'teams/pay', false],
    ['teams/pay/**', 'teams/payments/a.yaml', false],
    ['teams/pay/**', 'Teams/pay/a.yaml', false],
    ['teams/pay/*.yaml', 'teams/pay/A.YAML', false],
    ['teams/*/shared.yaml', 'teams/pay/shared.yaml', true],
    ['teams/*/shared.yaml', 'teams/pay/b/shared.yaml', false],
    ['**/shared.yaml', 'shared.yaml', true],
    ['**/shared.yaml', 'a/b/shared.yaml', true],
    ['a/**/b.yaml', 'a/b.yaml', true],
    ['a/**/b.yaml', 'a/.c/b.yaml', false],
    ['?.yaml', 'a.yaml', true],
    ['?.yaml', '\u{1f600}.yaml', true],
    ['?.yaml', 'ab.yaml', false],
    ['*', '.a.yaml', false],
    ['a+b$.yaml', 'a+b$.yaml', true],
    ['a.yaml', 'abyaml', false],
    ['a*', 'a\n', true],
  ])('%s and %j', (pattern, file, seen) => expect(matches(pattern, file)).toBe(seen))

  // On this platform the function of Node compares letter case; on others it does not.
  test.skipIf(process.platform !== 'linux')('is understood as Node understands it', () => {
    const name = (letters: readonly string[]) =>
      fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength: 4 }).map((all) => all.join(''))
    const path = (part: fc.Arbitrary<string>) => fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))
    const pattern = path(fc.oneof({ weight: 3, arbitrary: name(['a', 'b', 'A', '*', '?']) }, { weight: 1, arbitrary: fc.constant('**') }))
    fc.assert(
      fc.property(pattern, path(name(['a', 'b', 'A', '.b'])), (text, file) => {
        expect([text, file, matches(text, file)]).toEqual([text, file, posix.matchesGlob(file, text)])
      }),
      { numRuns: 5_000 },
    )
  })
})

test.each<readonly [pattern: string, folder: string, seen: boolean]>([
  ['teams/pay/**', 'teams/pay', true],
  ['teams/pay/**', 'teams/pay/a/b', true],
  ['teams/pay/**', 'teams', true],
  ['teams/pay/**', '', true],
  ['teams/pay/**', 'teams/ops', false],
  ['teams/pay/*.yaml', 'teams/pay', true],
  ['teams/pay/*.yaml', 'teams/pay/a', false],
  ['teams/*/shared.yaml', 'teams/pay', true],
  ['**/shared.yaml', 'teams/pay', true],
  ['a.yaml', 'a.yaml', false],
])('whether %s reaches into %j', (pattern, folder, seen) => expect(openFilePattern(pattern).reachesInto(folder)).toBe(seen))
