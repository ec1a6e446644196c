import { expect, test } from 'vitest'
import { startsLaterFindings } from '../../../src/core/findings/startsLater.ts'
import type { Rule } from '../../../src/core/rule.ts'
import { failed, pattern, rule, type SmallWorld, seenOf } from './smallWorld.ts'

const day = 86_400_000
const now = Date.UTC(2026, 10, 22)
const devs = (days: number, line = 1, more: Partial<Rule> = {}) =>
  rule('devs', 'ENG', 'member', { startsMs: now + days * day, because: { at: { file: 'g', line, column: 7 } }, ...more })

function told(world: SmallWorld, thereMs = now): readonly string[] {
  const { declared, directories } = seenOf({ directories: { corp: ['devs', 'ops'] }, ...world })
  return startsLaterFindings(declared.rules, directories, { hereMs: now, thereMs }).map(
    ({ code, severity, place, sentence, cure }) => `${severity} ${code} ${place}: ${sentence}${cure === undefined ? '' : ` | ${cure}`}`,
  )
}

test('rules that start later are told, sorted by date, and each place once', () => {
  expect(told({ rules: [devs(0), devs(-1), rule('ops', 'ENG', 'member')] })).toEqual([])
  expect(told({ rules: [devs(9)] })).toEqual([
    'info starts-later g:1:7: the plan leaves out 1 rule that starts later: 2026-12-01 00:00 UTC (g:1:7)',
  ])
  expect(told({ rules: [devs(9, 4), devs(9, 4, { groups: { kind: 'exact', name: 'ops' as never } }), devs(1, 8)] })).toEqual([
    'info starts-later g:8:7: the plan leaves out 3 rules that start later: 2026-11-23 00:00 UTC (g:8:7) and 2026-12-01 00:00 UTC (g:4:7)',
  ])
  const [many] = told({ rules: Array.from({ length: 12 }, (_, n) => devs(1, n + 1)) })
  expect(many).toContain('12 rules that start later: 2026-11-23 00:00 UTC (g:1:7), ')
  expect(many).toContain('(g:10:7) and 2 more')
})

test('while the clocks disagree about the date, the mappings are held, and the finding is silent', () => {
  expect(told({ rules: [devs(9)] }, now + 10 * day)).toEqual([])
})

test('a group that no directory has is named, if all directories of the rule were read', () => {
  const misspelt = devs(9, 1, { groups: { kind: 'exact', name: 'dves' as never } })
  expect(told({ rules: [misspelt] })).toEqual([
    'info starts-later g:1:7: the plan leaves out 1 rule that starts later: 2026-12-01 00:00 UTC (g:1:7); no directory has the group dves today | check the spelling, or create the group before that day',
  ])
  expect(told({ rules: [misspelt], directories: { corp: ['devs'], lab: failed } })[0]).not.toContain('dves')
  expect(told({ rules: [{ ...misspelt, from: ['corp'] }], directories: { corp: ['devs'], lab: failed } })[0]).toContain('dves')
  expect(told({ rules: [misspelt], directories: {} })[0]).not.toContain('dves')
  expect(told({ rules: [misspelt], directories: { corp: ['devs'], lab: ['dves'] } })[0]).not.toContain('no directory')
})

test('several groups that no directory has are named together, at most ten', () => {
  const misspelt = (count: number) =>
    Array.from({ length: count }, (_, n) => devs(9, 1, { groups: { kind: 'exact', name: `x${String(n).padStart(2, '0')}` as never } }))
  expect(told({ rules: misspelt(2) })[0]).toContain('no directory has the groups x00 and x01 today')
  expect(told({ rules: misspelt(12) })[0]).toContain('x09 and 2 more today')
})

test('of a pattern no group is named', () => {
  expect(told({ rules: [pattern('x.*', 'ENG', 'guest', { startsMs: now + day })] })[0]).not.toContain('no directory')
})
