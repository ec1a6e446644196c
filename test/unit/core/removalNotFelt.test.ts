import { expect, test } from 'vitest'
import { removalNotFeltFindings } from '../../../src/core/findings/removalNotFelt.ts'
import type { GroupSync } from '../../../src/core/rule.ts'
import { changeOf, rule, type SmallWorld, seenOf } from './smallWorld.ts'

const at = (line: number) => ({ because: { at: { file: 'g', line, column: 7 } } })
const off: GroupSync = { enabled: true, autoRemove: false }
const concerned = (world: SmallWorld, groupSync: GroupSync | undefined = off, changes: readonly string[] = []) =>
  removalNotFeltFindings(seenOf(world).declared, groupSync, { changes: changes.map(changeOf) }).map(
    ({ code, severity, place, sentence }) => `${severity} ${code} ${place}: ${sentence.split('; this concerns ')[1]}`,
  )
const ending = { rules: [rule('devs', 'ENG', 'member', { expiresMs: 5, ...at(10) }), rule('ops', 'ENG', 'member')] }

test('a rule with "expires", past or future, and an entry in removed', () => {
  expect(concerned(ending)).toEqual(['warning removal-not-felt g:10:7: 1 entry with "expires" or of "removed"'])
  expect(concerned({ ...ending, removed: ['ENG old'] })).toEqual([
    'warning removal-not-felt g:10:7: 2 entries with "expires" or of "removed"',
  ])
  expect(concerned({ rules: [rule('ops', 'ENG', 'member')] })).toEqual([])
})

test('each entry counts once, and the first one is the place', () => {
  const rules = [9, 10, 8, 8, 7, 6, 5].map((line) => rule('devs', 'ENG', 'member', { expiresMs: 5, ...at(line) }))
  expect(concerned({ rules })).toEqual(['warning removal-not-felt g:5:7: 6 entries with "expires" or of "removed"'])
})

test('undeclared mappings that the plan deletes; duplicates leave the group its role', () => {
  const deletes = ['delete ENG old = guest (undeclared)', 'delete ENG devs = guest (duplicate)', 'delete ENG x = guest (undeclared)']
  expect(concerned({}, off, deletes)).toEqual(['warning removal-not-felt acme: 2 undeclared mappings that this plan deletes'])
  expect(concerned(ending, off, deletes)[0]).toContain('1 entry with "expires" or of "removed" and 2 undeclared mappings')
  expect(concerned({}, off, ['delete ENG devs = guest (duplicate)'])).toEqual([])
})

test('nothing is said if auto-remove is on, or unknown', () => {
  for (const groupSync of [{ ...off, autoRemove: true }, {}]) expect(concerned(ending, groupSync)).toEqual([])
  expect(removalNotFeltFindings(seenOf(ending).declared, undefined, { changes: [] })).toEqual([])
})
