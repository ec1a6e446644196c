import { describe, expect, test } from 'vitest'
import { canonical } from '../../../src/core/change.ts'
import { gateHold } from '../../../src/core/judge/gate.ts'
import { judge } from '../../../src/core/judge/guards.ts'
import { emptyMemory } from '../../../src/core/memory/memory.ts'
import { compareRoles, direction, isAdministrator } from '../../../src/core/roles.ts'
import { changeSentence } from '../../../src/render/change.ts'
import { changeFromStored, storedChange } from '../journal/storedForms.ts'
import { judging, lines, planOf, roles, rule, type SmallWorld } from './smallWorld.ts'

const corp = { corp: ['devs', 'ops'] }
const devs = [rule('devs', 'ENG', 'member')]
const planned = (world: SmallWorld) => lines(planOf({ directories: corp, ...world }))

describe('a mapping without a role', () => {
  test.each<[string, SmallWorld, readonly string[]]>([
    ['declared: gets its role', { rules: devs, existing: ['ENG devs -'] }, ['patch ENG devs: null → member']],
    ['removed: goes', { removed: ['ENG devs'], existing: ['ENG devs -'] }, ['delete ENG devs = null (removed)']],
    ['undeclared: is kept', { existing: ['ENG devs -'] }, ['hold acme/project/ENG/devs: undeclared (delete ENG devs = null (undeclared))']],
    ['undeclared, sync: goes', { existing: ['ENG devs -'], policy: 'exclusive' }, ['delete ENG devs = null (undeclared)']],
    [
      'beside the right one: gets the role, too',
      { rules: devs, existing: ['ENG devs -', 'ENG devs member'] },
      ['patch ENG devs: null → member'],
    ],
    [
      'beside the right one, sync: goes, and the right one stays',
      { rules: devs, existing: ['ENG devs -', 'ENG devs member'], policy: 'exclusive' },
      ['delete ENG devs = null (duplicate)'],
    ],
    [
      'renamed: gets its role',
      { rules: [rule('devs', 'ENG', 'member', { previously: 'old' as never })], existing: ['ENG old -'] },
      ['rename ENG old → devs: null → member'],
    ],
    [
      'of another key: is no reason to stop',
      { rules: devs, existing: ['ENG x -'] },
      ['create ENG devs = member', 'hold acme/project/ENG/x: undeclared (delete ENG x = null (undeclared))'],
    ],
    [
      'whose role would be protected: waits for approval as any other',
      { rules: [rule('devs', 'ENG', 'admin')], existing: ['ENG devs -'] },
      ['patch ENG devs: null → admin'],
    ],
  ])('%s', (_what, world, expected) => expect(planned(world)).toEqual(expected))

  test('is raised by any role, and no role is the wanted one', () => {
    expect([...roles.order, 'odd'].map((role) => direction(null, role as never, roles))).toEqual(Array(7).fill('raise'))
    expect(compareRoles('member' as never, null, { kind: 'workspace' }, { member: 'x' }, roles)).toBe('other')
    expect(isAdministrator(null, roles)).toBe(false)
    expect(isAdministrator(null, { ...roles, order: [] })).toBe(false)
  })
  const plan = planOf({ directories: corp, rules: devs, existing: ['ENG devs -'] })
  const [patch] = plan.changes
  test('gets no role while grants are suspended', () => {
    const state = {
      memory: emptyMemory,
      suspend: 'grants',
      roles,
      declaration: 'd',
      readAtMs: 0,
      twins: 0,
      required: new Set<never>(),
    } as const
    const hold = patch && gateHold(patch, { ...state, flapping: { rounds: 3, span: 1 } })
    expect(hold?.reason.kind).toBe('suspended')
  })
  test('comes after the lowerings in a plan', () => {
    const rules = [...devs, rule('ops', 'ENG', 'guest')]
    expect(planned({ rules, existing: ['ENG devs -', 'ENG ops admin'] })).toEqual([
      'patch ENG ops: admin → guest',
      'patch ENG devs: null → member',
    ])
  })
  test('is no administrator that the plan could lose', () => {
    const { changes, ...rest } = planOf({ removed: ['workspace devs'], existing: ['workspace devs -', 'workspace ops admin'] })
    expect([changes.length, rest.administrators]).toEqual([1, 1])
    expect(judge({ ...rest, changes }, judging).plan.changes).toEqual(changes)
  })
  test('does not replace a delete of another role', () => {
    const world = { rules: [rule('ops', 'ENG', 'guest')], removed: ['ENG devs'], existing: ['ENG devs -'] }
    expect(planOf({ directories: corp, ...world }).changes.map(({ action, requires }) => [action, requires.length])).toEqual([
      ['delete', 0],
      ['create', 0],
    ])
  })
  test('is told among duplicates', () => {
    const [found] = planOf({ directories: corp, rules: devs, existing: ['ENG devs -', 'ENG devs guest'] }).findings
    expect(found?.sentence).toContain('(no role, guest)')
  })
  test('is shown, stored and named with no role', () => {
    if (patch?.action !== 'patch') throw new Error('no patch')
    expect(changeSentence(patch, roles)).toMatch(/^↑ ENG {2}devs {2}no role → member/)
    expect(changeSentence({ ...patch, before: 'no role' as never }, roles)).toMatch(/devs {2}"no role" → member/)
    expect(canonical(patch)).toBe('["patch","acme/project/ENG/devs","m0",null,"member"]')
    expect(changeFromStored(JSON.parse(JSON.stringify(storedChange(patch))) as never, () => expect.unreachable())).toStrictEqual(patch)
  })
})
