import { expect, test } from 'vitest'
import { mappingFindings } from '../../../../src/core/doctor/mappings.ts'
import type { GroupName, List } from '../../../../src/core/mapping.ts'
import type { Plan } from '../../../../src/core/plan.ts'
import { mapping, planIn, roles, rule, type SmallWorld, seenOf } from '../smallWorld.ts'

function found(world: SmallWorld, unmanagedLists: ReadonlyMap<List, number> = new Map()) {
  const corp = ['devs', 'ops'] as readonly string[] as readonly GroupName[]
  const seen = seenOf({ directories: { corp }, projects: ['ENG', 'OPS'], ...world })
  const existing = (world.existing ?? []).map(mapping)
  const directories = new Map([['corp', corp]])
  return mappingFindings({ plan: planIn(seen), existing, directories, roles, unmanagedLists }).map(
    ({ code, severity, sentence }) => `${severity} ${code}: ${sentence.split(/[;,] (?:it|no|unless|since|so|Plane)/)[0]}`,
  )
}

test('a mapping of a group that no directory has, declared or not; one that is only declared gives nobody anything', () => {
  const dangling = 'warning mapping-of-unknown-group: 1 mapping is of a group that corp does not know: "ghosts"'
  expect(found({ rules: [rule('ghosts', 'ENG', 'member')], existing: ['ENG ghosts member'] })).toEqual([dangling])
  expect(found({ owns: ['projectRoles'], existing: ['ENG ghosts member', 'ENG devs member'] })).toEqual([dangling])
  expect(found({ rules: [rule('ghosts', 'ENG', 'member')] })).toEqual([])
})

test('a group that a directory has which no rule asks is not unknown to the doctor, who reads each directory', () => {
  const seen = seenOf({ directories: { corp: ['devs'] }, owns: ['projectRoles'], existing: ['ENG ghosts member'] })
  const facts = { plan: planIn(seen), existing: [mapping('ENG ghosts member', 0)], roles, unmanagedLists: new Map() }
  const codes = (idp: readonly string[]) =>
    mappingFindings({
      ...facts,
      directories: new Map([
        ['corp', ['devs' as GroupName]],
        ['idp', idp as readonly GroupName[]],
      ]),
    }).map(({ code }) => code)
  expect(codes(['ghosts'])).toEqual([])
  expect(codes(['web'])).toEqual(['mapping-of-unknown-group'])
})

test('a name in another form is told as such, and not as an unknown group', () => {
  expect(found({ rules: [rule('/corp/devs', 'ENG', 'member')], existing: ['ENG /corp/devs member'] })).toEqual([
    'warning names-not-in-claim: 1 group is named as paths, and corp has plain names, such as "/corp/devs" for "devs"',
  ])
})

test.each([
  ['OPS ops guest', true],
  ['OPS ops member', true],
  ['OPS ops admin', false],
  ['OPS devs guest', false],
  ['OPS ops -', false],
])('%s beside a mapping of ops to all projects as member', (line, addsNothing) => {
  expect(found({ owns: ['projectRoles'], existing: ['* ops member', line] })).toEqual(
    addsNothing ? ['info mapping-adds-nothing: 1 mapping in a project adds nothing'] : [],
  )
})

test('a list that no file declares is told if it has mappings', () => {
  const world = { rules: [rule('devs', 'ENG', 'member')], existing: ['ENG devs member'] }
  expect(found(world, new Map([['workspaceRoles', 2]]))).toEqual(['info list-unmanaged: no file declares workspaceRoles'])
  expect(found(world, new Map([['workspaceRoles', 0]]))).toEqual([])
})

test('a declared mapping that adds nothing is left to the finding of the plan', () => {
  const existing = ['* ops member', 'OPS ops guest'].map(mapping)
  const plan = planIn(
    seenOf({ directories: { corp: ['ops'] }, projects: ['OPS'], owns: ['projectRoles'], existing: ['* ops member', 'OPS ops guest'] }),
  )
  const because = { at: { file: 'g', line: 1, column: 1 } }
  const codes = (unchangedMappings: Plan['unchangedMappings'] = []) =>
    mappingFindings({ plan: { ...plan, unchangedMappings }, existing, directories: new Map(), roles, unmanagedLists: new Map() }).map(
      ({ code }) => code,
    )
  expect(codes()).toEqual(['mapping-adds-nothing'])
  expect(codes(existing.map((one) => ({ ...one, because })))).toEqual([])
})
