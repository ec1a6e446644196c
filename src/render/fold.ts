import { count } from '../core/quantity.ts'
import type { PlanEntry } from './entry.ts'
import { type Total, totalsOf } from './totals.ts'

/** What one rule does for one group, in one project or in several: one row. */
export type Fold = readonly [PlanEntry, ...PlanEntry[]]

/** A row for all entries that differ only by their project, where the first of them stood. */
export function foldByRule(entries: readonly PlanEntry[]): readonly Fold[] {
  const folds = new Map<string, [PlanEntry, ...PlanEntry[]]>()
  const seen = new Map<string, number>()
  for (const [index, entry] of entries.entries()) {
    const { target } = entry
    const row = target?.kind === 'project' ? rowName(entry) : String(index)
    // Duplicates are several mappings in one project: each of them has its own row.
    const place = JSON.stringify([row, entry.parts.target])
    const times = seen.get(place) ?? 0
    seen.set(place, times + 1)
    const name = `${row} ${times}`
    const fold = folds.get(name)
    if (fold === undefined) folds.set(name, [entry])
    else fold.push(entry)
  }
  return [...folds.values()]
}

function rowName({ mark, parts, why, sharedCure }: PlanEntry): string {
  const { who, before, role, fact, reason, place } = parts
  return JSON.stringify([mark.symbol, who, before, role, fact, reason, place, why, sharedCure])
}

/** The cure that a row names: an id of its own, or what its changes share. */
export const cureOf = (fold: Fold): string => (fold.length === 1 ? fold[0].cure : fold[0].sharedCure)

/** `125 projects` */
export const projectsText = (fold: Fold): string => `${count(fold.length)} projects`

/** `API, PAY, WEB …`: the first name, and as many more as fit. */
export function namesWithin(fold: Fold, charactersMax: number): string {
  const [first, ...others] = fold.map(({ parts }) => parts.target) as [string, ...string[]]
  let text = first
  for (const name of others) {
    if (text.length + 2 + name.length > charactersMax) return `${text} …`
    text += `, ${name}`
  }
  return text
}

/** What a row takes of the room that a format has: lines, characters. */
export type RoomCost = { readonly fold: (fold: Fold) => number; readonly total: (total: Total) => number }

/** Every entry once: in a row of its own or of its rule, or counted in a total. */
export type Packed = { readonly folds: readonly Fold[]; readonly totals: readonly Total[] }

/** The rows of entries of which none may be absent: as many as there is room for, and totals of the others. */
export function packed(entries: readonly PlanEntry[], room: number, cost: RoomCost): Packed {
  const folds = foldByRule(entries)
  const whole = within(folds, room, cost.fold)
  if (whole.length === folds.length) return { folds, totals: [] }
  const forTotals = Math.min(room / 2, sum(totalsOf(entries).map(cost.total)))
  let left = room - forTotals
  // A row with very long names takes the room of no other.
  const shown = new Set(
    folds.filter((fold) => {
      const takes = cost.fold(fold)
      if (takes > left) return false
      left -= takes
      return true
    }),
  )
  const others = folds.filter((fold) => !shown.has(fold)).flat()
  return { folds: [...shown], totals: totalsWithin(others, forTotals, cost.total) }
}

/** The first of some things, as many as have room. */
export function within<T>(all: readonly T[], room: number, cost: (one: T) => number): readonly T[] {
  let left = room
  const end = all.findIndex((one) => {
    left -= cost(one)
    return left < 0
  })
  return end < 0 ? all : all.slice(0, end)
}

/** Totals by role; where these have no room, only the largest of them by name. */
export function totalsWithin(entries: readonly PlanEntry[], room: number, cost: RoomCost['total']): readonly Total[] {
  let totals = totalsOf(entries)
  for (let named = totals.length; named > 0 && sum(totals.map(cost)) > room; ) {
    named = Math.floor(named / 2)
    totals = totalsOf(entries, named)
  }
  return totals
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
