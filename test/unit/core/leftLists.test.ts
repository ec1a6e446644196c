import { expect, test } from 'vitest'
import { leftListFindings } from '../../../src/core/findings/planFindings.ts'
import type { List } from '../../../src/core/mapping.ts'
import { type SmallWorld, seenOf } from './smallWorld.ts'

const told = (world: SmallWorld, sizes: Partial<Record<List, number>>) =>
  leftListFindings(seenOf(world).declared, (list) => sizes[list]).map(
    ({ code, severity, place, sentence }) => `${severity} ${code} ${place}: ${sentence}`,
  )

test('a list with mappings that is no longer declared', () => {
  expect(told({ owns: ['projectRoles'] }, { workspaceRoles: 9, projectRoles: 3 })).toEqual([
    'warning list-left acme: no file declares workspaceRoles of this workspace any more; 9 mappings that it had stay as they are, and are not compared any more',
  ])
  expect(told({ owns: [] }, { workspaceRoles: 1, projectRoles: 3 })).toEqual([
    'warning list-left acme: no file declares workspaceRoles of this workspace any more; 1 mapping that it had stays as it is, and is not compared any more',
    'warning list-left acme: no file declares projectRoles of this workspace any more; 3 mappings that it had stay as they are, and are not compared any more',
  ])
})

test('its mappings can be deleted, or managed again', () => {
  const [finding] = leftListFindings(seenOf({ owns: ['projectRoles'] }).declared, () => 1)
  expect(finding?.cure).toBe(
    'to delete them, declare workspaceRoles: [] with the policy exclusive; to keep them managed, declare their rules again',
  )
})

test('not a list that was empty or never read, that is declared, or that is read for an entry in removed', () => {
  expect(told({ owns: ['projectRoles'] }, { workspaceRoles: 0, projectRoles: 3 })).toEqual([])
  expect(told({ owns: ['projectRoles'] }, {})).toEqual([])
  expect(told({}, { workspaceRoles: 9, projectRoles: 3 })).toEqual([])
  expect(told({ owns: ['projectRoles'], removed: ['workspace devs'] }, { workspaceRoles: 9 })).toEqual([])
})
