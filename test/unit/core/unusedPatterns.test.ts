import { expect, test } from 'vitest'
import { unusedPatternFindings } from '../../../src/core/findings/patterns.ts'
import { failed, mapping, matchesIn, pattern, rule, type SmallWorld, seenOf } from './smallWorld.ts'

const at = (line: number) => ({ because: { at: { file: 'g', line, column: 7 } } })

function told(world: SmallWorld): readonly string[] {
  const { declared, directories } = seenOf({ directories: { corp: ['eng-a', 'eng-b'] }, ...world })
  const matches = matchesIn(declared, directories, (world.existing ?? []).map(mapping))
  return unusedPatternFindings(declared.rules, directories, matches, { hereMs: 10, thereMs: 10 }).map(
    ({ code, severity, place, sentence, cure }) => `${severity} ${code} ${place}: ${sentence} | ${cure}`,
  )
}

test('a pattern that matches no group is told, once for all rules of its place', () => {
  expect(told({ rules: [pattern('eng-.', 'ENG', 'member', at(1))] })).toEqual([])
  expect(told({ rules: [pattern('egn-.', 'ENG', 'member', at(4)), pattern('egn-.', 'OPS', 'member', at(4))] })).toEqual([
    'info pattern-unused g:4:7: 1 pattern matches no group of corp: egn-. | if groups should match, compare the pattern with their names: plane-group-sync groups',
  ])
  const [many] = told({ rules: Array.from({ length: 12 }, (_, n) => pattern('x.', 'ENG', 'member', at(n + 1))) })
  expect(many).toContain('g:1:7: 12 patterns match no group of corp: x. (g:1:7), ')
  expect(many).toContain('x. (g:10:7) and 2 more | ')
})

test('a mapping in Plane is no group: its name may be all that is left of one', () => {
  expect(told({ rules: [pattern('old-.', 'ENG', 'member', at(1))], existing: ['ENG old-a member'] })).toHaveLength(1)
})

test('nothing is told of a rule that has expired, or whose directories were not all read', () => {
  const unused = pattern('egn-.', 'ENG', 'member', at(1))
  expect(told({ rules: [{ ...unused, expiresMs: 9 }] })).toEqual([])
  expect(told({ rules: [{ ...unused, expiresMs: 11 }] })).toHaveLength(1)
  expect(told({ rules: [unused], directories: { corp: ['eng-a'], lab: failed } })).toEqual([])
  expect(told({ rules: [{ ...unused, from: ['corp'] }], directories: { corp: ['eng-a'], lab: failed } })).toHaveLength(1)
  expect(told({ rules: [unused], directories: {} })).toEqual([])
})

test('a pattern is used if one of its directories has a group for it', () => {
  expect(told({ rules: [pattern('eng-.', 'ENG', 'member', at(1))], directories: { corp: ['eng-a'], lab: ['ops'] } })).toEqual([])
})

test('patterns are told in the order of the file, and exact rules not at all', () => {
  const rules = [pattern('y.', 'ENG', 'member', at(9)), pattern('x.', 'ENG', 'member', at(4)), rule('none', 'ENG', 'member', at(1))]
  expect(told({ rules })).toEqual([expect.stringContaining('g:4:7: 2 patterns match no group of corp: x. (g:4:7) and y. (g:9:7) |')])
})
