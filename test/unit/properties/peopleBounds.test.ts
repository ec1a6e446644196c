import { expect, test } from 'vitest'
import { type Bounds, exactly } from '../../../src/core/bounds.ts'
import type { ChangeId, MappingChange } from '../../../src/core/change.ts'
import {
  type GroupName,
  keyOf,
  type Mapping,
  type MappingId,
  type Role,
  type Target,
  type WorkspaceName,
} from '../../../src/core/mapping.ts'
import { peopleEffects } from '../../../src/core/people/peopleEffects.ts'
import { type NamedMembers, rosterOf } from '../../../src/core/people/roster.ts'
import { changedTargets } from '../../../src/core/people/rows.ts'
import type { CountedEffect } from '../../../src/core/peopleEffect.ts'
import type { RoleSettings } from '../../../src/core/roles.ts'
import { isLong } from '../../long.ts'

/* The numbers of people of a plan are bounds where members are not known. Each true number must be within its bounds, and no bounds may be wider than they must be. */

const acme = 'acme' as WorkspaceName
const order = ['guest', 'member', 'admin']
const roles: RoleSettings = { order, ordinary: ['guest', 'member'], aliases: {} }
const targets: readonly Target[] = [
  { kind: 'workspace' },
  { kind: 'allProjects' },
  ...['ENG', 'OPS'].map((project) => ({ kind: 'project', project }) as Target),
]
const nameOf = (target: Target): string => (target.kind === 'project' ? target.project : target.kind)

/** A group as its directory shows it. Persons are numbers. `isOpen`: anyone else may be in it. */
type Gappy = { readonly people: readonly number[]; readonly doubtful: readonly number[]; readonly isOpen: boolean }
type World = {
  readonly groups: ReadonlyMap<GroupName, Gappy>
  readonly existing: readonly Mapping[]
  readonly changes: readonly MappingChange[]
  readonly persons: number
}

type Chance = { below(n: number): number; is(share: number): boolean; of<T>(items: readonly T[]): T }

/** Mulberry32. */
function chanceOf(seed: number): Chance {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (n: number) => Math.floor(next() * n)
  return { below, is: (share) => next() < share, of: (items) => items[below(items.length)] as never }
}

function worldOf(chance: Chance, groupsMax: number, personsMax: number, openShare: number): World {
  const persons = 1 + chance.below(personsMax)
  const some = (share: number) => Array.from({ length: persons }, (_, person) => person).filter(() => chance.is(share))
  const names = Array.from({ length: 1 + chance.below(groupsMax) }, (_, index) => `g${index + 1}` as GroupName)
  const groups = new Map(
    names.map((name) => {
      const people = some(0.4)
      const doubtful = chance.is(0.4) ? some(0.25).filter((person) => !people.includes(person)) : []
      return [name, { people, doubtful, isOpen: chance.is(openShare) }]
    }),
  )
  const existing: Mapping[] = []
  const changes: MappingChange[] = []
  const shown = chance.is(0.5) ? [chance.of(targets)] : targets
  for (const target of shown)
    for (const group of names) {
      const before = chance.is(0.4) ? (chance.of([...order, null]) as Role | null) : undefined
      const id = `${nameOf(target)}-${group}`
      const about = { key: keyOf(acme, target, group), group, target, requires: [] as ChangeId[], id: id as ChangeId }
      if (before === undefined) {
        if (chance.is(0.4)) changes.push({ ...about, action: 'create', role: chance.of(order) as Role })
        continue
      }
      const mapping = id as MappingId
      existing.push({ id: mapping, key: about.key, group, target, role: before })
      const role = chance.of(order) as Role
      const into = chance.of(names)
      if (chance.is(0.3) && role !== before) changes.push({ ...about, action: 'patch', mapping, before, role })
      else if (chance.is(0.4))
        changes.push({ ...about, action: 'delete', mapping, before, why: chance.of(['removed', 'undeclared', 'undeclared']) })
      else if (chance.is(0.15) && into !== group)
        changes.push({
          ...about,
          action: 'rename',
          key: keyOf(acme, target, into),
          group: into,
          from: about.key,
          fromGroup: group,
          mapping,
          before,
          role,
        })
    }
  // A delete may have to wait for what replaces it.
  const grants = changes.filter((change) => 'role' in change)
  const required = changes.map((change) =>
    change.action === 'delete' && grants.length > 0 && chance.is(0.3) ? { ...change, requires: [chance.of(grants).id] } : change,
  )
  return { groups, existing, changes: required, persons }
}

