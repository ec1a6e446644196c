import type { GroupName } from '../mapping.ts'
import { highestRanks, type Ladder, none, noRanks, type Ranks, ranksOf } from './events.ts'
import type { Roster } from './roster.ts'
import type { Rows } from './rows.ts'

/** What the groups whose further members are not known give to a person who is in them. */
export type Gaps = {
  /** Nothing for a group without a gap. */
  of(group: GroupName): readonly Ranks[]
  /** What all of them may give to anyone, `noRanks` included. A group that no directory has gives nothing here. */
  readonly states: readonly Ranks[]
  /** The groups with a gap that these rows have, beside the gaps below. */
  readonly groups: readonly GroupName[]
  /** These gaps with further rows. */
  with(rows: Rows, ladder: Ladder): Gaps
}

/** Equal states are one array. */
export function openGaps(roster: Roster): Gaps {
  const isOpen = (group: GroupName) => roster.membersOf(group).more !== undefined
  const closures = new Map<string, readonly Ranks[]>()
  const closedStates = (gaps: Iterable<Ranks>): readonly Ranks[] => {
    const distinct = [...gaps].toSorted((a, b) => a - b)
    const name = distinct.join(' ')
    const states = closures.get(name) ?? closureOf(distinct)
    closures.set(name, states)
    return states
  }

  /** @param times each rank of a gap → how many groups give it */
  const layer = (of: Gaps['of'], groups: readonly GroupName[], times: ReadonlyMap<Ranks, number>): Gaps => ({
    of,
    groups,
    states: closedStates(times.keys()),
    with(rows, ladder) {
      const given = gapRanks(rows, ladder, isOpen, of)
      if (given.size === 0) return layer(of, [], times)
      const all = new Map(times)
      const add = (ranks: Iterable<Ranks>, n: number) => {
        for (const rank of ranks) {
          const count = (all.get(rank) ?? 0) + n
          if (count > 0) all.set(rank, count)
          else all.delete(rank)
        }
      }
      for (const [group, ranks] of given) {
        if (roster.membersOf(group).isNowhere === true) continue
        add(of(group), -1)
        add(ranks, 1)
      }
      return layer((group) => given.get(group) ?? of(group), [...given.keys()], all)
    },
  })
  return layer(() => [], [], new Map())
}

/**
 * What each group with a gap gives to a person who is in it, by these rows and those `below`. A row that counts only for people who are in another group,
 * too, may count or not: then there are both.
 */
function gapRanks(
  rows: Rows,
  ladder: Ladder,
  isOpen: (group: GroupName) => boolean,
  below: (group: GroupName) => readonly Ranks[],
): ReadonlyMap<GroupName, readonly Ranks[]> {
  const given = new Map<GroupName, readonly Ranks[]>()
  for (const { group } of [...rows.before, ...rows.after, ...rows.least])
    if (isOpen(group) && !given.has(group)) given.set(group, below(group).length === 0 ? [noRanks] : below(group))
  const give = (group: GroupName, each: (own: Ranks) => readonly Ranks[]) => {
    const own = given.get(group)
    if (own !== undefined) given.set(group, own.length === 1 ? [...new Set(each(own[0] as Ranks))] : [...new Set(own.flatMap(each))])
  }
  for (const { group, role } of rows.before) give(group, (own) => [highestRanks(own, ranksOf(ladder.rankOf(role), none, none))])
  for (const { group, role } of rows.after) give(group, (own) => [highestRanks(own, ranksOf(none, ladder.rankOf(role), none))])
  for (const { group, role, alsoIn } of rows.least) {
    const ranks = ranksOf(none, none, ladder.rankOf(role))
    if (alsoIn === undefined) give(group, (own) => [highestRanks(own, ranks)])
    else for (const either of [group, alsoIn]) give(either, (own) => [own, highestRanks(own, ranks)])
  }
  return given
}

/** The ranks by any of these gaps together. There are few, since there are few roles. */
function closureOf(gaps: readonly Ranks[]): readonly Ranks[] {
  const states = new Set([noRanks])
  for (const gap of gaps) for (const state of [...states]) states.add(highestRanks(state, gap))
  return [...states]
}
