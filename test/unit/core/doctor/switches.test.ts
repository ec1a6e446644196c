import { expect, test } from 'vitest'
import type { Change } from '../../../../src/core/change.ts'
import { switchFindings } from '../../../../src/core/doctor/switches.ts'
import type { GroupSync } from '../../../../src/core/groupSync.ts'
import { planIn, rule, type SmallWorld, seenOf } from '../smallWorld.ts'

const on: GroupSync = { enabled: true, syncOnLogin: true, offlineSync: true, autoRemove: true, groupAttribute: 'groups' }
const because = { at: { file: 'g', line: 1, column: 1 } }
const rules = [rule('devs', 'ENG', 'member')]

function found(differs: GroupSync, world: SmallWorld = {}, more: Partial<Parameters<typeof switchFindings>[0]['plan']> = {}) {
  const seen = seenOf({ directories: { corp: ['devs'] }, rules, ...world })
  const { changes, findings } = planIn(seen)
  const plan = { changes, findings, ...more }
  return switchFindings({ declared: seen.declared, groupSync: { ...on, ...differs }, plan }).map(
    ({ code, severity, cure }) => `${severity} ${code}: ${cure}`,
  )
}

test('nothing is wrong if all switches are on, or if Plane does not say how they are', () => {
  expect(found({})).toEqual([])
  const seen = seenOf({ rules, directories: { corp: ['devs'] } })
  expect(switchFindings({ declared: seen.declared, groupSync: {}, plan: planIn(seen) })).toEqual([])
})

test.each<[GroupSync, string]>([
  [{ enabled: false }, 'error group-sync-off: declare groupSync: { enabled: true }'],
  [{ syncOnLogin: false, offlineSync: false }, 'error group-sync-never-runs: declare groupSync: { syncOnLogin: true'],
  [{ groupAttribute: ' ' }, 'error claim-unset: declare groupSync: { groupAttribute: groups }'],
])('%j', (differs, expected) => {
  expect(found(differs)).toEqual([expect.stringContaining(expected)])
})

test('one kind of sync is enough, and a workspace without rules needs none', () => {
  expect(found({ syncOnLogin: false })).toEqual([])
  expect(found({ offlineSync: false })).toEqual([])
  expect(found({ enabled: false }, { rules: [] })).toEqual([])
})

test('a switch that the declaration turns is an info if the plan writes it, and stays an error while that is held', () => {
  const world = { groupSync: { wanted: { enabled: true }, because }, existingSync: { ...on, enabled: false } }
  expect(found({ enabled: false }, world)).toEqual(['info group-sync-off: the declaration says otherwise, and the next apply turns it'])
  expect(found({ enabled: false }, world, { changes: [] as readonly Change[] })).toEqual([
    'error group-sync-off: the declaration says otherwise, and the change is held: plane-group-sync plan shows why',
  ])
})

test('auto-remove that is off is told where something declared ends, unless the plan says so', () => {
  const ending = { rules: [rule('devs', 'ENG', 'member', { expiresMs: 9_000 })], removed: ['ENG old'] }
  expect(found({ autoRemove: false })).toEqual([])
  expect(found({ autoRemove: false }, ending)).toEqual([expect.stringContaining('info auto-remove-off')])
  const said = [{ code: 'removal-not-felt', severity: 'warning', place: 'g', sentence: '' }] as const
  expect(found({ autoRemove: false }, ending, { findings: said })).toEqual([])
})
