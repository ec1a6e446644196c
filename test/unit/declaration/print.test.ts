import * as fc from 'fast-check'
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
import { printDeclaration, scalar } from '../../../src/declaration/print.ts'
import { parseYaml } from '../../../src/yaml/parse.ts'
import { z } from '../../../src/yaml/zod.ts'
import { nastyName } from '../properties/anyText.ts'

const acme = 'acme' as WorkspaceName

function mapping(group: string, target: Target, role: string): Mapping {
  return { id: 'id' as MappingId, key: keyOf(acme, target, group as GroupName), group: group as GroupName, target, role: role as Role }
}

const project = (name: string): Target => ({ kind: 'project', project: projectIdentifier(name) })

test('groups that share a role on a target share a rule, and targets that share groups', () => {
  const text = printDeclaration(
    acme,
    [
      mapping('platform', project('OPS'), 'member'),
      mapping('engineering', project('OPS'), 'member'),
      mapping('engineering', project('ENG'), 'member'),
      mapping('platform', project('ENG'), 'member'),
      mapping('all staff', { kind: 'allProjects' }, 'guest'),
      mapping('2024', project('ENG'), 'guest'),
      mapping('twice', project('ENG'), 'guest'),
      mapping('twice', project('ENG'), 'admin'),
      mapping('long', project('a/b'), 'admin'),
    ],
    { lists: 'every' },
  )
  expect(text).toMatchInlineSnapshot(`
    "version: 1
    workspaces:
      acme:
        workspaceRoles: []
        projectRoles:
          # "long" in A/B = admin: a declaration cannot contain this name
          # "twice" in ENG has 2 mappings with different roles: admin, guest. Keep one of them.
          - group: all staff
            allProjects: true
            role: guest
          - group: "2024"
            project: ENG
            role: guest
          - group: [engineering, platform]
            project: [ENG, OPS]
            role: member
    "
  `)
})

test('one unmanaged name on the workspace and on all projects is printed in one order', () => {
  const mappings = (['workspace', 'allProjects'] as const).map((kind) => mapping(' blank', { kind }, 'guest'))
  const print = (some: readonly Mapping[]) => printDeclaration(acme, some, { lists: 'needed' })
  expect(print(mappings.toReversed())).toBe(print(mappings))
})

test('a key with several roles has one place, whichever of them comes first', () => {
  const all = [
    mapping('twice', project('ENG'), 'admin'),
    mapping('twice', project('ENG'), 'guest'),
    mapping('', project('ENG'), 'contributor'),
  ]
  expect(printDeclaration(acme, all.toReversed(), { lists: 'every' })).toBe(printDeclaration(acme, all, { lists: 'every' }))
})

test('a mapping without a role becomes a comment, so that it stays undeclared', () => {
  const bare = { ...mapping('bare', project('ENG'), ''), role: null }
  expect(printDeclaration(acme, [bare, mapping('devs', project('ENG'), 'guest')], { lists: 'needed' })).toBe(
    [
      'version: 1',
      'workspaces:',
      '  acme:',
      '    projectRoles:',
      '      # "bare" in ENG has no role in Plane: write a rule with the role that it should have, or delete the mapping.',
      '      - group: devs',
      '        project: ENG',
      '        role: guest',
      '',
    ].join('\n'),
  )
  const twice = printDeclaration(acme, [bare, { ...bare, role: 'guest' as Role }], { lists: 'needed' })
  expect(twice).toContain('# "bare" in ENG has 2 mappings with different roles: no role, guest. Keep one of them.')
})

test('what no rule can declare is left alone, with the reason', () => {
  const all = [
    mapping('e\u0301quipe', project('ENG'), 'member'),
    mapping('eng\u001b[31m', { kind: 'allProjects' }, 'member'),
    mapping('devs', { kind: 'workspace' }, 'superuser'),
    mapping('ops', { kind: 'workspace' }, 'guest'),
  ]
  expect(printDeclaration(acme, all, { lists: 'needed', roles: ['guest', 'member'] })).toBe(`version: 1
workspaces:
  acme:
    workspaceRoles:
      - group: ops
        role: guest
    unmanaged:
      - group: "eng\\u001b[31m"
        allProjects: true
        reason: "no mapping can be written for this name: it contains U+001B, which cannot be seen"
      - group: devs
        workspace: true
        reason: "\\"superuser\\" is not one of the roles in roles.order"
      - group: "e\u0301quipe"
        project: ENG
        reason: "no mapping can be written for this name: its letters are composed in an unusual way (not Unicode NFC), so that two names look alike"
`)
})

test('lists without mappings are managed and empty, or left out', () => {
  expect(printDeclaration(acme, [], { lists: 'every' })).toBe(
    'version: 1\nworkspaces:\n  acme:\n    workspaceRoles: []\n    projectRoles: []\n',
  )
  expect(printDeclaration(acme, [], { lists: 'needed' })).toBe('version: 1\nworkspaces:\n  acme: {}\n')
})

test('every text is itself again after it was printed and read, as a value and as a key', () => {
  const read = (text: string) => {
    const { document, problems } = parseYaml(Buffer.from(text), { file: 'a', schema: z.unknown() })
    expect(problems).toEqual([])
    return document?.value
  }
  fc.assert(
    fc.property(nastyName, (text) => {
      expect(read(`- [${scalar(text)}]\n- ${scalar(text)}\n`)).toEqual([[text], text])
      // No map has this key.
      if (text !== '__proto__') expect(Object.keys(read(`${scalar(text)}:\n  - 1\n`) as object)).toEqual([text])
    }),
    { numRuns: 2_000 },
  )
})
