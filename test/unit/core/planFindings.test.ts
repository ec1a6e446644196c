import { expect, test } from 'vitest'
import type { Finding } from '../../../src/core/finding.ts'
import { planFindings } from '../../../src/core/findings/planFindings.ts'
import type { Unmatched } from '../../../src/core/matches.ts'
import { desiredIn, roles, rule, seenOf } from './smallWorld.ts'

function findings(unmatched: Unmatched | undefined): readonly Finding[] {
  const world = seenOf({ rules: [rule('devs', 'ENG', 'member')], directories: { corp: ['devs'] } })
  const seen = {
    directories: world.directories,
    existing: [],
    matches: new Map(),
    unmatched,
    changedGroups: [],
    renamed: [],
    lastId: () => undefined,
    meantGroups: undefined,
    sizeOf: () => undefined,
    roles,
    doors: 'any' as const,
    dates: { hereMs: 0, thereMs: 0 },
  }
  return planFindings(world.declared, desiredIn(world), seen)
}

test('patterns that were not matched are a finding at the first of them; there is none if they were matched', () => {
  const because = { at: { file: 'groups.yaml', line: 7, column: 5 } }
  expect(findings({ why: 'too many names', because })).toEqual([
    {
      code: 'reading-incomplete',
      severity: 'warning',
      place: 'groups.yaml:7:5',
      sentence: 'no pattern was matched: too many names',
      cure: 'existing mappings stay, and rules with exact names go on; use fewer or simpler patterns, or directories with fewer groups',
    },
  ])
  expect(findings(undefined)).toEqual([])
})
