import { counted } from '../core/quantity.ts'
import type { PlanEntry } from './entry.ts'
import { type Total, totalsOf } from './totals.ts'

/** The entries of one row: the same change of one group in one project or in several. */
export type Fold = readonly [PlanEntry, ...PlanEntry[]]

/** Puts entries that differ only in their project into one row, at the place of the first. */
export function foldByRule(entries: readonly PlanEntry[]): readonly Fold[] {
  const folds = new Map<string, [PlanEntry, ...PlanEntry[]]>()
  const seen = new Map<string, number>()
  for (const [index, entry] of entries.entries()) {
    const { target } = entry
    const row = target?.kind === 'project' ? rowName(entry) : String(index)
    // Duplicate mappings in one project are separate rows.
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

function rowName({ mark, parts, why, times, sharedCure }: PlanEntry): string {
  const { who, before, role, fact, reason, place } = parts
  return JSON.stringify([mark.symbol, who, before, role, fact, reason, place, why, times, sharedCure])
}

/** `160 people, 158 newly, 2 raised`. The effect stands in a row of several entries only if it is the same for all of them. */
export function factOf(fold: Fold): string {
  const [{ parts }] = fold
  const effect = fold.every((entry) => entry.parts.effect === parts.effect) ? parts.effect : ''
  return [parts.fact, effect ?? ''].filter((part) => part !== '').join(', ')
}

export const clauses = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join('; ')

/** The cure of a row. A row of one entry names that change's own id. */
export const cureOf = (fold: Fold): string => (fold.length === 1 ? fold[0].cure : fold[0].sharedCure)

/** `125 projects` */
export const projectsText = (fold: Fold): string => counted(fold.length, 'project')

/** The projects of a row: `API, PAY, WEB …` */
export const projectsWithin = (fold: Fold, charactersMax: number): string =>
  namesWithin(
    fold.map(({ parts }) => parts.target),
    charactersMax,
  )

/** `API, PAY, WEB …`: the first name always, and as many others as fit into `charactersMax`. */
export function namesWithin([first = '', ...others]: readonly string[], charactersMax: number): string {
  let text = first
  for (const name of others) {
    if (text.length + 2 + name.length > charactersMax) return `${text} …`
    text += `, ${name}`
  }
  return text
}

/** The room that a row or a total takes, in the unit of the format: lines or characters. */
export type RoomCost = { readonly fold: (fold: Fold) => number; readonly total: (total: Total) => number }

/** Every entry is either in exactly one row or counted in exactly one total. */
type Packed = { readonly folds: readonly Fold[]; readonly totals: readonly Total[] }

/** Rows for as many entries as `room` allows, and totals of all others, so that no entry is left out. */
export function packed(entries: readonly PlanEntry[], room: number, cost: RoomCost): Packed {
  const folds = foldByRule(entries)
  const whole = within(folds, room, cost.fold)
  if (whole.length === folds.length) return { folds, totals: [] }
  const forTotals = Math.min(room / 2, sum(totalsOf(entries).map(cost.total)))
  const shown = new Set(within(folds, room - forTotals, cost.fold))
  const others = folds.filter((fold) => !shown.has(fold)).flat()
  return { folds: [...shown], totals: totalsWithin(others, forTotals, cost.total) }
}

/** Those of `items`, in their order, that fit into `room`. One that does not fit is left out, so that it takes no room of those after it. */
export function within<T>(items: readonly T[], room: number, cost: (item: T) => number): readonly T[] {
  let left = room
  return items.filter((item) => {
    const takes = cost(item)
    if (takes > left) return false
    left -= takes
    return true
  })
}

/**
 * Totals by role. If they do not fit, fewer roles are named, and the others share totals. If no role is named and the totals still do not fit, the
 * result is longer than `room`.
 */
export function totalsWithin(entries: readonly PlanEntry[], room: number, cost: RoomCost['total']): readonly Total[] {
  let totals = totalsOf(entries)
  for (let named = totals.length; named > 0 && sum(totals.map(cost)) > room; ) {
    named = Math.floor(named / 2)
    totals = totalsOf(entries, named)
  }
  return totals
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
