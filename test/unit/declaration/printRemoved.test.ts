import { expect, test } from 'vitest'
import {
  type GroupName,
  keyOf,
  type Mapping,
  type MappingId,
  projectIdentifier,
  type Role,
  type Target,
  type WorkspaceName,
} from '../../../src/core/mapping.ts'
import { printRemoved } from '../../../src/declaration/printRemoved.ts'
import { roles } from '../core/smallWorld.ts'
import { declared, load } from './declare.ts'

const acme = 'acme' as WorkspaceName
const inProject = (name: string): Target => ({ kind: 'project', project: projectIdentifier(name) })

const mapping = (group: string, target: Target, role: string | null): Mapping => ({
  id: `${group} ${role}` as MappingId,
  key: keyOf(acme, target, group as GroupName),
  group: group as GroupName,
  target,
  role: role as Role | null,
})

const mappings = [
  mapping('old team', inProject('OPS'), 'guest'),
  mapping('no', inProject('ENG'), 'member'),
  mapping('twice', inProject('ENG'), 'member'),
  mapping('twice', inProject('ENG'), 'admin'),
  mapping('all, of "them"', { kind: 'allProjects' }, 'guest'),
  mapping(' blank\u200b', { kind: 'workspace' }, 'member'),
  mapping('bare', { kind: 'workspace' }, null),
  mapping('lost', inProject('a/b'), 'gue\nst'),
]

test('each key is an entry with the roles that end; protected ones come first, and a name that no file can contain is a comment', () => {
  const text = printRemoved(acme, mappings, roles)
  expect(text).toBe(`version: 1
workspaces:
  acme:
    removed:
      # "lost" in A/B = gue\\u{a}st, protected: a declaration cannot contain this name; delete it in Plane
      - { group: twice, project: ENG } # admin, member, protected
      - { group: bare, workspace: true } # no role
      - { group: "all, of \\"them\\"", allProjects: true } # guest
      - { group: " blank\\u200b", workspace: true } # member
      - { group: "no", project: ENG } # member
      - { group: old team, project: OPS } # guest
`)
  expect(printRemoved(acme, mappings.toReversed(), roles)).toBe(text)
  const loaded = load({ 'a.yaml': text })
  const removed = loaded.valid ? loaded.declaration.get(acme)?.removed : undefined
  const keys = new Set(mappings.filter(({ group }) => group !== 'lost').map(({ key }) => key))
  expect(new Set(removed?.map(({ group, target }) => keyOf(acme, target, group)))).toEqual(keys)
})

test('without mappings, or with such names alone, the file is valid and says nothing', () => {
  expect(printRemoved(acme, [], roles)).toBe('version: 1\nworkspaces:\n  acme: {}\n')
  const text = printRemoved(acme, [mapping('', { kind: 'workspace' }, 'guest')], roles)
  expect(text).toContain('# "" in workspace = guest: a declaration cannot contain this name; delete it in Plane')
  expect(load({ 'a.yaml': text }).valid).toBe(true)
  expect(declared('{}').removed).toEqual([])
})
