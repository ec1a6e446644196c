import { expect, test } from 'vitest'
import { indexGroups } from '../../../src/core/group.ts'
import type { GroupName, WorkspaceName } from '../../../src/core/mapping.ts'
import type { Members } from '../../../src/core/people/members.ts'
import { openPeopleCounter } from '../../../src/cycle/countPeople.ts'
import { openPersonSearch } from '../../../src/cycle/findPerson.ts'
import { complete, hash, mapping, planOf, roles, rule } from '../core/smallWorld.ts'

const none = { disabled: 0, foreign: 0, dangling: 0, groups: 0 }

/** What is found of ann. A group has a label, `label NAME`. */
async function foundIn(members: Readonly<Record<string, Members>>) {
  const names = ['devs', 'ops'] as GroupName[]
  const groups = names.map((name) => ({ name, id: `id-${name}`, place: `cn=${name}`, label: `label ${name}` }))
  const answer = complete(new Map(Object.entries(members).map(([name, of]) => [`id-${name}`, of])))
  const readers = new Map([['corp', async () => answer]])
  const search = openPersonSearch('Ann@example.com', openPeopleCounter(readers), readers)
  const count = search.countPeople({ roles, hash, clock: { now: () => 0, wall: () => 0 } })
  const plan = planOf({ rules: names.map((name) => rule(name, 'ENG', 'member')), existing: ['ENG devs member'], directories: {} })
  const signal = new AbortController().signal
  await count(plan, ['ENG devs member'].map(mapping), new Map([['corp', complete(indexGroups(groups))]]), 'new', signal)
  return search.found.get('acme' as WorkspaceName)
}

test('a group that has the person is found, with its label', async () => {
  const found = await foundIn({ devs: { people: ['ann@example.com'] }, ops: { people: ['ben@example.com'] } })
  expect(found?.groups).toEqual(new Set(['devs']))
  expect(found?.unknown).toEqual(new Map())
  expect(found?.labels).toEqual(new Map([['devs', 'label devs']]))
})

test('a group whose directory does not show all members may have the person', async () => {
  const hidden = { ...none, dangling: 1 }
  const found = await foundIn({ devs: { people: ['ann@example.com'], notCounted: hidden }, ops: { people: [], notCounted: hidden } })
  expect(found?.groups).toEqual(new Set(['devs']))
  expect(found?.unknown).toEqual(new Map([['ops', 'corp does not show all members of "label ops" (ops), see the finding people-at-least']]))
  expect(found?.findings).toMatchObject([{ code: 'people-at-least' }])
})

test('a person in no group has a hint if the texts of all people have another form', async () => {
  expect((await foundIn({ devs: { people: ['ann'] }, ops: { people: ['ben'] } }))?.hint).toBe('no person is known by a text with "@"')
  expect((await foundIn({ devs: { people: ['ann@example.com'] }, ops: { people: ['ben@example.com'] } }))?.hint).toBeUndefined()
})
