import { expect, test } from 'vitest'
import { indexGroups } from '../../../src/core/group.ts'
import type { GroupName, Mapping, WorkspaceName } from '../../../src/core/mapping.ts'
import type { Members } from '../../../src/core/people/members.ts'
import type { Reading } from '../../../src/core/reading.ts'
import { type CountPeople, openPeopleCounter } from '../../../src/cycle/countPeople.ts'
import { openPersonSearch } from '../../../src/cycle/findPerson.ts'
import type { ReadMembers } from '../../../src/cycle/readPeople.ts'
import { complete, failed, hash, mapping, partial, planOf, roles, rule } from '../core/smallWorld.ts'

const ann: Members = { people: ['ann@example.com'] }
const nobody: Members = { people: ['ben@example.com'] }

const groupsOf = (...names: readonly string[]) =>
  complete(indexGroups(names.map((name) => ({ name: name as GroupName, id: `id-${name}`, place: `cn=${name}`, label: `label ${name}` }))))

type World = {
  readonly members: Readonly<Record<string, Members>>
  /** The directories that the rules ask. */
  readonly asked?: Parameters<CountPeople>[2]
  /** The other directories, as they answer. */
  readonly others?: Parameters<CountPeople>[2]
  /** The list of workspace mappings, which no rule names. */
  readonly workspaceRoles?: Reading<readonly Mapping[]>
  readonly projectRoles?: Reading<readonly Mapping[]>
}
const whole = complete(['ENG devs member'].map(mapping))

/** What is found of ann. A group has a label, `label NAME`. `directories`, `lists`: what was read beside the plan. */
async function searchIn(world: World) {
  const { asked = new Map([['corp', groupsOf('devs', 'ops')]]), others = new Map(), workspaceRoles = complete([]) } = world
  const answer = complete(new Map(Object.entries(world.members).map(([name, of]) => [`id-${name}`, of])))
  const moments = new Set<number>()
  const readers = new Map(
    [...asked.keys(), ...others.keys()].map((name): readonly [string, ReadMembers] => [
      name,
      async (_, asOfMs) => {
        moments.add(asOfMs)
        return answer
      },
    ]),
  )
  const read: { directories: readonly string[]; lists: string[] } = { directories: [], lists: [] }
  const search = openPersonSearch('Ann@example.com', openPeopleCounter(readers), {
    readers,
    directories: async (names) => {
      read.directories = names
      return others
    },
    mappings: async (workspace, list) => {
      read.lists.push(`${workspace} ${list}`)
      return workspaceRoles
    },
  })
  const count = search.countPeople({ roles, hash, clock: { now: () => 0, wall: () => 0 }, asOfMs: 1_234 })
  const plan = planOf({
    rules: ['devs', 'ops'].map((name) => rule(name, 'ENG', 'member')),
    existing: ['ENG devs member'],
    directories: {},
  })
  const signal = new AbortController().signal
  await count(plan, { lists: new Map([['projectRoles', world.projectRoles ?? whole]]) }, asked, 'new', signal)
  const found = await search.find(signal)
  return { ...read, moments, found: found.get('acme' as WorkspaceName) }
}
const foundIn = async (members: World['members']) => (await searchIn({ members })).found

test('a list that no rule names is read too, and its groups count', async () => {
  const leads = mapping('workspace leads admin', 7)
  const world = { members: { leads: ann, devs: nobody, ops: nobody }, asked: new Map([['corp', groupsOf('devs', 'ops', 'leads')]]) }
  const { found, lists } = await searchIn({ ...world, workspaceRoles: complete([leads]) })
  expect(lists).toEqual(['acme workspaceRoles'])
  expect(found).toMatchObject({ groups: new Set(['leads']), existing: [leads, mapping('ENG devs member', 0)], unread: new Map() })
})

test('accounts end at the same moment as in the plan', async () => {
  const { moments } = await searchIn({ members: { devs: ann, ops: nobody } })
  expect(moments).toEqual(new Set([1_234]))
})

test('a list that was not read whole is named, with the reason', async () => {
  const members = { devs: ann, ops: nobody }
  const { found } = await searchIn({ members, workspaceRoles: failed, projectRoles: partial(['ENG devs member'].map(mapping)) })
  expect(found?.groups).toEqual(new Set(['devs']))
  expect(found?.unread).toEqual(
    new Map([
      ['workspaceRoles', 'cannot connect'],
      ['projectRoles', 'page 3'],
    ]),
  )
})

test('a directory that no rule asks is read too, so a group that no directory has is in none', async () => {
  const asked = new Map([['corp', groupsOf('devs')]])
  const inLab = await searchIn({ members: { devs: nobody, ops: ann }, asked, others: new Map([['lab', groupsOf('ops')]]) })
  expect(inLab.directories).toEqual(['lab'])
  expect(inLab.found).toMatchObject({ groups: new Set(['ops']), unknown: new Map(), findings: [] })
  const inNone = await searchIn({ members: { devs: nobody }, asked, others: new Map([['lab', groupsOf('other')]]) })
  expect(inNone.found).toMatchObject({ groups: new Set(), unknown: new Map() })
})

test('a group that an unread directory may have is not known, and a finding says why', async () => {
  const others = new Map([['lab', failed]])
  const { found } = await searchIn({ members: { devs: ann }, asked: new Map([['corp', groupsOf('devs')]]), others })
  expect(found?.unknown).toEqual(new Map([['ops', 'corp does not know the group "ops"; lab was not read whole, and may have it']]))
  expect(found?.findings).toMatchObject([{ code: 'reading-incomplete', place: 'lab', sentence: 'lab was not read whole: cannot connect' }])
})

test('a group that has the person is found, with its label', async () => {
  const found = await foundIn({ devs: { people: ['ann@example.com'] }, ops: { people: ['ben@example.com'] } })
  expect(found?.groups).toEqual(new Set(['devs']))
  expect(found?.unknown).toEqual(new Map())
  expect(found?.labels).toEqual(new Map([['devs', 'label devs']]))
})

test('a group whose directory does not show all members may have the person', async () => {
  const doubtful = { members: ['x'], why: 'another directory has some of its members' }
  const found = await foundIn({ devs: { people: ['ann@example.com'], doubtful }, ops: { people: [], doubtful } })
  expect(found?.groups).toEqual(new Set(['devs']))
  expect(found?.unknown).toEqual(new Map([['ops', 'corp does not show all members of "label ops" (ops), see the finding people-at-least']]))
  expect(found?.findings).toMatchObject([{ code: 'people-at-least' }])
})

test('a person in no group has a hint if the texts of all people have another form', async () => {
  expect((await foundIn({ devs: { people: ['ann'] }, ops: { people: ['ben'] } }))?.hint).toBe('no person is known by a text with "@"')
  expect((await foundIn({ devs: { people: ['ann@example.com'] }, ops: { people: ['ben@example.com'] } }))?.hint).toBeUndefined()
})
