import { expect, test } from 'vitest'
import { removalNotFeltFindings } from '../../../src/core/findings/removalNotFelt.ts'
import type { GroupSync } from '../../../src/core/groupSync.ts'
import { holdFor } from '../../../src/core/hold.ts'
import { changeOf, pattern, planIn, rule, type SmallWorld, seenOf } from './smallWorld.ts'

const at = (line: number) => ({ because: { at: { file: 'g', line, column: 7 } } })
const off: GroupSync = { enabled: true, autoRemove: false }
const day = 86_400_000
type Given = {
  readonly world?: SmallWorld
  readonly groupSync?: GroupSync
  readonly changes?: readonly string[]
  readonly held?: readonly string[]
}

/** The findings at the beginning of the year 1970. `held`: changes that wait because the program was just started. */
const found = ({ world = {}, groupSync = off, changes = [], held = [] }: Given) => {
  const holds = held.map((line) => holdFor(changeOf(line), { kind: 'quarantined', since: 'startUp' }))
  const seen = seenOf({ directories: { corp: ['devs'] }, ...world })
  const { later } = planIn(seen)
  return removalNotFeltFindings(seen.declared, groupSync, { changes: changes.map(changeOf), holds, later }, 0)
}
const concerned = (given: Given) =>
  found(given).map(({ severity, place, sentence }) => `${severity} ${place}: ${sentence.split(', so people keep the access of ')[1]}`)
const expiring = (days: number, line = 10, project = 'ENG') => rule('devs', project, 'member', { expiresMs: days * day, ...at(line) })
const removal = 'delete ENG old = guest (removed)'

test('a mapping that this plan deletes, or whose delete waits; a duplicate leaves the group its role', () => {
  expect(concerned({ changes: [removal] })).toEqual(['warning acme: 1 mapping that this plan deletes'])
  expect(concerned({ changes: ['delete ENG a = guest (expired)'], held: ['delete ENG b = guest (undeclared)'] })).toEqual([
    'warning acme: 1 mapping that this plan deletes and 1 mapping whose delete waits',
  ])
  expect(concerned({ held: ['delete ENG b = guest (undeclared)', removal] })).toEqual(['warning acme: 2 mappings whose deletes wait'])
  expect(concerned({ changes: ['delete ENG devs = guest (duplicate)', 'create ENG a = guest'] })).toEqual([])
})

test('the place is the first entry that deletes a mapping', () => {
  const deleted = (line: number) => ({ ...changeOf(removal), ...at(line) })
  const changes = [deleted(12), changeOf(removal), deleted(9)]
  expect(removalNotFeltFindings(seenOf({}).declared, off, { changes, holds: [], later: [] }, 0)).toMatchObject([{ place: 'g:9:7' }])
})

test('a key that is held without a change is not among them', () => {
  const held = { key: changeOf(removal).key, reason: { kind: 'notStarted', startsMs: 1 } } as const
  expect(removalNotFeltFindings(seenOf({}).declared, off, { changes: [changeOf(removal)], holds: [held], later: [] }, 0)).toMatchObject([
    {
      code: 'removal-not-felt',
      sentence: 'auto-remove is off, so people keep the access of 1 mapping that this plan deletes',
    },
  ])
})

test('undeclared mappings that the policy keeps are not deleted', () => {
  const hold = holdFor(changeOf('delete ENG a = guest (undeclared)'), { kind: 'undeclared', policy: 'upsert-only' })
  expect(removalNotFeltFindings(seenOf({}).declared, off, { changes: [], holds: [hold], later: [] }, 0)).toEqual([])
})

test('mappings that end within 14 days because their rules expire, with the first rule as the place', () => {
  expect(concerned({ world: { rules: [expiring(14)] } })).toEqual(['warning g:10:7: 1 mapping that ends within 14 days'])
  const rules = [expiring(3, 9), expiring(1, 8, 'OPS'), rule('devs', 'WEB', 'member', { expiresMs: 2 * day, ...at(7) })]
  expect(concerned({ world: { rules, projects: ['ENG', 'OPS', 'WEB'] } })).toEqual(['warning g:8:7: 3 mappings that end within 14 days'])
  expect(concerned({ world: { rules: [expiring(1)] }, changes: [removal] })).toEqual([
    'warning acme: 1 mapping that this plan deletes and 1 mapping that ends within 14 days',
  ])
})

test('nothing is said of a mapping that another rule takes over, since the access of its people does not end', () => {
  expect(concerned({ world: { rules: [expiring(3), pattern('d.*', 'ENG', 'admin', at(11))] } })).toEqual([])
})

test('nothing is said of a later end, of a past one, or of an entry in removed whose mapping is gone', () => {
  expect(
    concerned({ world: { rules: [expiring(14.001), expiring(0), expiring(-1), rule('ops', 'ENG', 'member')], removed: ['ENG old'] } }),
  ).toEqual([])
})

test('nothing is said if auto-remove is on, or unknown', () => {
  for (const groupSync of [{ ...off, autoRemove: true }, {}]) expect(found({ groupSync, changes: [removal] })).toEqual([])
  expect(removalNotFeltFindings(seenOf({}).declared, undefined, { changes: [changeOf(removal)], holds: [], later: [] }, 0)).toEqual([])
})

test('while the declared setting waits, the finding says so, and does not advise it again', () => {
  const groupSync = { wanted: { autoRemove: true }, ...at(3) }
  const [finding] = found({ world: { groupSync }, changes: [removal] })
  expect(finding?.sentence).toContain('auto-remove is off until the change of the settings is written, so')
  expect(finding?.cure).toBe('autoRemove: true is declared, and waits: its row says what for')
  expect(found({ changes: [removal] })[0]?.cure).toContain('set groupSync: { autoRemove: true }')
})