/** Who is in which group, if all is known. */
type Membership = ReadonlyMap<GroupName, ReadonlySet<number>>

const kinds = ['newly', 'raised', 'lowered', 'lost', 'raise', 'gainProtected', 'lose'] as const
type Kind = (typeof kinds)[number]

/** What happens to each person by a change, counted in the simplest way. */
function happensTo({ existing, changes }: World, members: Membership, change: MappingChange): ReadonlyMap<number, ReadonlySet<Kind>> {
  const isIn = (group: GroupName, person: number) => members.get(group)?.has(person) === true
  const rank = (role: Role | null) => (role === null ? -1 : order.indexOf(role))
  const counts = (target: Target, on: Target) => nameOf(target) === nameOf(on) || (on.kind === 'project' && target.kind === 'allProjects')
  const highest = (ranks: readonly number[]) => ranks.reduce((high, one) => Math.max(high, one), -1)
  const changeOf = (mapping: MappingId) => changes.find((one) => 'mapping' in one && one.mapping === mapping)
  const before = (on: Target, person: number) =>
    highest(existing.flatMap(({ target, group, role }) => (counts(target, on) && isIn(group, person) ? [rank(role)] : [])))
  const given = (change: MappingChange | undefined, on: Target, person: number) =>
    change !== undefined && 'role' in change && counts(change.target, on) && isIn(change.group, person) ? [rank(change.role)] : []
  const after = (on: Target, person: number) =>
    highest([
      ...existing.flatMap((row) => {
        const change = changeOf(row.id)
        if (change !== undefined) return given(change, on, person)
        return counts(row.target, on) && isIn(row.group, person) ? [rank(row.role)] : []
      }),
      ...changes.filter(({ action }) => action === 'create').flatMap((create) => given(create, on, person)),
    ])
  const least = (on: Target, person: number) =>
    highest([
      ...existing.flatMap((row) => {
        if (!counts(row.target, on) || !isIn(row.group, person)) return []
        const change = changeOf(row.id)
        if (change === undefined) return [rank(row.role)]
        if (change.action === 'delete') return []
        if (!('role' in change) || !isIn(change.group, person)) return []
        return [row.role !== null && rank(change.role) < rank(row.role) ? rank(change.role) : rank(row.role)]
      }),
      ...change.requires.flatMap((id) =>
        given(
          changes.find((one) => one.id === id),
          on,
          person,
        ),
      ),
    ])
  const isProtected = (one: number) => one === order.indexOf('admin')
  const everywhere = change.target.kind !== 'allProjects' ? [change.target] : targets.filter(({ kind }) => kind !== 'workspace')
  const persons = new Set([
    ...(members.get(change.group) ?? []),
    ...(change.action === 'rename' ? (members.get(change.fromGroup) ?? []) : []),
  ])
  return new Map(
    [...persons].map((person) => {
      const happens = new Set<Kind>()
      for (const on of everywhere) {
        const [had, has] = [before(on, person), after(on, person)]
        if (had < 0 && has >= 0) happens.add('newly').add('raise')
        if (had >= 0 && has > had) happens.add('raised').add('raise')
        if (has >= 0 && has < had) happens.add('lowered')
        if (had >= 0 && has < 0) happens.add('lost')
        const gives = change.action !== 'delete' && change.role === 'admin' ? rank(change.role) : -1
        if (gives > had && has > had && !isProtected(had)) happens.add('gainProtected')
        if (change.action === 'delete' && change.why === 'undeclared' && least(on, person) < had) happens.add('lose')
      }
      return [person, happens]
    }),
  )
}

