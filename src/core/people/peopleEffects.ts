import { type Bounds, isExact } from '../bounds.ts'
import type { Change, ChangeId, MappingChange } from '../change.ts'
import type { GroupName, Role } from '../mapping.ts'
import { once } from '../once.ts'
import type { CountedEffect, PeopleEffect, PeopleLimits } from '../peopleEffect.ts'
import type { PeopleTogether } from '../plan.ts'
import { isProtected, type RoleSettings } from '../roles.ts'
import { bits, type Counting, eitherOf, highestRanks, type Ladder, ladderOf, openEvents, type Ranks } from './events.ts'
import { openTarget, type TargetRanks } from './gaps.ts'
import type { Roster, RosterMembers } from './roster.ts'
import { nameOf, rowOn, type TargetRows } from './rows.ts'

/**
 * One change while its people are counted. `sure`, `possible`: for each of `people` the bits of what happens to them, over all targets of the change: in any
 * case, and perhaps. `unlisted`: the bits of what may happen to people whom no directory has shown. `others`: for each bit the number of people of other groups
 * to whom it may happen, since they may also be in this one; over several targets it may be too large. `protectedRole`: the role that it gives, if that is
 * protected. A person who gets a protected role by another change is counted there.
 */
type Count = {
  /** The group of the change, and of a rename the former one. */
  readonly own: readonly (RosterMembers & { readonly group: GroupName })[]
  readonly people: Uint32Array
  /** So many of `people` are certainly in the group; the others are doubtful. */
  readonly certain: number
  readonly sure: Uint8Array
  readonly possible: Uint8Array
  readonly others: Map<number, number>
  readonly protectedRole: Role | undefined
  unlisted: number
  why?: string
}

/**
 * Counts for each change the people of its group whose role would be another one after the whole plan. A person has the highest role that any of
 * their groups gives, as Plane decides it. For the delete of an undeclared mapping it also counts who would lose by it if, of all grants of the plan, only those
 * that it requires were written. A person whom a change for all projects concerns in several projects counts once for each kind of effect.
 *
 * Where members of a group are not known, each number is the least and the most of what is possible: for each person, whatever gaps they may be in. A gap of one
 * group changes the numbers of another one only as far as its people may be the same.
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
  const byId = new Map(changes.map((change) => [change.id, change]))
  const open = openTarget(roster)

  for (const [name, rows] of targets) {
    const ofTarget = [...(ownTo.get(name) ?? []), ...(rows.target.kind === 'project' ? general : [])]
    for (const change of ofTarget) if (!counts.has(change.id)) counts.set(change.id, countOf(change, roster, roles))
    const ladder = ladderOf([...rows.before, ...rows.after], rows.target, roles)
    if (typeof ladder === 'string') {
      for (const change of ofTarget) noteUnknown(counts.get(change.id) as Count, change, ladder)
      yield 0
      continue
    }
    const target = open(rows, ladder, ofTarget.some(isUndeclared))
    for (const change of ofTarget) {
      const count = counts.get(change.id) as Count
      const required = isUndeclared(change) ? change.requires.flatMap((id) => rowOn(rows.target, byId.get(id))) : []
      target.withLeast(required, (ranks) => note(count, ranks, { ladder, granted: grantedBy(count, ladder), takes: isUndeclared(change) }))
      const why = count.own.find(({ why }) => why !== undefined)?.why ?? target.why
      if (why !== undefined) count.why ??= why
    }
    yield target.close()
  }
  return { effects: new Map([...counts].map(([id, count]) => [id, effectOf(count)])), together: togetherIn(counts, roster.size) }
}

const isUndeclared = (change: Change) => change.action === 'delete' && change.why === 'undeclared'
const isMappingChange = (change: Change): change is MappingChange => change.action !== 'settings'

function countOf(change: MappingChange, roster: Roster, roles: RoleSettings): Count {
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
    unlisted: 0,
  }
}

/** The people of several lists, each of which has them once. */
function eachOnce(lists: readonly Uint32Array[]): Uint32Array {
  const [first = new Uint32Array(), ...others] = lists.filter(({ length }) => length > 0)
  return others.length === 0 ? first : Uint32Array.from(new Set(lists.flatMap((list) => [...list])))
}

