import { expect, test } from 'vitest'
import type { GroupName, ProjectIdentifier, Role, WorkspaceName } from '../../../src/core/mapping.ts'
import { groupSyncFrom, groupSyncPatchBody } from '../../../src/plane/wire/groupSync.ts'
import { mappingFrom, mappingPatchBody, newMappingBody } from '../../../src/plane/wire/mapping.ts'
import { pageFrom } from '../../../src/plane/wire/page.ts'
import { projectFrom } from '../../../src/plane/wire/project.ts'

const acme = 'acme' as WorkspaceName
const id = '6f9c1f1e-0000-4000-8000-000000000001'
const row = {
  id,
  idp_group_name: 'eng',
  role: 'member',
  project: 'eng',
  all_projects: false,
  created_at: '2026-01-31T14:00:00.000000+02:00',
}

test('a project mapping: the identifier upper-case, fields without a use ignored', () => {
  expect(mappingFrom({ ...row, colour: 'red' }, acme, 'projectRoles')).toEqual({
    id,
    key: 'acme/project/ENG/eng',
    group: 'eng',
    target: { kind: 'project', project: 'ENG' },
    role: 'member',
  })
})

test('an identifier of 12 characters is the longest', () => {
  for (const project of ['ENGINEERING1', '\u{1f680}'.repeat(12)])
    expect(mappingFrom({ ...row, project }, acme, 'projectRoles').target).toEqual({ kind: 'project', project })
})

test('all projects: the project is null, empty or absent', () => {
  for (const project of [null, '', undefined]) {
    expect(mappingFrom({ ...row, project, all_projects: true }, acme, 'projectRoles').target).toEqual({ kind: 'allProjects' })
  }
})

test('a workspace mapping', () => {
  expect(mappingFrom({ id, idp_group_name: 'eng', role: 'admin' }, acme, 'workspaceRoles')).toMatchObject({
    key: 'acme/workspace/eng',
    target: { kind: 'workspace' },
  })
})

test.each([null, ''])('a mapping without a role: %j', (role) => {
  expect(mappingFrom({ ...row, role }, acme, 'projectRoles')).toMatchObject({ role: null })
})

test.each([
  [{ ...row, role: undefined }, 'rows[3].role: '],
  [{ ...row, role: { slug: 'member' } }, 'rows[3].role: '],
  [{ ...row, idp_group_name: null }, 'rows[3].idp_group_name: '],
  [{ ...row, id: 7 }, 'rows[3].id: '],
  [{ ...row, id: '../../users' }, 'rows[3].id: not an identifier'],
  [{ ...row, all_projects: 'yes' }, 'rows[3].all_projects: '],
  [{ ...row, project: null }, 'rows[3].project: missing'],
  [{ ...row, all_projects: true }, 'rows[3].project: "eng" beside all_projects'],
  [{ ...row, project: 'a/b' }, 'rows[3].project: "a/b" is no identifier'],
  [
    { ...row, project: id },
    `rows[3].project: "${id}" has 36 characters, and a project's identifier has at most 12: it is an id or a name, and no identifier`,
  ],
  [{ ...row, project: id.replaceAll('-', '') }, 'has 32 characters'],
  [{ ...row, project: 'ENGINEERING-1' }, 'has 13 characters'],
  [null, 'rows[3]: '],
  ['text', 'rows[3]: '],
])('a malformed row is an error that names the field: %j', (malformed, message) => {
  expect(() => mappingFrom(malformed, acme, 'projectRoles', 'rows[3]')).toThrow(message)
})

test('what is sent', () => {
  const group = 'eng' as GroupName
  const role = 'member' as Role
  const project = 'ENG' as ProjectIdentifier
  expect(newMappingBody('projectRoles', group, { kind: 'project', project }, role)).toEqual({
    idp_group_name: 'eng',
    role: 'member',
    project: 'ENG',
    all_projects: false,
  })
  expect(newMappingBody('projectRoles', group, { kind: 'allProjects' }, role)).toEqual({
    idp_group_name: 'eng',
    role: 'member',
    all_projects: true,
  })
  expect(newMappingBody('workspaceRoles', group, { kind: 'workspace' }, role)).toEqual({ idp_group_name: 'eng', role: 'member' })
  expect(() => newMappingBody('workspaceRoles', group, { kind: 'allProjects' }, role)).toThrow(TypeError)
  expect(mappingPatchBody({ role })).toEqual({ role: 'member' })
  expect(mappingPatchBody({ group })).toEqual({ idp_group_name: 'eng' })
  expect(groupSyncPatchBody({ autoRemove: false, defaultWorkspaceRole: null })).toEqual({
    auto_remove: false,
    default_workspace_role: null,
  })
})

