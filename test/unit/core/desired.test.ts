import { expect, test } from 'vitest'
import { type DesiredMapping, heldMapping, ruleResult } from '../../../src/core/desired.ts'
import type { GroupName, Role } from '../../../src/core/mapping.ts'
import { people } from '../bounds.ts'

const key = { group: 'devs' as GroupName, target: { kind: 'workspace' }, because: { at: { file: 'g', line: 1, column: 1 } } } as const
const role: DesiredMapping = { ...key, kind: 'role', role: 'member' as Role, allowProtected: true }
const reason = { kind: 'clocksDiffer' } as const

test('the result of a rule is its role with the size of the group, a delete, or what a hold would do', () => {
  expect(ruleResult({ ...role, size: people(3) })).toEqual({ kind: 'role', role: 'member', size: people(3) })
  expect(ruleResult(role)).toStrictEqual({ kind: 'role', role: 'member' })
  expect(ruleResult({ ...key, kind: 'absent', why: 'expired' })).toEqual({ kind: 'absent' })
  expect(ruleResult({ ...key, kind: 'unknown', reason, would: { kind: 'absent' } })).toEqual({ kind: 'absent' })
  expect(ruleResult({ ...key, kind: 'unknown', reason })).toBeUndefined()
})

test('a held mapping has the key and the rule, and its result if it is known', () => {
  expect(heldMapping(role, reason, { kind: 'absent' })).toStrictEqual({ ...key, kind: 'unknown', reason, would: { kind: 'absent' } })
  expect(heldMapping(role, reason, undefined)).toStrictEqual({ ...key, kind: 'unknown', reason })
})