/** The world without gaps, in one of the ways that are possible: the bits say which doubtful persons are people, and who is in the open groups. */
function membershipOf(
  { groups, persons }: World,
  isPerson: (person: number) => boolean,
  isInGap: (group: GroupName, person: number) => boolean,
  fresh: number,
): Membership {
  const everyone = Array.from({ length: persons + fresh }, (_, person) => person)
  return new Map(
    [...groups].map(([name, { people, doubtful, isOpen }]) => [
      name,
      new Set([...people, ...doubtful.filter(isPerson), ...(isOpen ? everyone.filter((person) => isInGap(name, person)) : [])]),
    ]),
  )
}

function effectsIn({ groups, existing, changes }: World) {
  const named = new Map(
    [...groups].map(([name, { people, doubtful, isOpen }]): [GroupName, NamedMembers] => [
      name,
      {
        people: people.map(String),
        ...(doubtful.length === 0 ? {} : { doubtful: { members: doubtful.map(String), why: 'doubtful' } }),
        ...(isOpen ? { more: 'open' } : {}),
      },
    ]),
  )
  const counting = peopleEffects(changes, changedTargets(changes, existing, roles), rosterOf(named), roles)
  let step = counting.next()
  while (step.done !== true) step = counting.next()
  return step.value
}

/** All ways in which the gaps of a small world can be filled. @param fresh so many people whom no group shows */
function* completions(world: World, fresh: number): Generator<Membership> {
  const doubted = [...new Set([...world.groups.values()].flatMap(({ doubtful }) => doubtful))]
  const slots = [...world.groups].flatMap(([name, { people, isOpen }]) =>
    isOpen
      ? Array.from({ length: world.persons + fresh }, (_, person) => person).flatMap((person) =>
          people.includes(person) ? [] : [`${name} ${person}`],
        )
      : [],
  )
  const bits = [...doubted.map(String), ...slots]
  for (let mask = 0; mask < 2 ** bits.length; mask++) {
    const set = new Set(bits.filter((_, at) => (mask & (1 << at)) !== 0))
    yield membershipOf(
      world,
      (person) => set.has(`${person}`),
      (group, person) => set.has(`${group} ${person}`),
      fresh,
    )
  }
}

const bitsOf = ({ groups, persons }: World, fresh: number): number =>
  new Set([...groups.values()].flatMap(({ doubtful }) => doubtful)).size +
  [...groups.values()].reduce((sum, { people, isOpen }) => sum + (isOpen ? persons + fresh - people.length : 0), 0)

type Range = { least: number; most: number }

/** The smallest and largest numbers over all completions, for each change and kind. */
function rangesIn(world: World, fresh: number): ReadonlyMap<string, Range> {
  const ranges = new Map<string, Range>()
  for (const membership of completions(world, fresh))
    for (const change of world.changes) {
      const happens = [...happensTo(world, membership, change).values()]
      for (const kind of kinds) {
        const n = happens.filter((set) => set.has(kind)).length
        const name = `${change.id} ${kind}`
        const range = ranges.get(name)
        ranges.set(name, range === undefined ? { least: n, most: n } : { least: Math.min(range.least, n), most: Math.max(range.most, n) })
      }
    }
  return ranges
}

const completionsMax = 10
const worlds = isLong ? 100_000 : 2_000
const small = Math.floor(worlds / 10)

/**
 * The least number over several targets can be larger than what is counted: a person may be concerned on one of them in each case, and on none of them for
 * sure. So may that of a worst case in which a rename moves people between groups with gaps.
 */
const mayBeWider = (world: World, change: MappingChange, kind: Kind): boolean =>
  change.target.kind === 'allProjects' || (kind === 'lose' && world.changes.some(({ action }) => action === 'rename'))

