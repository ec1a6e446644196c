import { expect, test } from 'vitest'
import { indexGroups } from '../../../src/core/group.ts'
import type { GroupName } from '../../../src/core/mapping.ts'
import type { Members } from '../../../src/core/people/members.ts'
import type { Reading } from '../../../src/core/reading.ts'
import { openPeopleCounter } from '../../../src/cycle/countPeople.ts'
import type { ReadMembers } from '../../../src/cycle/readPeople.ts'
import { complete, failed, hash, mapping, partial, planOf, roles, rule, type SmallWorld } from '../core/smallWorld.ts'

const signal = new AbortController().signal
const groupsOf = (...names: readonly string[]) =>
  complete(indexGroups(names.map((name) => ({ name: name as GroupName, id: `id-${name}`, place: `cn=${name}` }))))
const membersOf = (people: string): Members => ({ people: people.split('') })

/** A directory that knows these people, as one letter each. `asked`: the groups of each request. */
function readerOf(people: Readonly<Record<string, string>>) {
  const asked: string[][] = []
  const read: ReadMembers = async (groups) => {
    asked.push(groups.map(({ name }) => name))
    return complete(new Map(groups.flatMap(({ id, name }) => (people[name] === undefined ? [] : [[id, membersOf(people[name])]]))))
  }
  return { read, asked }
}

const world: SmallWorld = {
  rules: [rule('devs', 'ENG', 'member'), rule('ops', 'OPS', 'member')],
  existing: ['ENG staff guest', 'OPS ops member'],
  directories: {},
}
const plan = planOf(world)
const existing = (world.existing ?? []).map(mapping)

const numbers = (effects: ReadonlyMap<unknown, unknown>) => [...effects.values()]

test('only the groups on targets of changes are asked for, each in the directory that has it', async () => {
  const [corp, lab] = [readerOf({ devs: 'abc' }), readerOf({ staff: 'c' })]
  const count = openPeopleCounter(new Map([['corp', corp.read] as const, ['lab', lab.read] as const]))({ roles, hash })
  const directories = new Map([['corp', groupsOf('devs', 'ops')] as const, ['lab', groupsOf('staff')] as const])
  const { effects, findings } = await count(plan, existing, directories, signal)
  expect(numbers(effects)).toMatchObject([{ newly: 2, raised: 1 }])
  expect(findings).toEqual([])
  expect([corp.asked, lab.asked]).toEqual([[['devs']], [['staff']]])
})

test('a count is kept while the changes and the groups stay the same', async () => {
  const corp = readerOf({ devs: 'abc', staff: 'c' })
  const count = openPeopleCounter(new Map([['corp', corp.read]]))({ roles, hash })
  const before = new Map([['corp', groupsOf('devs', 'staff', 'ops')]])
  const first = await count(plan, existing, before, signal)
  expect(await count(plan, existing, new Map([['corp', groupsOf('devs', 'staff', 'ops', 'new')]]), signal)).toEqual(first)
  expect(corp.asked).toHaveLength(1)
  const made = complete(indexGroups([{ name: 'devs' as GroupName, id: 'another', place: 'cn=devs' }]))
  await count(plan, existing, new Map([['corp', made]]), signal)
  expect(corp.asked).toHaveLength(2)
})

test('nothing is asked for a plan without changes, or without a directory that can be asked', async () => {
  const corp = readerOf({})
  const directories = new Map([['corp', groupsOf('devs')]])
  const none = planOf({ ...world, rules: [rule('ops', 'OPS', 'member')], existing: ['OPS ops member'] })
  expect((await openPeopleCounter(new Map([['corp', corp.read]]))({ roles, hash })(none, [], directories, signal)).effects.size).toBe(0)
  expect((await openPeopleCounter(new Map([['corp', undefined]]))({ roles, hash })(plan, existing, directories, signal)).effects.size).toBe(
    0,
  )
  expect(corp.asked).toEqual([])
})

test.each<[string, Reading<ReturnType<typeof groupsOf> extends Reading<infer T> ? T : never>, object]>([
  ['no directory has it', groupsOf('devs'), { kind: 'counted', newly: 2, raised: 0 }],
  ['the directory was read in part', partial(indexGroups([{ name: 'devs' as GroupName, id: 'id-devs', place: 'x' }])), { kind: 'unknown' }],
])('another group on the target: %s', async (_name, reading, expected) => {
  const count = openPeopleCounter(new Map([['corp', readerOf({ devs: 'ab' }).read]]))({ roles, hash })
  expect(numbers((await count(plan, existing, new Map([['corp', reading]]), signal)).effects)).toMatchObject([expected])
})

test('members that could not be read make the number unknown, with a finding, and are asked for again', async () => {
  let asked = 0
  const read: ReadMembers = async () => {
    asked++
    return failed
  }
  const count = openPeopleCounter(new Map([['corp', read]]))({ roles, hash })
  const directories = new Map([['corp', groupsOf('devs', 'staff')]])
  const { effects, findings } = await count(plan, existing, directories, signal)
  expect(numbers(effects)).toMatchObject([{ kind: 'unknown' }])
  expect(findings).toMatchObject([{ code: 'people-unread', place: 'corp', sentence: expect.stringContaining('cannot connect') as string }])
  await count(plan, existing, directories, signal)
  expect(asked).toBe(2)
})
