import { expect, test } from 'vitest'
import type { Role } from '../../../src/core/mapping.ts'
import { countsOf, isProtectedHold, isUndeclaredProtected, protectedWrites } from '../../../src/render/sections.ts'
import { about, create, patch, plan, rename, target, unsure } from './sample.ts'

test('protected grants are counted by the kind of the change', () => {
  const changes = [
    ...['a', 'b'].map((group) => create('ENG', group, 'admin')),
    ...['c', 'd', 'e'].map((group) => patch('ENG', group, 'guest', 'admin')),
    ...['f', 'g', 'h', 'i'].map((group) => patch('ENG', group, 'owner', 'admin')),
    ...['j', 'k', 'l', 'm', 'n'].map((group) => patch('ENG', group, 'unknown', 'admin')),
    ...['o', 'p', 'q', 'r', 's', 't'].map((group) => rename('ENG', `old-${group}`, group, 'guest', 'admin')),
    create('ENG', 'u', 'guest'),
  ]
  const counts = countsOf(plan({ changes }), about)
  expect(counts.protected).toEqual({ create: 2, raise: 3, lower: 4, other: 5, rename: 6, waiting: 0, held: 0, undeclared: 0, later: 0 })
  expect(protectedWrites(counts)).toBe(20)
})

test('a hold whose target is not known keeps no protected role from a group', () => {
  const hold = unsure('ENG', 'a', { kind: 'clocksDiffer' })
  const would = { action: 'create', role: 'admin' as Role } as const
  expect(isProtectedHold({ ...hold, would }, about.roles)).toBe(true)
  expect(isProtectedHold({ key: hold.key, reason: hold.reason, would }, about.roles)).toBe(false)
  expect(isProtectedHold({ ...hold, target: target('workspace') }, about.roles)).toBe(false)
})

test.each([
  ['a rule starts later', { kind: 'notStarted', startsMs: 9 }, { action: 'patch', before: 'admin', role: 'guest' }],
  ['its successor is held', { kind: 'requires', key: 'acme/project/ENG/b' }, { action: 'unknown', before: 'admin' }],
] as const)('a protected mapping that no rule gives now, since %s, is marked and counted as protected', (_, reason, would) => {
  const hold = { ...unsure('ENG', 'a', reason as never), would: would as never }
  expect(isProtectedHold(hold, about.roles)).toBe(true)
  expect(isUndeclaredProtected(hold, about.roles)).toBe(true)
  expect(countsOf(plan({ holds: [hold] }), about).protected.held).toBe(1)
  const ordinary = { ...hold, would: { ...would, before: 'member' } as never }
  expect(isUndeclaredProtected(ordinary, about.roles)).toBe(false)
})