test(`the bounds of ${small} small worlds are the smallest and largest number of all completions`, { timeout: 600_000 }, () => {
  let compared = 0
  let inexact = 0
  for (let seed = 0, tried = 0; tried < small; seed++) {
    const world = worldOf(chanceOf(seed), 4, 6, 0.3)
    if (world.changes.length === 0 || bitsOf(world, 1) > completionsMax) continue
    tried++
    const { effects } = effectsIn(world)
    const [known, withFresh] = [rangesIn(world, 0), rangesIn(world, 1)]
    for (const change of world.changes)
      for (const kind of kinds) {
        const name = `${change.id} ${kind}`
        const { least, most } = known.get(name) as Range
        const isEndless = (withFresh.get(name) as Range).most > most
        const bounds = (effects.get(change.id) as CountedEffect)[kind]
        compared++
        if (bounds.least !== bounds.most) inexact++
        const truth: Bounds = { least, ...(isEndless ? {} : { most }) }
        if (mayBeWider(world, change, kind)) {
          expect({
            seed,
            name,
            bounds,
            truth,
            holds: bounds.least <= least && (bounds.most ?? Infinity) >= (truth.most ?? Infinity),
          }).toMatchObject({ holds: true })
        } else expect({ seed, name, bounds }).toEqual({ seed, name, bounds: truth })
      }
  }
  expect(inexact / compared).toBeGreaterThan(0.1)
})

test(`the true numbers of ${worlds} random memberships are within the bounds`, { timeout: 600_000 }, () => {
  for (let seed = 0; seed < worlds; seed++) {
    const chance = chanceOf(seed + 1_000_000)
    const world = worldOf(chance, 8, 20, 0.2)
    const { effects, together } = effectsIn(world)
    const fresh = chance.below(3)
    const persons = new Set(Array.from({ length: world.persons }, (_, person) => person).filter(() => chance.is(0.5)))
    const inGap = chance.is(0.5) ? 0.5 : 0.1
    const membership = membershipOf(
      world,
      (person) => persons.has(person),
      () => chance.is(inGap),
      fresh,
    )
    const concerned = world.changes.map((change) => ({ change, happens: happensTo(world, membership, change) }))
    for (const { change, happens } of concerned)
      for (const kind of kinds) {
        const n = [...happens.values()].filter((set) => set.has(kind)).length
        const { least, most = Infinity } = (effects.get(change.id) as CountedEffect)[kind]
        if (n < least || most < n) expect({ seed, change: change.id, kind, n }).toEqual({ least, most })
      }
    const part = concerned.filter(() => chance.is(0.5))
    for (const limit of ['raise', 'gainProtected', 'lose'] as const) {
      const n = new Set(part.flatMap(({ happens }) => [...happens].flatMap(([person, set]) => (set.has(limit) ? [person] : [])))).size
      const { least, most = Infinity } = together(
        limit,
        part.map(({ change }) => change.id),
      )
      if (n < least || most < n) expect({ seed, limit, n }).toEqual({ least, most })
    }
  }
})

test('without gaps each number is exact', () => {
  for (let seed = 0; seed < 500; seed++) {
    const world = worldOf(chanceOf(seed + 2_000_000), 6, 10, 0)
    const groups = new Map([...world.groups].map(([name, group]) => [name, { ...group, doubtful: [] }]))
    const { effects } = effectsIn({ ...world, groups })
    const membership = membershipOf(
      { ...world, groups },
      () => false,
      () => false,
      0,
    )
    for (const change of world.changes) {
      const happens = [...happensTo(world, membership, change).values()]
      const effect = effects.get(change.id) as CountedEffect
      for (const kind of kinds)
        expect({ seed, kind, ...effect[kind] }).toEqual({ seed, kind, ...exactly(happens.filter((set) => set.has(kind)).length) })
    }
  }
})