const grantedBy = ({ protectedRole }: Count, ladder: Ladder): number => ladder.rankOf(protectedRole ?? null)

/** The roles cannot be compared: each kind of effect that the change can have is possible. */
function noteUnknown(count: Count, change: MappingChange, why: string): void {
  const gains = count.protectedRole === undefined ? 0 : bits.gainProtected
  count.unlisted |= bits.newly | bits.raised | bits.lowered | bits.lost | bits.raise | gains | (isUndeclared(change) ? bits.lose : 0)
  count.why ??= why
}

function note(count: Count, ranks: TargetRanks, counting: Counting): void {
  const eventsOf = openEvents(ranks.states, counting)
  const gaps = count.own.flatMap(({ group }) => ranks.gapsOf(group))
  const inGap = (known: Ranks, doubtful: Ranks): number =>
    gaps.reduce((mask, gap) => mask | eventsOf(highestRanks(known, gap)).possible | eventsOf(highestRanks(doubtful, gap)).possible, 0)
  const { people, certain, sure, possible } = count
  for (let index = 0; index < people.length; index++) {
    const person = people[index] as number
    const [known, doubtful] = [ranks.known(person), ranks.doubtful(person)]
    const ifDoubtful = eventsOf(doubtful)
    if (index < certain) {
      const events = known === doubtful ? ifDoubtful : eitherOf(eventsOf(known), ifDoubtful)
      sure[index] = (sure[index] ?? 0) | events.sure
      possible[index] = (possible[index] ?? 0) | events.possible
    } else possible[index] = (possible[index] ?? 0) | ifDoubtful.possible | inGap(known, doubtful)
  }
  if (gaps.length === 0) return
  // Anyone may be in a group that has a gap: people whom no directory has shown, and people of other groups.
  for (const gap of gaps) count.unlisted |= eventsOf(gap).possible
  const add = (mask: number, n: number) => {
    for (const bit of Object.values(bits)) if ((mask & bit) !== 0) count.others.set(bit, (count.others.get(bit) ?? 0) + n)
  }
  for (const { known, doubtful, count: n } of ranks.people().values()) add(inGap(known, doubtful), n)
  for (const person of people) add(inGap(ranks.known(person), ranks.doubtful(person)), -1)
}

/** The bits of what each limit counts. */
const limitBits: Readonly<Record<keyof PeopleLimits, number>> = { raise: bits.raise, gainProtected: bits.gainProtected, lose: bits.lose }

/** Keeps of each change only the people for whom something may change. */
function togetherIn(counts: ReadonlyMap<ChangeId, Count>, size: number): PeopleTogether {
  // Most plans are never asked: only the limits on people do it.
  const concerned = once(
    () =>
      new Map(
        [...counts].map(([id, count]) => {
          const is = (_: number, index: number) => count.possible[index] !== 0
          return [id, { ...count, people: count.people.filter(is), sure: count.sure.filter(is), possible: count.possible.filter(is) }]
        }),
      ),
  )
  return (limit, changes) => {
    const bit = limitBits[limit]
    const seen = new Uint8Array(size)
    let least = 0
    let most = 0
    for (const id of changes) {
      const count = concerned().get(id)
      if (count === undefined) continue
      const { people, sure, possible } = count
      most += (count.unlisted & bit) === 0 ? (count.others.get(bit) ?? 0) : Number.POSITIVE_INFINITY
      for (let index = 0; index < people.length; index++) {
        if (((possible[index] ?? 0) & bit) === 0) continue
        const person = people[index] as number
        const before = seen[person] ?? 0
        if (before === 0) most++
        if (before < 2 && ((sure[index] ?? 0) & bit) !== 0) least++
        seen[person] = ((sure[index] ?? 0) & bit) === 0 ? Math.max(before, 1) : 2
      }
    }
    return { least, ...(Number.isFinite(most) ? { most } : {}) }
  }
}

function effectOf({ sure, possible, unlisted, others, why }: Count): PeopleEffect {
  const numberOf = (masks: Uint8Array, bit: number) => masks.reduce((sum, mask) => sum + Math.sign(mask & bit), 0)
  const boundsOf = (bit: number): Bounds => ({
    least: numberOf(sure, bit),
    ...((unlisted & bit) === 0 ? { most: numberOf(possible, bit) + (others.get(bit) ?? 0) } : {}),
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
