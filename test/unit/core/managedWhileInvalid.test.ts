import { expect, test } from 'vitest'
import { listsInScope, managedMappings } from '../../../src/core/existing.ts'
import type { FrozenFile, WorkspaceDeclaration } from '../../../src/core/rule.ts'
import { complete, mapping, seenOf } from './smallWorld.ts'

/** A file of which nothing is used, and whose fence is not known. */
const frozen: FrozenFile = {
  because: { at: { file: 'a.yaml', line: 1, column: 1 } },
  ...{ why: 'no YAML', paths: ['a.yaml'], rights: 'unlimited', isWhole: false, names: [] },
}
const declared: WorkspaceDeclaration = { ...seenOf({}).declared, owns: new Set(), frozen: [frozen] }

test('both lists are in scope while a file cannot be used whose fence is not known', () => {
  expect([...listsInScope(declared)].toSorted()).toEqual(['projectRoles', 'workspaceRoles'])
  expect([...listsInScope({ ...declared, frozen: [] })]).toEqual([])
})

test('of a list that no file owns, only the mappings are managed that an invalid file may give', () => {
  const rows = [mapping('ENG devs guest', 0), mapping('ENG ops guest', 1)]
  const lists = new Map([['projectRoles', complete(rows)]] as const)
  const managed = managedMappings(declared, { lists }, { isUnmanaged: () => false, isOwned: (group) => group === 'devs' })
  expect(managed.get('projectRoles')?.map(({ group }) => group)).toEqual(['devs'])
})
