import { describe, expect, test } from 'vitest'
import type { Role } from '../../../src/core/mapping.ts'
import {
  compareRoles,
  type Direction,
  direction,
  highest,
  isAdministrator,
  isProtected,
  type RoleComparison,
  type RoleSettings,
} from '../../../src/core/roles.ts'
import { roles, target } from './smallWorld.ts'

const order = { ...roles, order: ['guest', 'member', 'admin', 'owner'], ordinary: ['guest', 'member'] }
const aliases = { ...order, aliases: { member: 'contributor', admin: 'administrator', guest: 'visitor' } }

describe('from one role to another', () => {
  test.each<[string, string, Direction]>([
    ['guest', 'member', 'raise'],
    ['guest', 'owner', 'raise'],
    ['owner', 'guest', 'lower'],
    ['member', 'guest', 'lower'],
    ['member', 'member', 'same'],
    ['auditor', 'auditor', 'same'],
    ['auditor', 'guest', 'incomparable'],
    ['guest', 'auditor', 'incomparable'],
    ['auditor', 'reviewer', 'incomparable'],
    // A role that Plane renames has the rank of its name in the declaration.
    ['contributor', 'admin', 'raise'],
    ['contributor', 'visitor', 'lower'],
    ['guest', 'contributor', 'raise'],
    ['contributor', 'member', 'same'],
    ['member', 'contributor', 'same'],
  ])('%s to %s: %s', (before, after, expected) => expect(direction(before as Role, after as Role, aliases)).toBe(expected))
})

describe('a protected role', () => {
  test.each<[string, RoleSettings, boolean]>([
    ['guest', order, false],
    ['member', order, false],
    ['admin', order, true],
    ['auditor', order, true],
    ['contributor', order, true],
    ['contributor', aliases, false],
    ['administrator', aliases, true],
  ])('%s with %o: %s', (role, settings, expected) => expect(isProtected(role as Role, target('ENG'), settings)).toBe(expected))

  const leads = { ...aliases, ordinary: { project: ['guest', 'member', 'admin'], workspace: ['guest'] } }
  test.each([
    ['admin', 'ENG', false],
    ['admin', '*', false],
    ['admin', 'workspace', true],
    ['member', 'workspace', true],
    ['guest', 'workspace', false],
    ['visitor', 'workspace', false],
    ['administrator', 'ENG', false],
    ['administrator', 'workspace', true],
    ['owner', 'ENG', true],
  ])('with one list each: %s in %s: %s', (role, where, expected) => {
    expect(isProtected(role as Role, target(where), leads)).toBe(expected)
  })
  test('of the target decides whether an answered role gives more access', () => {
    const answers = (where: string) => compareRoles('member' as Role, 'boss' as Role, target(where), { member: 'boss' }, whereBoss)
    const whereBoss = { ...order, ordinary: { project: ['member', 'boss'], workspace: ['member'] } }
    expect([answers('ENG'), answers('*'), answers('workspace')]).toEqual(['echoed', 'echoed', 'echoedHigher'])
  })
})

describe('an administrator', () => {
  const without = { ...order, order: ['guest', 'member', 'lead'] }
  const first = { ...order, order: ['admin', 'owner'] }
  test.each<[string, RoleSettings, boolean]>([
    ['admin', order, true],
    ['owner', order, true],
    ['member', order, false],
    ['auditor', order, false],
    ['administrator', aliases, true],
    // If the order has no admin, its highest role is the administrator.
    ['lead', without, true],
    ['member', without, false],
    ['admin', without, false],
    ['admin', first, true],
    ['owner', first, true],
    ['admin', { ...order, order: [] }, false],
  ])('%s in %o: %s', (role, settings, expected) => expect(isAdministrator(role as Role, settings)).toBe(expected))
})

describe('a role that exists, beside the one that is wanted', () => {
  test.each<[string, string, Readonly<Record<string, string>>, RoleComparison]>([
    ['member', 'member', {}, 'same'],
    ['member', 'contributor', {}, 'same'],
    ['member', 'guest', {}, 'other'],
    ['member', 'guest', { member: 'admin' }, 'other'],
    // Plane answered the wanted role with this role, and it does not give more access.
    ['member', 'guest', { member: 'guest' }, 'echoed'],
    ['admin', 'auditor', { admin: 'auditor' }, 'echoed'],
    // The answered role gives more access than the wanted one: by the order, or because only the answered role is protected.
    ['guest', 'member', { guest: 'member' }, 'echoedHigher'],
    ['member', 'admin', { member: 'admin' }, 'echoedHigher'],
    ['member', 'auditor', { member: 'auditor' }, 'echoedHigher'],
    ['admin', 'owner', { admin: 'owner' }, 'echoedHigher'],
  ])('%s: %s, with %o seen, is %s', (wanted, has, echoes, expected) => {
    expect(compareRoles(wanted as Role, has as Role, target('ENG'), echoes, aliases)).toBe(expected)
  })
})

test('of several mappings, the one with most access, and one without a role last', () => {
  const of = (...all: readonly (string | null)[]) =>
    highest(
      all.map((role) => ({ role: role as Role | null })),
      order,
    )?.role
  expect(of('guest', 'admin', 'member')).toBe('admin')
  expect(of(null, 'auditor')).toBe('auditor')
  expect(of('auditor', null)).toBe('auditor')
  expect(of('auditor', 'guest')).toBe('guest')
  expect(of()).toBeUndefined()
})
