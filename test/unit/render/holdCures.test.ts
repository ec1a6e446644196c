import { expect, test } from 'vitest'
import type { Provenance } from '../../../src/core/rule.ts'
import { explainHold, isOneDirectory } from '../../../src/render/hold.ts'

test('the places of a group are in one directory if they begin with its whole name', () => {
  expect(isOneDirectory(['corp: cn=a,ou=x', 'corp: cn=a,ou=y'])).toBe(true)
  expect(isOneDirectory(['corp: cn=a', 'club: cn=a'])).toBe(false)
})

test('a dangling mapping of a pattern is never told of "previously", which is an error there', () => {
  const reason = { kind: 'groupUnknown', directories: ['corp'], mapped: true } as const
  const at = { file: 'a.yaml', line: 3, column: 1 }
  const cureOf = (because: Provenance) => explainHold({ reason, because }, { doors: 'any' }).cure
  expect(cureOf({ at })).toContain('"previously" in a rule with this group alone')
  expect(cureOf({ at, pattern: { syntax: 'glob', source: 'eng-*' } })).toMatch(/^(?!.*previously).*let the pattern match/)
})
