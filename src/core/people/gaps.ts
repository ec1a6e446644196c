import type { GroupName } from '../mapping.ts'
import { once } from '../once.ts'
import { highestRanks, type Ladder, none, noRanks, type Ranks, ranksOf } from './events.ts'
import type { Roster } from './roster.ts'
import type { MappingRow, TargetRows } from './rows.ts'

/** The ranks of the people of one target. */
export type TargetRanks = {
  /** By the groups that certainly have the person. */
  known(person: number): Ranks
  /** The same, if the person is in each group that lists them as doubtful. */
  doubtful(person: number): Ranks
  /** What the groups whose further members are not known may give to anyone, `noRanks` included. */
  readonly states: readonly Ranks[]
  /** What each of these groups gives to a person who is in it; nothing for a group without a gap. */
  gapsOf(group: GroupName): readonly Ranks[]
  /** Each pair of `known` and `doubtful` on this target → how many people have it. */
  people(): ReadonlyMap<string, { readonly known: Ranks; readonly doubtful: Ranks; readonly count: number }>
}

type OpenTarget = {
  /** Why not all numbers of the target are exact; undefined if they are. */
  readonly why: string | undefined
  /** The ranks while these rows, too, are written in the worst case. */
  withLeast(required: readonly MappingRow[], use: (ranks: TargetRanks) => void): void
  /** Clears the ranks for the next target. Returns how many memberships were looked at. */
  close(): number
}

type Arrays = { readonly before: Int32Array; readonly after: Int32Array; readonly least: Int32Array }

/** @returns computes the ranks on one target after another */
export function openTarget(roster: Roster): (rows: TargetRows, ladder: Ladder, needsLeast: boolean) => OpenTarget {
  const newArrays = (): Arrays => {
    const empty = () => new Int32Array(roster.size).fill(none)
    return { before: empty(), after: empty(), least: empty() }
  }
  const known = newArrays()
  let doubtful: Arrays | undefined

  return (rows, ladder, needsLeast) => {
    const groups = [...new Set([...rows.before, ...rows.after].map(({ group }) => group))].map((group) => ({
      group,
      ...roster.membersOf(group),
    }))
    const hasDoubtful = groups.some((members) => members.doubtful.length > 0)
    if (hasDoubtful) doubtful ??= newArrays()
    const second = hasDoubtful ? doubtful : undefined
    const why = groups.find((members) => members.why !== undefined && members.isNowhere !== true)?.why
    const least = needsLeast ? rows.least : []
    let looked = 0

    const raise = (to: Int32Array, list: readonly MappingRow[], with_: 'known' | 'doubtful') => {
      for (const { group, role, alsoIn } of list) {
        const rank = ladder.rankOf(role)
        const also = alsoIn && new Set(peopleIn(roster, alsoIn, with_))
        for (const person of peopleIn(roster, group, with_)) {
          looked++
          if ((to[person] ?? none) < rank && also?.has(person) !== false) to[person] = rank
        }
      }
    }
    const raiseAll = (arrays: Arrays, with_: 'known' | 'doubtful') => {
      raise(arrays.before, rows.before, with_)
      raise(arrays.after, rows.after, with_)
      raise(arrays.least, least, with_)
    }
    raiseAll(known, 'known')
    if (second !== undefined) raiseAll(second, 'doubtful')

    const at = ({ before, after, least }: Arrays, person: number): Ranks =>
      ranksOf(before[person] ?? none, after[person] ?? none, least[person] ?? none)

    const ranksWith = (leastRows: readonly MappingRow[]): TargetRanks => {
      const gaps = gapRanks({ ...rows, least: leastRows }, ladder, roster)
      return {
        known: (person) => at(known, person),
        doubtful: (person) => at(second ?? known, person),
        states: closureOf([...gaps].flatMap(([group, given]) => (roster.membersOf(group).isNowhere === true ? [] : given))),
        gapsOf: (group) => gaps.get(group) ?? [],
        people: once(() => {
          const counted = new Map<string, { known: Ranks; doubtful: Ranks; count: number }>()
          const members = new Set(groups.flatMap(({ people, doubtful }) => [...people, ...doubtful]))
          for (const person of members) {
            const pair = { known: at(known, person), doubtful: at(second ?? known, person), count: 0 }
            const text = `${pair.known} ${pair.doubtful}`
            const entry = counted.get(text) ?? pair
            entry.count++
            counted.set(text, entry)
          }
          return counted
        }),
      }
    }
    let usual: TargetRanks | undefined
    return {
      why,
      withLeast(required, use) {
        if (required.length === 0) return use((usual ??= ranksWith(least)))
        const before = [known, ...(second === undefined ? [] : [second])].map((arrays) =>
          required.flatMap(({ group }) =>
            [...peopleIn(roster, group, 'doubtful')].map((person) => [arrays.least, person, arrays.least[person] ?? none] as const),
          ),
        )
        raise(known.least, required, 'known')
        if (second !== undefined) raise(second.least, required, 'doubtful')
        use(ranksWith([...least, ...required]))
        for (const [array, person, rank] of before.flat()) array[person] = rank
      },
      close() {
        for (const { people, doubtful: more } of groups)
          for (const person of [...people, ...more])
            for (const arrays of [known, second])
              if (arrays !== undefined) arrays.before[person] = arrays.after[person] = arrays.least[person] = none
        return looked
      },
    }
  }
}

const peopleIn = (roster: Roster, group: GroupName, which: 'known' | 'doubtful'): Iterable<number> => {
  const { people, doubtful } = roster.membersOf(group)
  return which === 'known' || doubtful.length === 0 ? people : [...people, ...doubtful]
}

/**
 * What each group with a gap gives to a person who is in it, by all its rows. A row that counts only for people who are in another group, too, may count or
 * not: then there are both.
 */
function gapRanks(
  rows: Pick<TargetRows, 'before' | 'after' | 'least'>,
  ladder: Ladder,
  roster: Roster,
): ReadonlyMap<GroupName, readonly Ranks[]> {
  const isOpen = (group: GroupName) => roster.membersOf(group).more !== undefined
  const open = new Set([...rows.before, ...rows.after, ...rows.least].flatMap(({ group }) => (isOpen(group) ? [group] : [])))
  const given = new Map([...open].map((group) => [group, [noRanks]] as [GroupName, Ranks[]]))
  const give = (group: GroupName, ranks: Ranks) =>
    given.set(
      group,
      (given.get(group) ?? []).map((own) => highestRanks(own, ranks)),
    )
  for (const { group, role } of rows.before) if (open.has(group)) give(group, ranksOf(ladder.rankOf(role), none, none))
  for (const { group, role } of rows.after) if (open.has(group)) give(group, ranksOf(none, ladder.rankOf(role), none))
  for (const { group, role, alsoIn } of rows.least) {
    const ranks = ranksOf(none, none, ladder.rankOf(role))
    if (alsoIn === undefined) {
      if (open.has(group)) give(group, ranks)
    } else
      for (const either of [group, alsoIn])
        if (open.has(either))
          given.set(
            either,
            (given.get(either) ?? []).flatMap((own) => [own, highestRanks(own, ranks)]),
          )
  }
  return given
}

/** The ranks by any of these gaps together. There are few, since there are few roles. */
function closureOf(gaps: readonly Ranks[]): readonly Ranks[] {
  const states = new Set([noRanks])
  for (const gap of new Set(gaps)) for (const state of [...states]) states.add(highestRanks(state, gap))
  return [...states]
}
