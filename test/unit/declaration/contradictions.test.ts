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

describe('labels of one group on one target', () => {
  const id = '22223333-cccc-4444-dddd-5555eeee6666'
  const labelled = (...rules: readonly string[]) =>
    problemsOf(`projectRoles:\n${rules.map((rule) => `  - { group: ${id}, project: ENG, role: member${rule} }\n`).join('')}`)

  test('that differ are told with both places, also across files', () => {
    const told = `"${id}" in ENG has the label "Interns" here and "Sales" at a.yaml`
    expect(labelled(', label: Sales', ', label: Interns')).toEqual([`6:9 ${told}:5:9`])
    const file = (label: string) => under('acme', `projectRoles:\n  - { group: ${id}, project: ENG, role: member, label: ${label} }\n`)
    const loaded = load({ 'a.yaml': file('Sales'), 'b.yaml': file('Interns') })
    expect(loaded.valid ? '' : loaded.text).toContain(`b.yaml:5:9: ${told}:5:9`)
    expect(loaded.valid ? '' : loaded.text).toContain('a group has one name in a directory: give both rules the same label')
  })

  test.each([
    ['in one of two rules', ['', ', label: Sales']],
    ['that are equal', [', label: Sales', ', label: Sales']],
    ['in different directories', [', label: Sales, from: corp', ', label: Vertrieb, from: lab']],
  ])('%s are no contradiction', (_, rules) => {
    expect(labelled(...rules)).toEqual([])
  })

  test.each([
    ['in one directory', [', label: Sales, from: corp', ', label: Vertrieb, from: corp']],
    ['beside a rule without one', [', label: Sales', '', ', label: Sales EMEA']],
    ['one after the other', [', label: Sales, expires: 2026-12-31', '', ', label: Sales EMEA, starts: 2027-01-01']],
  ])('that differ, %s, are one', (_, rules) => {
    expect(labelled(...rules)).toHaveLength(1)
  })
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
