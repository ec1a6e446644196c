import { expect, test } from 'vitest'
import { expiresSoonFindings } from '../../../src/core/findings/expiresSoon.ts'
import type { Role } from '../../../src/core/mapping.ts'
import type { Rule } from '../../../src/core/rule.ts'
import { desiredIn, mapping, pattern, rule, type SmallWorld, seenOf } from './smallWorld.ts'

const day = 86_400_000
const now = Date.UTC(2026, 10, 22)
const at = (line: number) => ({ because: { at: { file: 'g', line, column: 7 } } })
const devs = (days: number, line = 1, more: Partial<Rule> = {}) =>
  rule('devs', `P${line}`, 'member', { expiresMs: now + days * day, ...at(line), ...more })

function sentences(world: SmallWorld): readonly string[] {
  const projects = Array.from({ length: 20 }, (_, n) => `P${n}`)
  const seen = seenOf({ directories: { corp: ['devs'] }, projects, nowMs: now, ...world })
  const existing = (world.existing ?? []).map(mapping)
  const dates = { hereMs: seen.nowMs, thereMs: seen.thereMs }
  return expiresSoonFindings(seen.declared.rules, desiredIn(seen), existing, dates).map(
    ({ code, severity, place, sentence }) => `${severity} ${code} ${place}: ${sentence}`,
  )
}

test('a rule that expires within 14 days is told, with its date and its mappings', () => {
  const sentence = 'info expires-soon g:1:7: 1 mapping ends at 2026-12-06 00:00 UTC, because of "expires"'
  expect(sentences({ rules: [devs(14)] })).toEqual([sentence])
  expect(sentences({ rules: [{ ...devs(14), expiresMs: now + 14 * day + 1 }] })).toEqual([])
  expect(sentences({ rules: [{ ...devs(0), expiresMs: now }] })).toEqual([])
  expect(sentences({ rules: [{ ...devs(0), expiresMs: now + 1 }] })).toHaveLength(1)
  expect(sentences({ rules: [rule('devs', 'P1', 'member')] })).toEqual([])
})

test('the mappings stay with a later end, or with none', () => {
  const seen = seenOf({ directories: { corp: ['devs'] }, projects: ['P1'], nowMs: now, rules: [devs(5)] })
  const [finding] = expiresSoonFindings(seen.declared.rules, desiredIn(seen), [], { hereMs: now, thereMs: now })
  expect(finding?.cure).toBe('to keep the mappings, write a later "expires", or remove it')
})

test('several rules share one finding, sorted by date, at the first to expire; ten are named', () => {
  const [only] = sentences({ rules: [devs(9, 1), devs(3, 2), devs(3, 10), devs(400, 3)] })
  expect(only).toBe(
    'info expires-soon g:2:7: 3 mappings end within 14 days: 1 at 2026-11-25 00:00 UTC (g:2:7), 1 at 2026-11-25 00:00 UTC (g:10:7) and 1 at 2026-12-01 00:00 UTC (g:1:7), because of "expires"',
  )
  const [many] = sentences({ rules: Array.from({ length: 12 }, (_, n) => devs(5, n + 1)) })
  expect(many).toContain(' (g:10:7) and 2 more, because')
})

const ends = (more = '') => `info expires-soon g:1:7: 1 mapping ends at 2026-11-27 00:00 UTC, because of "expires"${more}`
const changes = (then: string) =>
  `info expires-soon g:1:7: 1 mapping stays when "expires" ends the rule, because another rule decides then: 1 at 2026-11-27 00:00 UTC (g:1:7), then ${then}`

test('a pattern that decides after the end of an exact rule is named with its role, and the mapping is not said to end', () => {
  const wider = (role: string, more: Partial<Rule> = {}) => pattern('d.*', 'P1', role, { ...at(5), ...more })
  expect(sentences({ rules: [devs(5), wider('admin')] })).toEqual([changes('admin by g:5')])
  expect(sentences({ rules: [devs(5), wider('member')] })).toEqual([])
  // The pattern ends before the rule, with it, or after it.
  expect(sentences({ rules: [devs(5), wider('admin', { expiresMs: now + 4 * day })] })).toEqual([ends()])
  expect(sentences({ rules: [devs(5), wider('admin', { expiresMs: now + 5 * day })] })).toEqual([ends()])
  expect(sentences({ rules: [devs(5), wider('admin', { expiresMs: now + 6 * day })] })).toEqual([changes('admin by g:5')])
  // Patterns that differ: the mapping is held then.
  expect(sentences({ rules: [devs(5), wider('admin'), wider('guest', at(6))] })).toEqual([changes('held by g:5')])
})

