import { expect, test } from 'vitest'
import { unusedExceptionFindings } from '../../../src/core/findings/patterns.ts'
import type { GroupName } from '../../../src/core/mapping.ts'
import type { Rule, Unmanaged } from '../../../src/core/rule.ts'
import { failed, mapping, matchesIn, pattern, rule, type SmallWorld, seenOf } from './smallWorld.ts'

const at = (line: number) => ({ because: { at: { file: 'g', line, column: 7 } } })

/** A rule for the groups that match, but for the names. */
function excepting(source: string, line: number, ...names: readonly string[]): Rule {
  const made = pattern(source, 'ENG', 'member', at(line))
  return { ...made, groups: { ...made.groups, except: new Set(names as readonly GroupName[]) } as Rule['groups'] }
}
const unmanaged = ({ groups, because }: Rule): Unmanaged => ({ groups, because })

function told(world: SmallWorld): readonly string[] {
  const { declared, directories } = seenOf({ directories: { corp: ['eng-a', 'eng-web', 'Eng-X'] }, ...world })
  const matches = matchesIn(declared, directories, (world.existing ?? []).map(mapping))
  return unusedExceptionFindings(declared, directories, matches, { hereMs: 10, thereMs: 10 }).map(
    ({ code, severity, place, sentence, cure }) => `${severity} ${code} ${place}: ${sentence} | ${cure}`,
  )
}

test('a name that neither a directory nor a mapping has is told, with the name that was probably meant', () => {
  expect(told({ rules: [excepting('eng-.*', 4, 'eng-a', 'eng-wbe', 'eng-nothing')] })).toEqual([
    'info except-unused g:4:7: 2 names in "except" leave out no group of corp: "eng-nothing" and "eng-wbe" (did you mean "eng-web"?) | if a group is meant, compare the name with those of the directory: plane-group-sync groups',
  ])
  expect(told({ rules: [excepting('eng-.*', 4, 'eng-a', 'eng-web')] })).toEqual([])
})

test('a name of a mapping is one of a group, although no directory has it', () => {
  expect(told({ rules: [excepting('eng-.*', 4, 'eng-old')], existing: ['ENG eng-old member'] })).toEqual([])
})

test('it is told once for all rules of its place, and at most ten are shown', () => {
  const names = Array.from({ length: 12 }, (_, n) => `eng-${'xyz'.repeat(3)}${n + 10}`)
  const [one, ...others] = told({ rules: [excepting('eng-.*', 4, ...names), excepting('eng-.*', 4, ...names)] })
  expect(one).toContain('g:4:7: 12 names in "except" leave out no group of corp: "eng-xyzxyzxyz10", ')
  expect(one).toContain('and 2 more | ')
  expect(others).toEqual([])
})

test('names are told in the order of the files, also those of unmanaged', () => {
  const entry = unmanaged(excepting('eng-.*', 2, 'eng-second'))
  expect(told({ rules: [excepting('eng-.*', 9, 'eng-third'), rule('eng-a', 'ENG', 'member', at(1))], unmanaged: [entry] })).toEqual([
    expect.stringContaining('g:2:7: 2 names in "except" leave out no group of corp: "eng-second" (g:2:7) and "eng-third" (g:9:7) |'),
  ])
})

test('nothing is told of a rule that has expired, or whose directories were not all read', () => {
  const unused = excepting('eng-.*', 4, 'eng-none')
  expect(told({ rules: [unused] })).toHaveLength(1)
  expect(told({ rules: [{ ...unused, expiresMs: 9 }] })).toEqual([])
  expect(told({ rules: [unused], directories: { corp: ['eng-a'], lab: failed } })).toEqual([])
  expect(told({ rules: [{ ...unused, from: ['corp'] }], directories: { corp: ['eng-a'], lab: failed } })).toHaveLength(1)
  expect(told({ unmanaged: [unmanaged(unused)], directories: { corp: ['eng-a'], lab: failed } })).toEqual([])
  expect(told({ rules: [unused], directories: {} })).toEqual([])
})
