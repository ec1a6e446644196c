import { describe, expect, test } from 'vitest'
import { type Bounds, exactly, sumOf } from '../../../src/core/bounds.ts'
import type { Existing } from '../../../src/core/existing.ts'
import { type GroupIndex, indexGroups } from '../../../src/core/group.ts'
import type { GroupName, Mapping } from '../../../src/core/mapping.ts'
import { type Members, personKey, personTexts } from '../../../src/core/people/members.ts'
import { rosterOf } from '../../../src/core/people/roster.ts'
import type { PeopleEffect, PeopleOfChange } from '../../../src/core/peopleEffect.ts'
import type { Reading } from '../../../src/core/reading.ts'
import { openPeopleCounter } from '../../../src/cycle/countPeople.ts'
import { locate, type ReadMembers, readPeople } from '../../../src/cycle/readPeople.ts'
import { atLeast, between, counted } from '../bounds.ts'
import { complete, failed, hash, mapping, partial, planOf, roles, rule, type SmallWorld } from '../core/smallWorld.ts'

const signal = new AbortController().signal
const clock = { now: () => 0, wall: () => 0 }
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
const listOf = (mappings: readonly Mapping[]): Existing => ({ lists: new Map([['projectRoles', complete(mappings)]]) })
const existing = listOf((world.existing ?? []).map(mapping))

const effectsOf = (people: ReadonlyMap<unknown, PeopleOfChange>) => [...people.values()].map(({ effect }) => effect)

test('only the groups on targets of changes are asked for, each in the directory that has it', async () => {
  const [corp, lab] = [readerOf({ devs: 'abc' }), readerOf({ staff: 'c' })]
  const count = openPeopleCounter(new Map([['corp', corp.read] as const, ['lab', lab.read] as const]))({ roles, hash, clock, asOfMs: 0 })
  const directories = new Map([['corp', groupsOf('devs', 'ops')] as const, ['lab', groupsOf('staff')] as const])
  const { people, findings } = await count(plan, existing, directories, 'kept', signal)
  expect(effectsOf(people)).toEqual([counted({ newly: 2, raised: 1 })])
  expect(findings).toEqual([])
  expect([corp.asked, lab.asked]).toEqual([[['devs']], [['staff']]])
})

test('a count is kept while the changes and the groups stay the same', async () => {
  const corp = readerOf({ devs: 'abc', staff: 'c' })
  const count = openPeopleCounter(new Map([['corp', corp.read]]))({ roles, hash, clock, asOfMs: 0 })
  const before = new Map([['corp', groupsOf('devs', 'staff', 'ops')]])
  const first = await count(plan, existing, before, 'kept', signal)
  expect(await count(plan, existing, new Map([['corp', groupsOf('devs', 'staff', 'ops', 'new')]]), 'kept', signal)).toEqual({
    ...first,
    isKept: true,
  })
  expect(corp.asked).toHaveLength(1)
  const made = complete(indexGroups([{ name: 'devs' as GroupName, id: 'another', place: 'cn=devs' }]))
  await count(plan, existing, new Map([['corp', made]]), 'kept', signal)
  expect(corp.asked).toHaveLength(2)
})

test('a count is made anew if another mapping on a target of the changes has another role', async () => {
  const corp = readerOf({ devs: 'abc', staff: 'c' })
  const count = openPeopleCounter(new Map([['corp', corp.read]]))({ roles, hash, clock, asOfMs: 0 })
  const directories = new Map([['corp', groupsOf('devs', 'staff', 'ops')]])
  await count(plan, existing, directories, 'kept', signal)
  const lower = ['ENG staff admin', 'OPS ops member'].map(mapping)
  expect((await count(plan, listOf(lower), directories, 'kept', signal)).isKept).toBe(false)
  expect((await count(plan, listOf([...lower, mapping('WEB staff guest', 7)]), directories, 'kept', signal)).isKept).toBe(true)
})

test('a kept count is named by a text that grows with the mappings, not with mappings times projects', async () => {
  const many = Array.from({ length: 100 }, (_, n) => [`P${n} team guest`, `* all${n} guest`]).flat()
  const large = planOf({ rules: [rule('devs', '*', 'member')], existing: many, directories: {} })
  const texts: string[] = []
  const kept = (text: string) => hash(texts.push(text).toString())
  const count = openPeopleCounter(new Map([['corp', readerOf({}).read]]))({ roles, hash: kept, clock, asOfMs: 0 })
  await count(large, listOf(many.map(mapping)), new Map([['corp', groupsOf()]]), 'kept', signal)
  expect(texts).toHaveLength(1)
  expect(texts[0]?.length).toBeLessThan(200 * many.length)
})

