import type { GroupName } from '../mapping.ts'
import { once } from '../once.ts'
import { type Ladder, none, noRanks, type Ranks, raisedTo } from './events.ts'
import { type Gaps, openGaps } from './gaps.ts'
import type { Roster, RosterMembers } from './roster.ts'
import type { Rows } from './rows.ts'

/** So many people have these ranks. */
export type Share = { readonly known: Ranks; readonly doubtful: Ranks; count: number }

/** Each pair of `known` and `doubtful` that people have → how many people have it. People without any role are not in it. */
export type Shares = ReadonlyMap<string, Readonly<Share>>

/** The ranks of people by the layers of rows that were in place when it was made. */
export type TargetRanks = {
  /** By the groups that certainly have the person. */
  known(person: number): Ranks
  /** The same, if the person is in each group that lists them as doubtful. */
  doubtful(person: number): Ranks
  readonly gaps: Gaps
  people(): Shares
  /** The people whose ranks the last layer changed, with their ranks below it. */
  changed(): Iterable<readonly [person: number, known: Ranks, doubtful: Ranks]>
}

/** Layers of rows, one over the other: the rows for all projects, those of one project, those that one change requires. */
type Layers = {
  readonly top: TargetRanks
  /** Adds a layer. Returns how many memberships were looked at. */
  push(rows: Rows, ladder: Ladder): number
  /** Takes the last layer away. */
  pop(): void
}

export function openRanks(roster: Roster): Layers {
  const known = new Int32Array(roster.size)
  const doubtful = roster.hasDoubtful ? new Int32Array(roster.size) : known
  const inAlso = openAlso(roster)
  /** For each layer, the ranks below it of the people whom it has. */
  const below: Map<number, readonly [Ranks, Ranks]>[] = []
  const tops: TargetRanks[] = []

  const ranksNow = (person: number): readonly [Ranks, Ranks] => [
    (known[person] ?? noRanks) as Ranks,
    (doubtful[person] ?? noRanks) as Ranks,
  ]

  /** The ranks of a person without the layers above one. */
  const at = (depth: number, person: number): readonly [Ranks, Ranks] => {
    for (let above = depth + 1; above < below.length; above++) {
      const kept = below[above]?.get(person)
      if (kept !== undefined) return kept
    }
    return ranksNow(person)
  }

  const topOf = (depth: number, gaps: Gaps, lower: TargetRanks | undefined): TargetRanks => {
    const changed = function* () {
      for (const [person, [wasKnown, wasDoubtful]] of below[depth] ?? []) {
        const [isKnown, isDoubtful] = at(depth, person)
        if (isKnown !== wasKnown || isDoubtful !== wasDoubtful) yield [person, wasKnown, wasDoubtful] as const
      }
    }
    return {
      known: (person) => (known[person] ?? noRanks) as Ranks,
      doubtful: (person) => (doubtful[person] ?? noRanks) as Ranks,
      gaps,
      changed,
      people: once(() => {
        const shares = new Map<string, Share>()
        addShares(shares, lower?.people() ?? new Map(), 1)
        for (const [person, wasKnown, wasDoubtful] of changed()) {
          const [isKnown, isDoubtful] = at(depth, person)
          addShare(shares, wasKnown, wasDoubtful, -1)
          addShare(shares, isKnown, isDoubtful, 1)
        }
        return shares
      }),
    }
  }
  const bottom = topOf(-1, openGaps(roster), undefined)

  return {
    get top() {
      return tops.at(-1) ?? bottom
    },
    push(rows, ladder) {
      const kept = new Map<number, readonly [Ranks, Ranks]>()
      let looked = 0
      const raise = (ranked: Int32Array, part: keyof Rows, rank: number, people: Uint32Array, is: ReadonlySet<number> | undefined) => {
        for (const person of people) {
          looked++
          if (is?.has(person) === false) continue
          const ranks = (ranked[person] ?? noRanks) as Ranks
          const raised = raisedTo(ranks, part, rank)
          if (raised === ranks) continue
          if (!kept.has(person)) kept.set(person, ranksNow(person))
          ranked[person] = raised
        }
      }
      for (const part of ['before', 'after', 'least'] as const)
        for (const { group, role, alsoIn } of rows[part]) {
          const rank = ladder.rankOf(role)
          if (rank === none) continue
          const members = roster.membersOf(group)
          const also = alsoIn && inAlso(alsoIn)
          raise(known, part, rank, members.people, also?.people)
          if (doubtful === known) continue
          raise(doubtful, part, rank, members.people, also?.all)
          raise(doubtful, part, rank, members.doubtful, also?.all)
        }
      const lower = tops.at(-1) ?? bottom
      below.push(kept)
      tops.push(topOf(tops.length, lower.gaps.with(rows, ladder), lower))
      return looked
    },
    pop() {
      for (const [person, ranks] of below.pop() ?? []) {
        known[person] = ranks[0]
        doubtful[person] = ranks[1]
      }
      tops.pop()
    },
  }
}

/** The people of groups as sets, each made once. `all`: with those who are doubtful. */
function openAlso(roster: Roster) {
  const sets = new Map<GroupName, { readonly people: ReadonlySet<number>; readonly all: ReadonlySet<number> }>()
  return (group: GroupName) => {
    const made = sets.get(group) ?? setsOf(roster.membersOf(group))
    sets.set(group, made)
    return made
  }
}
const setsOf = ({ people, doubtful }: RosterMembers) => ({ people: new Set(people), all: new Set([...people, ...doubtful]) })

function addShare(to: Map<string, Share>, known: Ranks, doubtful: Ranks, n: number): void {
  if (known === noRanks && doubtful === noRanks) return
  const name = `${known} ${doubtful}`
  const share = to.get(name) ?? { known, doubtful, count: 0 }
  share.count += n
  to.set(name, share)
}

/** Adds each share so many times. */
export function addShares(to: Map<string, Share>, shares: Shares, times: number): void {
  for (const { known, doubtful, count } of shares.values()) addShare(to, known, doubtful, count * times)
}
