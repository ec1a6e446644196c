import { addOthers, addShared, type Count, leaveOutOwn, type Noting, notePerson, openNoting } from './counted.ts'
import { type Ladder, openEvents } from './events.ts'
import { addShares, type Share, type TargetRanks } from './ranks.ts'
import type { Roster } from './roster.ts'

/**
 * Projects on which changes for all projects do the same as on `allProjects`, except to the people whose ranks the rows of the project change. So only these
 * people are looked at.
 */
type PlainProjects = {
  isPlain(ranks: TargetRanks, ladder: Ladder): boolean
  /** Notes the changes on a plain project. Returns how many people it looked at. @param times so many equal projects */
  note(ranks: TargetRanks, ladder: Ladder, times: number): number
  /** After the last project, with the rows for all projects in place. */
  close(): void
}

/**
 * @param counts of the changes
 * @param base the ranks on `allProjects`
 */
export function openPlainProjects(counts: readonly Count[], roster: Roster, base: TargetRanks, baseLadder: Ladder): PlainProjects {
  const open = counts.filter(({ own }) => own.some(({ more }) => more !== undefined))
  const openGroups = new Set(open.flatMap(({ own }) => own.map(({ group }) => group)))
  const baseRanks = new Set([...baseLadder.rungs].map(baseLadder.rankOf))
  const changesOf = changesByPerson(counts, roster.size)
  const notingOf = openNotings(base)
  /** The people of all plain projects whose roles have this ladder. */
  const plain = new Map<Ladder, { times: number; readonly shares: Map<string, Share> }>()

  return {
    isPlain: ({ gaps }, ladder) =>
      gaps.states === base.gaps.states &&
      !gaps.groups.some((group) => openGroups.has(group)) &&
      [...baseRanks].every((rank) => ladder.isProtected(rank) === baseLadder.isProtected(rank)),
    note(ranks, ladder, times) {
      let looked = 0
      for (const [person, knownBelow, doubtfulBelow] of ranks.changed()) {
        const [known, doubtful] = [ranks.known(person), ranks.doubtful(person)]
        for (const [number, index] of changesOf(person)) {
          looked++
          const count = counts[number] as Count
          const noting = notingOf(count, ladder)
          notePerson(count, index, known, doubtful, noting)
          if (noting.gaps.length === 0) continue
          // `close` counts this person as on `allProjects`.
          addOthers(count, noting.inGap(known, doubtful), -times)
          addOthers(count, noting.inGap(knownBelow, doubtfulBelow), times)
        }
      }
      if (open.length > 0) {
        const of = plain.get(ladder) ?? { times: 0, shares: new Map() }
        of.times += times
        addShares(of.shares, ranks.people(), times)
        plain.set(ladder, of)
      }
      return looked
    },
    close() {
      for (const [ladder, { times, shares }] of plain)
        for (const count of open) {
          addShared(count, notingOf(count, ladder), shares, 1)
          leaveOutOwn(count, notingOf(count, ladder), base, times)
        }
    },
  }
}

/** Changes that count people in the same way share what they found out. */
function openNotings(base: TargetRanks): (count: Count, ladder: Ladder) => Noting {
  const shared = new Map<Ladder, { readonly events: Map<string, Noting['eventsOf']>; readonly notings: Map<Count, Noting> }>()
  return (count, ladder) => {
    const of = shared.get(ladder) ?? { events: new Map(), notings: new Map() }
    shared.set(ladder, of)
    const made = of.notings.get(count)
    if (made !== undefined) return made
    const { takes } = count
    const granted = ladder.rankOf(count.protectedRole ?? null)
    const name = `${granted} ${takes}`
    const eventsOf = of.events.get(name) ?? openEvents(base.gaps.states, { ladder, granted, takes })
    of.events.set(name, eventsOf)
    const noting = openNoting(count, base, eventsOf)
    of.notings.set(count, noting)
    return noting
  }
}

/** The changes whose groups have a person: the number of the change, and the index of the person among its people. */
function changesByPerson(counts: readonly Count[], size: number): (person: number) => Iterable<readonly [number: number, index: number]> {
  const ends = new Uint32Array(size + 1)
  for (const { people } of counts) for (const person of people) ends[person + 1] = (ends[person + 1] ?? 0) + 1
  for (let person = 0; person < size; person++) ends[person + 1] = (ends[person + 1] ?? 0) + (ends[person] ?? 0)
  const next = ends.slice(0, size)
  const entries = new Uint32Array(2 * (ends[size] ?? 0))
  for (const [number, { people }] of counts.entries())
    for (const [index, person] of people.entries()) {
      const at = next[person] ?? 0
      entries[2 * at] = number
      entries[2 * at + 1] = index
      next[person] = at + 1
    }
  return function* (person) {
    for (let at = ends[person] ?? 0; at < (ends[person + 1] ?? 0); at++) yield [entries[2 * at] ?? 0, entries[2 * at + 1] ?? 0] as const
  }
}