test('nothing is asked for a plan without changes, or without a directory that can be asked', async () => {
  const corp = readerOf({})
  const directories = new Map([['corp', groupsOf('devs')]])
  const none = planOf({ ...world, rules: [rule('ops', 'OPS', 'member')], existing: ['OPS ops member'] })
  expect(
    (
      await openPeopleCounter(new Map([['corp', corp.read]]))({ roles, hash, clock, asOfMs: 0 })(
        none,
        listOf([]),
        directories,
        'kept',
        signal,
      )
    ).people.size,
  ).toBe(0)
  expect(
    (
      await openPeopleCounter(new Map([['corp', undefined]]))({ roles, hash, clock, asOfMs: 0 })(
        plan,
        existing,
        directories,
        'kept',
        signal,
      )
    ).people.size,
  ).toBe(0)
  expect(corp.asked).toEqual([])
})

test.each<[string, Reading<GroupIndex>, PeopleEffect]>([
  ['no directory has it', groupsOf('devs'), counted({ newly: 2 })],
  [
    'the directory was read in part',
    partial(indexGroups([{ name: 'devs' as GroupName, id: 'id-devs', place: 'x' }])),
    counted({ newly: between(0, 2), raised: between(0, 2), raise: 2, why: 'corp was not read whole, and may have "staff"' }),
  ],
])('another group on the target: %s', async (_name, reading, expected) => {
  const count = openPeopleCounter(new Map([['corp', readerOf({ devs: 'ab' }).read]]))({ roles, hash, clock, asOfMs: 0 })
  expect(effectsOf((await count(plan, existing, new Map([['corp', reading]]), 'kept', signal)).people)).toEqual([expected])
})

test('members that could not be read make the number unknown, with a finding, and are asked for again', async () => {
  let asked = 0
  const read: ReadMembers = async () => {
    asked++
    return failed
  }
  const count = openPeopleCounter(new Map([['corp', read]]))({ roles, hash, clock, asOfMs: 0 })
  const directories = new Map([['corp', groupsOf('devs', 'staff')]])
  const { people, findings } = await count(plan, existing, directories, 'kept', signal)
  const why = 'corp did not say who is in "devs", see the finding people-unread'
  expect([...people.values()]).toEqual([{ effect: counted({ newly: atLeast(0), raised: atLeast(0), raise: atLeast(0), why }) }])
  expect(findings).toMatchObject([{ code: 'people-unread', place: 'corp', sentence: expect.stringContaining('cannot connect') as string }])
  await count(plan, existing, directories, 'kept', signal)
  expect(asked).toBe(2)
})

test('groups inside a group are named, and the count is kept', async () => {
  const asked: number[] = []
  const read: ReadMembers = async (groups) => {
    asked.push(groups.length)
    return complete(new Map(groups.map(({ id }) => [id, { people: ['a'], notCounted: { disabled: 0, groups: 2 } }])))
  }
  const count = openPeopleCounter(new Map([['corp', read]]))({ roles, hash, clock, asOfMs: 0 })
  const directories = new Map([['corp', groupsOf('devs', 'staff', 'ops')] as const])
  const { findings } = await count(plan, existing, directories, 'kept', signal)
  expect(findings).toMatchObject([
    {
      code: 'people-inside',
      place: 'corp',
      sentence: 'there are groups inside "devs" and "staff", and the members of those are not counted',
    },
  ])
  await count(plan, existing, directories, 'kept', signal)
  expect(asked).toEqual([2])
})

test('groups that may have more people stand in the finding by their reason, ten reasons at most', async () => {
  const names = Array.from({ length: 14 }, (_, n) => `g${n}`)
  const read: ReadMembers = async (groups) =>
    complete(new Map(groups.map(({ id, name }) => [id, { people: ['a'], more: `reason ${Math.max(0, Number(name.slice(1)) - 2)}` }])))
  const count = openPeopleCounter(new Map([['corp', read]]))({ roles, hash, clock, asOfMs: 0 })
  const all = planOf({ rules: names.map((name) => rule(name, 'ENG', 'guest')), directories: {} })
  const { people, findings } = await count(all, listOf([]), new Map([['corp', groupsOf(...names)] as const]), 'kept', signal)
  expect(effectsOf(people).map((effect) => effect.kind === 'counted' && effect.newly)).toEqual(names.map(() => atLeast(1)))
  expect([...people.values()].map(({ size }) => size)).toEqual(
    effectsOf(people).map((effect) => ({ of: 'people', least: 1, why: 'why' in effect && effect.why })),
  )
  expect(findings.map(({ code }) => code)).toEqual(['people-at-least'])
  expect(findings[0]?.sentence).toContain('may have more people than a plan counts ("g0", "g1" and "g2": reason 0; "g10": reason 8;')
  expect(findings[0]?.sentence.match(/: reason \d+/g)).toHaveLength(10)
  expect(findings[0]?.sentence).toMatch(/; …\)$/)
})

