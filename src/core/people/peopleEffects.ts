import type { Change, ChangeId, MappingChange } from '../change.ts'
import type { Role, Target } from '../mapping.ts'
import { once } from '../once.ts'
import type { CountedEffect, PeopleEffect, PeopleLimits } from '../peopleEffect.ts'
import type { PeopleTogether } from '../plan.ts'
import { isProtected, type RoleSettings, rankOf } from '../roles.ts'
import type { Roster } from './roster.ts'
import { type MappingRow, nameOf, rolesIn, type TargetRows } from './rows.ts'

/**
 * One change while its people are counted. `seen`: for each of `people` the bits of what happens to them, over all targets of the change.
 * `protectedRole`: the role that it gives, if that is protected. A person who gets a protected role by another change is counted there.
 */
type Count = { readonly people: Uint32Array; readonly seen: Uint8Array; readonly protectedRole: Role | undefined; why?: string }

const bits = { newly: 1, raised: 2, lowered: 4, lost: 8, gainProtected: 16, lose: 32 } as const

/**
 * Counts for each change the people of its group whose role would be another one after the whole plan. A person has the highest role that any of
 * their groups gives, as Plane decides it. For the delete of an undeclared mapping it also counts who would lose by it if, of all grants of the plan, only those
 * that it requires were written. A person whom a change for all projects concerns in several projects counts once for each kind of effect.
 *
 * Yields after each target, with the number of people that it looked at, so that the caller can let other work run.
 *
 * @returns `together` has the people only as numbers of this roster
 */
export function* peopleEffects(
  changes: readonly Change[],
  targets: ReadonlyMap<string, TargetRows>,
  roster: Roster,
  roles: RoleSettings,
): Generator<number, { readonly effects: ReadonlyMap<ChangeId, PeopleEffect>; readonly together: PeopleTogether }> {
  const counts = new Map<ChangeId, Count>()
  const ownTo = Map.groupBy(changes.filter(isMappingChange), ({ target }) => nameOf(target))
  const general = ownTo.get(nameOf({ kind: 'allProjects' })) ?? []
  const noRanks = () => new Int32Array(roster.size).fill(none)
  const ranks = { before: noRanks(), after: noRanks() }
  const least = noRanks()
  const byId = new Map(changes.map((change) => [change.id, change]))

  for (const [name, rows] of targets) {
    const ofTarget = [...(ownTo.get(name) ?? []), ...(rows.target.kind === 'project' ? general : [])]
    const ladder = ladderOf([...rolesIn([...rows.before, ...rows.after])], rows.target, roles)
    const why = typeof ladder === 'string' ? ladder : unknownGroup(rows, roster)
    for (const change of ofTarget) {
      const count = counts.get(change.id) ?? countOf(change, roster, roles)
      counts.set(change.id, count)
      if (why !== undefined) count.why ??= why
    }
    let looked = 0
    if (typeof ladder !== 'string' && why === undefined) {
      looked += setRanks(rows.before, ranks.before, ladder, roster)
      looked += setRanks(rows.after, ranks.after, ladder, roster)
      for (const { id } of ofTarget) note(counts.get(id) as Count, ranks, ladder)
      const undeclared = ofTarget.filter(isUndeclared)
      if (undeclared.length > 0) looked += setRanks(rows.least, least, ladder, roster)
      for (const { id, requires } of undeclared) {
        const required = requires.flatMap((requiredId) => rowOn(rows.target, byId.get(requiredId)))
        const without = required.flatMap(({ group }) =>
          [...(roster.numbersIn(group) ?? [])].map((person) => [person, least[person] ?? none] as const),
        )
        looked += setRanks(required, least, ladder, roster)
        noteLoss(counts.get(id) as Count, ranks.before, least)
        for (const [person, rank] of without) least[person] = rank
      }
      clearRanks(rows.least, least, roster)
      clearRanks(rows.before, ranks.before, roster)
      clearRanks(rows.after, ranks.after, roster)
    }
    yield looked
  }
  return { effects: new Map([...counts].map(([id, count]) => [id, effectOf(count)])), together: togetherIn(counts, roster.size) }
}

/** The bits of what a limit counts. */
const limitBits: Readonly<Record<keyof PeopleLimits, number>> = {
  raise: bits.newly | bits.raised,
  gainProtected: bits.gainProtected,
  lose: bits.lose,
}

/** Keeps of each change only the people for whom something changes. */
function togetherIn(counts: ReadonlyMap<ChangeId, Count>, size: number): PeopleTogether {
  // Most plans are never asked: only the limits on people do it.
  const concerned = once(
    () =>
      new Map(
        [...counts].map(([id, { people, seen }]) => [
          id,
          { people: people.filter((_, index) => seen[index] !== 0), seen: seen.filter((mask) => mask !== 0) },
        ]),
      ),
  )
  return (limit, changes) => {
    const isCounted = new Uint8Array(size)
    let total = 0
    for (const id of changes) {
      const { people = [], seen = [] } = concerned().get(id) ?? {}
      for (let index = 0; index < people.length; index++) {
        const person = people[index] as number
        if (((seen[index] ?? 0) & limitBits[limit]) === 0 || isCounted[person] === 1) continue
        isCounted[person] = 1
        total++
      }
    }
    return total
  }
}