test("the workspace's own settings", () => {
  const body = {
    is_enabled: true,
    sync_on_login: true,
    auto_remove: false,
    sync_offline: true,
    group_attribute_key: 'groups',
    default_workspace_role: null,
  }
  const groupSync = {
    enabled: true,
    syncOnLogin: true,
    autoRemove: false,
    offlineSync: true,
    groupAttribute: 'groups',
    defaultWorkspaceRole: null,
  }
  expect(groupSyncFrom(body)).toEqual(groupSync)
  expect(groupSyncPatchBody(groupSync)).toEqual(body)
  expect(() => groupSyncFrom({ is_enabled: 'true' })).toThrow('is_enabled: ')
  expect(() => groupSyncFrom([])).toThrow('the body: ')
  expect(() => groupSyncFrom({ error: 'no' })).toThrow('none of the group-sync settings')
})

test('three list shapes', () => {
  expect(pageFrom([1, 2])).toEqual({ rows: [1, 2], at: '', next: 'none' })
  expect(pageFrom({ results: [1], next_cursor: '100:1:0', next_page_results: true, count: 1, total_results: 101 })).toEqual({
    rows: [1],
    at: 'results',
    next: { cursor: '100:1:0' },
    count: 1,
    more: 'next_page_results',
    total: { number: 101, by: 'total_results' },
  })
  expect(pageFrom({ results: [], next_cursor: '100:1:0', next_page_results: false, prev_cursor: '100:-1:1' })).toMatchObject({
    next: 'none',
  })
  expect(pageFrom({ data: [1], next: 'x', total_count: 9 })).toEqual({
    rows: [1],
    at: 'data',
    next: 'unknown',
    more: 'next',
    total: { number: 9, by: 'total_count' },
  })
  expect(pageFrom({ data: [], next: null })).toMatchObject({ rows: [], next: 'none' })
  expect(pageFrom({ results: [], total_results: 0 })).toMatchObject({ next: 'none' })
  // The answer has neither a flag nor a total, so it is unknown whether more rows follow.
  expect(pageFrom({ results: [] })).toMatchObject({ next: 'unknown' })
  expect(pageFrom({ results: [], next_cursor: '100:1:0' })).toMatchObject({ next: 'unknown' })
  expect(pageFrom({ results: [], next_page_results: true })).toMatchObject({ next: 'unknown' })
})

const more = [{ has_more: true }, { next_cursor: '100:1:0' }, { next_page_results: true }, { next: 'x' }]
test.each([
  {},
  ...more,
  ...more.flatMap((field) => [
    { next: null, ...field },
    { next: null, total_count: 1, ...field },
  ]),
])('v2: %j beside the data does not say that this is all', (beside) => {
  expect(pageFrom({ data: [1], ...beside })).toMatchObject({ rows: [1], next: 'unknown' })
})

test.each([{ next: null }, { total_count: 9 }, { total_count: 0, next: '' }])('v2: %j beside the data says that this is all', (beside) => {
  const none = { has_more: false, next_cursor: null, next_page_results: false, total_results: null }
  expect(pageFrom({ data: [1], ...beside })).toMatchObject({ next: 'none' })
  expect(pageFrom({ data: [1], ...beside, ...none, next_cursor: '' })).toMatchObject({ next: 'none' })
  expect(pageFrom({ data: [1], ...beside, ...none })).toMatchObject({ next: 'none' })
})

test.each([{}, null, 'text', 7, { results: null }, { results: {} }, { data: {} }, { detail: 'no' }])('no list: %j', (body) => {
  expect(() => pageFrom(body)).toThrow()
})

test('projects', () => {
  expect(projectFrom({ id, identifier: 'ops', name: 'Operations', archived_at: null })).toEqual({
    id,
    identifier: 'OPS',
    name: 'Operations',
    archived: false,
  })
  expect(projectFrom({ id, identifier: 'OPS', archived_at: '2026-01-01T00:00:00Z' })).toEqual({
    id,
    identifier: 'OPS',
    name: 'OPS',
    archived: true,
  })
  expect(() => projectFrom({ id, name: 'Operations' }, 'results[0]')).toThrow('results[0].identifier: ')
})
