import { type Bounds, isExact } from '../bounds.ts'
import type { ChangeId, MappingChange } from '../change.ts'
import type { GroupName, Role } from '../mapping.ts'
import { once } from '../once.ts'
import type { CountedEffect, PeopleEffect, PeopleLimits } from '../peopleEffect.ts'
import type { PeopleTogether } from '../plan.ts'
import { isProtected, type RoleSettings } from '../roles.ts'
import { bits, type Events, eitherOf, highestRanks, type Ranks } from './events.ts'
import type { Shares, TargetRanks } from './ranks.ts'
import type { Roster, RosterMembers } from './roster.ts'
import { isUndeclared } from './rows.ts'

/**
 * One change while its people are counted, or equal changes of several projects. `sure`, `possible`: for each of `people` the bits of what happens to them, over
 * all targets of the change: in any case, and perhaps. `unlisted`: the bits of what may happen to people whom no directory has shown. `others`: for each bit the
 * number of people of other groups to whom it may happen, since they may also be in this one; over several targets it may be too large. `protectedRole`: the
 * role that it gives, if that is protected. A person who gets a protected role by another change is counted there.
 */
export type Count = {
  /** The group of the change, and of a rename the former one. */
  readonly own: readonly (RosterMembers & { readonly group: GroupName })[]
  readonly people: Uint32Array
  /** So many of `people` are certainly in the group; the others are doubtful. */
  readonly certain: number
  readonly sure: Uint8Array
  readonly possible: Uint8Array
  readonly others: Map<number, number>
  readonly protectedRole: Role | undefined
  /** It deletes an undeclared mapping. */
  readonly takes: boolean
  unlisted: number
  why?: string
}

export function countOf(change: MappingChange, roster: Roster, roles: RoleSettings): Count {
  const groups = change.action === 'rename' && change.sameGroup !== true ? [change.group, change.fromGroup] : [change.group]
  const own = groups.map((group) => ({ group, ...roster.membersOf(group) }))
  const certain = eachOnce(own.map(({ people }) => people))
  const people = eachOnce([certain, ...own.map(({ doubtful }) => doubtful)])
  const protectedRole = change.action !== 'delete' && isProtected(change.role, change.target, roles) ? change.role : undefined
  return {
    own,
    people,
    certain: certain.length,
    sure: new Uint8Array(people.length),
    possible: new Uint8Array(people.length),
    others: new Map(),
    protectedRole,
    takes: isUndeclared(change),
    unlisted: 0,
  }
}

/** The people of several lists, each of which has them once. */
function eachOnce(lists: readonly Uint32Array[]): Uint32Array {
  const [first = new Uint32Array(), ...others] = lists.filter(({ length }) => length > 0)
  return others.length === 0 ? first : Uint32Array.from(new Set(lists.flatMap((list) => [...list])))
}

/** The roles cannot be compared: each kind of effect that the change can have is possible. */
export function noteUnknown(count: Count, why: string): void {
  const gains = count.protectedRole === undefined ? 0 : bits.gainProtected
  count.unlisted |= bits.newly | bits.raised | bits.lowered | bits.lost | bits.raise | gains | (count.takes ? bits.lose : 0)
  count.why ??= why
}

/** Nothing is known of its people, whatever was noted before. */
export function noteNotCounted(count: Count, why: string): void {
  noteUnknown(count, why)
  count.sure.fill(0)
  count.why = why
}

/** What a change does to people, by their ranks. */
export type Noting = {
  /** What the groups of the change give to people who may be in them. */
  readonly gaps: readonly Ranks[]
  eventsOf(ranks: Ranks): Events
  /** The bits of what may happen to a person who may be in one of these groups. */
  inGap(known: Ranks, doubtful: Ranks): number
}

/** @param eventsOf as `openEvents` makes it; several changes may share it */
export function openNoting(count: Count, { gaps: all }: Pick<TargetRanks, 'gaps'>, eventsOf: Noting['eventsOf']): Noting {
  const gaps = count.own.flatMap(({ group }) => all.of(group))
  const possible = (ranks: Ranks, gap: Ranks) => eventsOf(highestRanks(ranks, gap)).possible
  return {
    gaps,
    eventsOf,
    inGap: (known, doubtful) => gaps.reduce((mask, gap) => mask | possible(known, gap) | possible(doubtful, gap), 0),
  }
}

/** @param times the number of targets on which this happens */
export function notePeople(count: Count, ranks: TargetRanks, noting: Noting, times: number): void {
  const { people } = count
  for (let index = 0; index < people.length; index++) {
    const person = people[index] as number
    notePerson(count, index, ranks.known(person), ranks.doubtful(person), noting)
  }
  // Anyone may be in a group that has a gap: people whom no directory has shown, and people of other groups.
  for (const gap of noting.gaps) count.unlisted |= noting.eventsOf(gap).possible
  if (noting.gaps.length === 0) return
  addShared(count, noting, ranks.people(), times)
  leaveOutOwn(count, noting, ranks, times)
}