test('a rule that starts by the end of another one decides after it; one that starts later does not', () => {
  const next = (days: number) => rule('devs', 'P1', 'admin', { startsMs: now + days * day, ...at(6) })
  expect(sentences({ rules: [devs(5), next(5)] })).toEqual([changes('admin by g:6')])
  expect(sentences({ rules: [devs(5), next(6)] })).toEqual([ends()])
})

test('a mapping whose present role is not known is told if another rule decides about it then', () => {
  const role = { kind: 'captured', capture: 'level', map: new Map<string, Role>() } as const
  const unmapped = (line: number, more: Partial<Rule> = {}) => pattern('(?<level>d.*)', 'P1', '', { role, ...at(line), ...more })
  const ending = unmapped(1, { expiresMs: now + 5 * day })
  const existing = ['P1 devs member']
  expect(sentences({ existing, rules: [ending, pattern('d.*', 'P1', 'guest', at(5))] })).toEqual([changes('guest by g:5')])
  expect(sentences({ existing, rules: [ending, unmapped(5)] })).toEqual([changes('held by g:5')])
})

test('of many mappings that another rule takes over ten are named', () => {
  const both = (n: number) => [devs(5, n), pattern('d.*', `P${n}`, 'admin', at(50 + n))]
  const [only] = sentences({ rules: Array.from({ length: 12 }, (_, n) => both(n + 1)).flat() })
  expect(only).toMatch(/^info expires-soon g:1:7: 12 mappings stay when /)
  expect(only?.match(/then admin by /g)).toHaveLength(10)
  expect(only).toMatch(/ then admin by g:60 and 2 more$/)
})

test('mappings that end and mappings that another rule takes over are two findings, and only the first counts for the metrics', () => {
  const rules = [devs(5, 1), devs(6, 2), devs(7, 3), ...[1, 2].map((n) => pattern('d.*', `P${n}`, 'guest', at(5)))]
  const seen = seenOf({ directories: { corp: ['devs'] }, projects: ['P1', 'P2', 'P3'], nowMs: now, rules })
  const [ending, changing] = expiresSoonFindings(rules, desiredIn(seen), [], { hereMs: now, thereMs: now })
  expect(ending).toMatchObject({ place: 'g:3:7', mappingsByOwner: { '': 1 } })
  expect(changing?.mappingsByOwner).toBeUndefined()
  expect(changing?.sentence).toBe(
    '2 mappings stay when "expires" ends the rule, because another rule decides then: 1 at 2026-11-27 00:00 UTC (g:1:7), then guest by g:5 and 1 at 2026-11-28 00:00 UTC (g:2:7), then guest by g:5',
  )
  expect(changing?.cure).toContain('write a later "expires"')
})

test('a rule counts the mappings that it gives their role, and existing ones that it holds', () => {
  const twice = [devs(5, 1), { ...devs(5, 1), target: devs(5, 2).target }]
  expect(sentences({ rules: twice })[0]).toContain('2 mappings end at')
  expect(sentences({ rules: [devs(5)], directories: { corp: [] } })).toEqual([])
  expect(sentences({ rules: [devs(5)], directories: { corp: [] }, existing: ['P1 devs member'] })).toHaveLength(1)
})

test('a date that only one of two clocks has passed is disputed: the mapping is held, and nothing is said of its end', () => {
  expect(sentences({ rules: [devs(1)], existing: ['P1 devs member'], thereMs: now + 2 * day })).toEqual([])
  expect(sentences({ rules: [devs(1)], thereMs: now - 40 * day })).toHaveLength(1)
  // By one of the clocks the 14 days have begun.
  expect(sentences({ rules: [devs(15)], thereMs: now + 3 * day })).toHaveLength(1)
  expect(sentences({ rules: [devs(15)], thereMs: now })).toEqual([])
})

test('the mappings are counted by owner, for the metrics', () => {
  const owned = (days: number, line: number, owner: string) => devs(days, line, { because: { ...at(line).because, owner } })
  const rules = [owned(3, 1, 'team-a'), owned(4, 2, 'team-b'), owned(5, 3, 'team-a'), devs(6, 4)]
  const seen = seenOf({ directories: { corp: ['devs'] }, projects: ['P1', 'P2', 'P3', 'P4'], nowMs: now, rules })
  const [finding] = expiresSoonFindings(rules, desiredIn(seen), [], { hereMs: now, thereMs: now })
  expect(finding?.mappingsByOwner).toEqual({ 'team-a': 2, 'team-b': 1, '': 1 })
})
