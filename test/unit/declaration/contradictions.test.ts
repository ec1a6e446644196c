import { describe, expect, test } from 'vitest'
import { load, problemsOf, under } from './declare.ts'

test('two files that give one key two roles are told with both places', () => {
  const loaded = load({
    'a.yaml': under('acme', 'projectRoles:\n  - { groups: [x, y], project: ENG, role: member }\n'),
    'b.yaml': under('acme', 'projectRoles:\n  - { group: y, project: eng, role: guest }\n'),
  })
  expect(loaded.valid ? '' : loaded.text).toMatch(/^b\.yaml:5:9: "y" in ENG is "guest" here and "member" at a\.yaml:5:23\n/)
})

test('the same group may have other roles elsewhere, and in other workspaces', () => {
  const loaded = load({
    'a.yaml': under(
      'acme',
      'workspaceRoles:\n  - { group: x, role: guest }\nprojectRoles:\n  - { group: x, project: ENG, role: member }\n  - { group: x, allProjects: true, role: guest }\n',
    ),
    'b.yaml': under('globex', 'workspaceRoles:\n  - { group: x, role: member }\n'),
  })
  expect(loaded.valid).toBe(true)
})

test('settings of group sync may agree, and not differ', () => {
  const files = (value: boolean) => ({
    'a.yaml': under('acme', 'groupSync: { enabled: true }\n'),
    'b.yaml': under('acme', `groupSync: { enabled: ${value} }\n`),
  })
  expect(load(files(true)).valid).toBe(true)
  const loaded = load(files(false))
  expect(loaded.valid ? '' : loaded.text).toMatch(/^b\.yaml:4:18: "enabled" is false here and true at a\.yaml:4:18\n/)
})

describe('unmanaged', () => {
  test.each([
    ['everywhere, by pattern', '{ groupGlob: "l*" }', 1],
    ['everywhere, by name', '{ group: legacy }', 1],
    ['but for an exception', '{ groupGlob: "l*", except: [legacy] }', 0],
    ['in another project', '{ group: legacy, project: OPS }', 0],
    ['in this project', '{ group: legacy, projects: [OPS, ENG] }', 1],
    ['in the workspace', '{ group: legacy, workspace: true }', 0],
  ])('%s', (_, entry, count) => {
    expect(problemsOf(`projectRoles:\n  - { group: legacy, project: ENG, role: member }\nunmanaged:\n  - ${entry}\n`)).toHaveLength(count)
  })
})

test('contradictions are told together with mistakes elsewhere in the file', () => {
  expect(
    problemsOf('workspaceRoles:\n  - { group: a, role: admin }\n  - { group: b, rolle: guest }\n  - { group: a, role: guest }\n'),
  ).toEqual(['6:9 "role" is missing', '6:21 unknown key "rolle"', '7:9 "a" in the workspace is "guest" here and "admin" at a.yaml:5:9'])
})

test('without any directory exact rules pass and patterns do not', () => {
  const text =
    'workspaceRoles:\n  - { group: a, role: guest }\n  - { groupGlob: "b*", role: guest }\n  - { groupRegex: "c", role: guest, from: corp }\n'
  expect(problemsOf(text, { directories: [] })).toEqual([
    '6:11 a pattern needs a directory, and the settings have none',
    '7:11 a pattern needs a directory, and the settings have none',
    '7:47 the settings name no directory "corp"',
  ])
})