const isUndeclared = (change: Change) => change.action === 'delete' && change.why === 'undeclared'

/** What a change gives on a target. */
const rowOn = (on: Target, change: Change | undefined): readonly MappingRow[] =>
  change !== undefined && 'role' in change && (change.target.kind === 'allProjects' || nameOf(change.target) === nameOf(on)) ? [change] : []

const isMappingChange = (change: Change): change is MappingChange => change.action !== 'settings'

/** A person who has no role on the target. */
const none = -1

/** The roles of one target in their order. */
type Ladder = { rankOf(role: Role): number; isProtected(rank: number): boolean }

/** The ladder, or why there is none. A role that `roles.order` lacks cannot be compared, except where it is the only role. */
function ladderOf(rungs: readonly Role[], target: Target, roles: RoleSettings): Ladder | string {
  const ranks = new Map(rungs.map((role) => [role, rungs.length === 1 ? 0 : rankOf(role, roles)]))
  const [unknown] = [...ranks].find(([, rank]) => rank < 0) ?? []
  if (unknown !== undefined) return `roles.order does not have the role "${unknown}", so the highest role of a person is not known`
  const protectedRanks = new Set(rungs.filter((role) => isProtected(role, target, roles)).map((role) => ranks.get(role)))
  return { rankOf: (role) => ranks.get(role) ?? none, isProtected: (rank) => protectedRanks.has(rank) }
}

function unknownGroup({ before, after }: TargetRows, roster: Roster): string | undefined {
  for (const { group } of [...before, ...after]) {
    const why = roster.whyUnknown(group)
    if (why !== undefined) return why
  }
  return undefined
}

/** Returns how many memberships it looked at. */
function setRanks(rows: readonly MappingRow[], ranks: Int32Array, ladder: Ladder, roster: Roster): number {
  let looked = 0
  for (const { group, role, alsoIn } of rows) {
    const rank = role === null ? none : ladder.rankOf(role)
    const people = roster.numbersIn(group) ?? []
    const also = alsoIn && new Set(roster.numbersIn(alsoIn))
    for (const person of people) if ((ranks[person] ?? none) < rank && also?.has(person) !== false) ranks[person] = rank
    looked += people.length
  }
  return looked
}

function clearRanks(rows: readonly MappingRow[], ranks: Int32Array, roster: Roster): void {
  for (const { group } of rows) for (const person of roster.numbersIn(group) ?? []) ranks[person] = none
}

function countOf(change: MappingChange, roster: Roster, roles: RoleSettings): Count {
  const own = roster.numbersIn(change.group) ?? new Uint32Array()
  const former = change.action === 'rename' ? (roster.numbersIn(change.fromGroup) ?? []) : []
  const people = former.length === 0 ? own : Uint32Array.from(new Set([...own, ...former]))
  const protectedRole = change.action !== 'delete' && isProtected(change.role, change.target, roles) ? change.role : undefined
  return { people, seen: new Uint8Array(people.length), protectedRole }
}

function note(
  { people, seen, protectedRole }: Count,
  { before, after }: { readonly before: Int32Array; readonly after: Int32Array },
  ladder: Ladder,
): void {
  const granted = protectedRole === undefined ? none : ladder.rankOf(protectedRole)
  for (let index = 0; index < people.length; index++) {
    const person = people[index] as number
    const had = before[person] ?? none
    const has = after[person] ?? none
    if (had === has) continue
    const kind = had === none ? 'newly' : has === none ? 'lost' : had < has ? 'raised' : 'lowered'
    const gains = granted > had && has > had && !ladder.isProtected(had)
    seen[index] = (seen[index] ?? 0) | bits[kind] | (gains ? bits.gainProtected : 0)
  }
}

function noteLoss({ people, seen }: Count, before: Int32Array, least: Int32Array): void {
  for (let index = 0; index < people.length; index++) {
    const person = people[index] as number
    if ((least[person] ?? none) < (before[person] ?? none)) seen[index] = (seen[index] ?? 0) | bits.lose
  }
}

function effectOf({ seen, why }: Count): PeopleEffect {
  if (why !== undefined) return { kind: 'unknown', why }
  const numberWith = (wanted: number) => seen.reduce((sum, mask) => sum + Math.sign(mask & wanted), 0)
  const numberOf = (kind: keyof typeof bits) => numberWith(bits[kind])
  const effect: CountedEffect = {
    kind: 'counted',
    newly: numberOf('newly'),
    raised: numberOf('raised'),
    lowered: numberOf('lowered'),
    lost: numberOf('lost'),
    raise: numberWith(limitBits.raise),
    gainProtected: numberOf('gainProtected'),
    lose: numberOf('lose'),
  }
  return effect
}