/** @param index of the person among those of the change */
export function notePerson({ certain, sure, possible }: Count, index: number, known: Ranks, doubtful: Ranks, noting: Noting): void {
  const ifDoubtful = noting.eventsOf(doubtful)
  if (index < certain) {
    const events = known === doubtful ? ifDoubtful : eitherOf(noting.eventsOf(known), ifDoubtful)
    sure[index] = (sure[index] ?? 0) | events.sure
    possible[index] = (possible[index] ?? 0) | events.possible
  } else possible[index] = (possible[index] ?? 0) | ifDoubtful.possible | noting.inGap(known, doubtful)
}

/** Counts all people as people of other groups. */
export function addShared(count: Count, { inGap }: Noting, shares: Shares, times: number): void {
  for (const { known, doubtful, count: n } of shares.values()) addOthers(count, inGap(known, doubtful), n * times)
}

/** The people of the change are no people of other groups. */
export function leaveOutOwn(count: Count, { inGap }: Noting, ranks: Pick<TargetRanks, 'known' | 'doubtful'>, times: number): void {
  for (const person of count.people) addOthers(count, inGap(ranks.known(person), ranks.doubtful(person)), -times)
}

export function addOthers({ others }: Count, mask: number, n: number): void {
  if (mask === 0 || n === 0) return
  for (const bit of Object.values(bits)) if ((mask & bit) !== 0) others.set(bit, (others.get(bit) ?? 0) + n)
}

/** The bits of what each limit counts. */
const limitBits: Readonly<Record<keyof PeopleLimits, number>> = { raise: bits.raise, gainProtected: bits.gainProtected, lose: bits.lose }

/** Keeps of each change only the people for whom something may change. */
export function togetherIn(counts: ReadonlyMap<ChangeId, Count>, size: number): PeopleTogether {
  // Most plans are never asked: only the limits on people do it.
  const concerned = once(
    () =>
      new Map(
        [...new Set(counts.values())].map((count) => {
          const is = (_: number, index: number) => count.possible[index] !== 0
          return [count, { people: count.people.filter(is), sure: count.sure.filter(is), possible: count.possible.filter(is) }]
        }),
      ),
  )
  // One array for all calls: a call for one change must not cost as much as all people.
  const seenIn = once(() => new Uint8Array(size))
  return (limit, changes) => {
    const bit = limitBits[limit]
    const seen = seenIn()
    const added = new Set<Count>()
    let least = 0
    let most = 0
    for (const id of changes) {
      const count = counts.get(id)
      if (count === undefined) continue
      most += (count.unlisted & bit) === 0 ? (count.others.get(bit) ?? 0) : Number.POSITIVE_INFINITY
      if (added.has(count)) continue
      added.add(count)
      const { people, sure, possible } = concerned().get(count) ?? count
      for (let index = 0; index < people.length; index++) {
        if (((possible[index] ?? 0) & bit) === 0) continue
        const person = people[index] as number
        const before = seen[person] ?? 0
        if (before === 0) most++
        if (before < 2 && ((sure[index] ?? 0) & bit) !== 0) least++
        seen[person] = ((sure[index] ?? 0) & bit) === 0 ? Math.max(before, 1) : 2
      }
    }
    for (const count of added) for (const person of concerned().get(count)?.people ?? []) seen[person] = 0
    return { least, ...(Number.isFinite(most) ? { most } : {}) }
  }
}

export function effectOf({ sure, possible, unlisted, others, why }: Count): PeopleEffect {
  const [surely, possibly] = [timesOf(sure), timesOf(possible)]
  const boundsOf = (bit: number): Bounds => ({
    least: surely(bit),
    ...((unlisted & bit) === 0 ? { most: possibly(bit) + (others.get(bit) ?? 0) } : {}),
  })
  const numbers = {
    newly: boundsOf(bits.newly),
    raised: boundsOf(bits.raised),
    lowered: boundsOf(bits.lowered),
    lost: boundsOf(bits.lost),
    raise: boundsOf(bits.raise),
    gainProtected: boundsOf(bits.gainProtected),
    lose: boundsOf(bits.lose),
  }
  const isWhole = Object.values(numbers).every(isExact)
  const effect: CountedEffect = { kind: 'counted', ...numbers, ...(isWhole || why === undefined ? {} : { why }) }
  return effect
}

/** For a bit, the number of masks that have it. */
function timesOf(masks: Uint8Array): (bit: number) => number {
  const times = new Map<number, number>()
  for (const mask of masks) times.set(mask, (times.get(mask) ?? 0) + 1)
  return (bit) => [...times].reduce((sum, [mask, n]) => sum + ((mask & bit) === 0 ? 0 : n), 0)
}