const why = 'another directory has some of its members'
test.each<[string, Partial<Members>, Bounds]>([
  ['whom its directory does not know', { doubtful: { members: ['x'], why } }, between(0, 1)],
  ['that are not read', { more: why }, atLeast(0)],
])('a group with members %s has at least the others', async (_name, part, others) => {
  const read: ReadMembers = async (groups) =>
    complete(
      new Map(
        groups.map(({ id, name }) => [id, { people: ['a'], ...(name === 'staff' ? { notCounted: { disabled: 3, groups: 0 } } : part) }]),
      ),
    )
  const count = openPeopleCounter(new Map([['corp', read]]))({ roles, hash, clock, asOfMs: 0 })
  const directories = new Map([['corp', groupsOf('devs', 'staff', 'guests', 'ops')] as const])
  const both = planOf({ ...world, rules: [...(world.rules ?? []), rule('staff', 'OPS', 'guest')] })
  const { people, findings } = await count(both, existing, directories, 'kept', signal)
  expect(Object.fromEntries(both.changes.map((change) => ['group' in change ? change.group : '', people.get(change.id)]))).toEqual({
    devs: {
      effect: counted({ newly: others, raised: 1, why }),
      size: { of: 'people', ...sumOf([exactly(1), others]), why },
    },
    staff: { effect: counted({}), size: { of: 'people', ...exactly(1) } },
  })
  expect(findings).toMatchObject([
    {
      code: 'people-at-least',
      place: 'corp',
      sentence: expect.stringContaining('("devs" and "ops": another directory has some of its members') as string,
    },
  ])
  // A rename moves the people of both groups.
  const renamed = planOf({
    directories: {},
    rules: [rule('staff', 'ENG', 'member', { previously: 'devs' as GroupName })],
    existing: ['ENG devs member'],
  })
  const moved = await count(renamed, listOf(['ENG devs member'].map(mapping)), directories, 'kept', signal)
  expect(renamed.changes.map(({ action }) => action)).toEqual(['rename'])
  expect(effectsOf(moved.people)).toEqual([counted({ lost: others, why })])
})

test('how many people a group has that no directory shows is not known, and the others are counted', async () => {
  const corp = readerOf({ devs: 'abc', staff: 'c' })
  const count = openPeopleCounter(new Map([['corp', corp.read]]))({ roles, hash, clock, asOfMs: 0 })
  const sent = planOf({ ...world, rules: [...(world.rules ?? []), rule('ghosts', 'ENG', 'member', { unknownGroups: 'send' })] })
  const { people } = await count(sent, existing, new Map([['corp', groupsOf('devs', 'staff', 'ops')]]), 'kept', signal)
  expect(sent.changes.map((change) => ('group' in change ? change.group : ''))).toEqual(['devs', 'ghosts'])
  expect(effectsOf(people)).toEqual([
    counted({ newly: 2, raised: 1 }),
    counted({ newly: atLeast(0), raised: between(0, 1), raise: atLeast(0), why: 'corp does not know the group "ghosts"' }),
  ])
})

test('people who are known by an id of two directories are two people', async () => {
  const read: ReadMembers = async (groups) =>
    complete(new Map(groups.map(({ id }) => [id, { people: [...personTexts([{ id: '7', key: personKey(undefined) }]).values()] }])))
  const both = planOf({ ...world, rules: [rule('devs', 'ENG', 'member'), rule('ops', 'ENG', 'member')], existing: [] })
  const count = openPeopleCounter(new Map([['corp', read] as const, ['lab', read] as const]))({ roles, hash, clock, asOfMs: 0 })
  const { people } = await count(
    both,
    listOf([]),
    new Map([['corp', groupsOf('devs')] as const, ['lab', groupsOf('ops')] as const]),
    'kept',
    signal,
  )
  expect(effectsOf(people)).toEqual([counted({ newly: 1 }), counted({ newly: 1 })])
  const roster = rosterOf(
    (
      await readPeople(
        locate(
          new Set(['devs', 'ops'] as GroupName[]),
          ['corp', 'lab'],
          new Map([['corp', groupsOf('devs')] as const, ['lab', groupsOf('ops')] as const]),
        ),
        new Map([['corp', read] as const, ['lab', read] as const]),
        0,
        signal,
      )
    ).members,
  )
  expect(roster.size).toBe(2)
})

test('a directory that no rule asks was not asked; one that was asked may not be whole', () => {
  const why = (directories: Parameters<typeof locate>[2]) =>
    locate(new Set(['x' as GroupName]), ['corp', 'lab'], directories).get('x' as GroupName)
  const unknown = (why: string) => ({ kind: 'unknown', why: `${why}, and may have "x"` })
  expect(why(new Map([['corp', groupsOf('devs')]]))).toEqual({
    kind: 'unknown',
    why: 'corp does not know the group "x"; lab was not asked, and may have it',
  })
  expect(why(new Map())).toEqual(unknown('corp and lab were not asked'))
  expect(why(new Map([['corp', failed]]))).toEqual(unknown('corp was not read whole and lab was not asked'))
})

describe('a group in a sentence', () => {
  const id = 'f00d' as GroupName
  const ids = complete(indexGroups([{ name: id, id: 'id-f00d', place: '/f00d', label: 'Sales' }]))
  const sales = planOf({ rules: [rule('f00d', 'ENG', 'member')], directories: {} })
  const counting = (read: ReadMembers | undefined, reading: Reading<GroupIndex> = ids) => {
    const readers = new Map([['corp', read] as const, ['lab', readerOf({}).read] as const])
    const count = openPeopleCounter(readers)({ roles, hash, clock, asOfMs: 0 })
    return count(sales, listOf([]), new Map([['corp', reading] as const, ['lab', groupsOf('other')] as const]), 'kept', signal)
  }
  const whyOf = async (...given: Parameters<typeof counting>) => effectsOf((await counting(...given)).people)[0]
  const unknown = (why: string) => counted({ newly: atLeast(0), why })

  test('has its label, and says why its people are not known', async () => {
    expect(await whyOf(async () => failed)).toEqual(unknown('corp did not say who is in "Sales" (f00d), see the finding people-unread'))
    expect(await whyOf(async () => complete(new Map()))).toEqual(
      unknown('corp has no list of the members of "Sales" (f00d) (in a file of groups: "members")'),
    )
    expect(await whyOf(undefined)).toEqual(unknown('the settings of corp have no "people", so nothing says who is in "Sales" (f00d)'))
    expect(await whyOf(readerOf({}).read, partial(indexGroups([])))).toEqual(
      unknown('lab does not know the group "f00d"; corp was not read whole, and may have it'),
    )
    expect(await whyOf(readerOf({}).read, groupsOf('f00d', 'f00d'))).toEqual(unknown('several groups are called "f00d"'))
    const [first] = ids.status === 'complete' ? (ids.value.get(id) ?? []) : []
    const several = complete(indexGroups(first === undefined ? [] : [{ ...first, names: ['f00d', 'b'] }]))
    expect(await whyOf(readerOf({}).read, several)).toEqual(unknown('the group "f00d" has several names'))
  })

  test('has its label in findings', async () => {
    const doubtful = { members: ['x'], why }
    const notCounted = { disabled: 0, groups: 2 }
    const { findings } = await counting(async () => complete(new Map([['id-f00d', { people: [], doubtful, notCounted }]])))
    expect(findings.map(({ sentence }) => sentence)).toEqual([
      expect.stringContaining('groups inside "Sales" (f00d),'),
      expect.stringContaining('("Sales" (f00d): another directory has some of its members'),
    ])
  })

  test('stands in the finding about members that were not read, which always has a cure', async () => {
    const { findings } = await counting(async () => ({ ...partial(new Map()), missing: 'the group hides its members' }))
    expect(findings).toMatchObject([
      {
        code: 'people-unread',
        sentence: expect.stringMatching(
          /no number of people, and others may show only bounds: the group hides its members \("Sales" \(f00d\)\)$/,
        ) as string,
        cure: expect.stringContaining('docs/directories.md') as string,
      },
    ])
  })
})
