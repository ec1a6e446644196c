import { mostOf } from '../core/bounds.ts'
import { symbols } from './change.ts'
import type { PlanEntry } from './entry.ts'

/*
 * Which entries share a row. This is the only such rule: for changes, holds, later changes, undeclared mappings and results, in text, Markdown and status.
 *
 * | if | then |
 * |---|---|
 * | always | what one rule does for one group in several projects is one row: a fold |
 * | all folds fit | each has its row |
 * | not all fit | protected roles and settings keep rows of their own, then the most unusual folds: by people, by target, by role. As many keep theirs as fit |
 * | a fold has no row of its own | it shares one with others: of its rule, else of its file, of its folder, of the same roles. The narrowest of these that takes at most half of the room |
 * | that does not fit | different roles and different dates share a row |
 * | always | no row has two kinds of change, or two kinds of target: never the workspace or all projects beside single projects |
 *
 * Each entry is in exactly one row. In Markdown rows that do not fit even so are left out and counted, but for those of which nothing may be left out.
 */

/** The entries of one rule and one group, in one project or in several. */
export type Fold = readonly [PlanEntry, ...PlanEntry[]]

/** The folds of one row. */
export type Bundle = readonly [Fold, ...Fold[]]

/** The room of a section, in the unit of the format: lines or characters. */
type Room = { readonly max: number; readonly cost: (row: Bundle) => number }

/** The rows for all of these entries. They take more than `room` only if even the fewest possible rows do. */
export function folded(entries: readonly PlanEntry[], { max, cost }: Room): readonly Bundle[] {
  const folds = foldByRule(reviewOrder(entries))
  const fit = (rows: readonly Bundle[], room: number) => fitting(rows, room, cost) === rows.length
  const alone = folds.map((fold): Bundle => [fold])
  if (fit(alone, max)) return alone
  const share =
    levels
      .values()
      .map((level) => sharing(folds, level))
      .find((rowsOf) => fit(rowsOf(folds), max / 2)) ?? sharing(folds, 'kind')
  const ranked = unusualFirst(folds)
  const places = new Map(folds.map((fold, index) => [fold, index]))
  const place = (fold: Fold) => places.get(fold) ?? 0
  const rowsWith = (own: number): readonly Bundle[] => {
    const single = ranked.slice(0, own).map((fold): Bundle => [fold])
    const shared = share(ranked.slice(own).toSorted((a, b) => place(a) - place(b)))
    return [...single, ...shared].toSorted((a, b) => place(a.at(-1) as Fold) - place(b.at(-1) as Fold))
  }
  const order = ranked.map((fold): Bundle => [fold])
  let best = rowsWith(0)
  // Folds that get rows of their own make shared rows longer or shorter, or leave none of them. So the first guess is corrected.
  let [fits, tooMany] = [0, ranked.length]
  let room = max - sum(best, cost)
  for (let round = 0; round < roundsMax && fits + 1 < tooMany; round += 1) {
    const guess = fitting(order, room, cost)
    const own = guess > fits && guess < tooMany ? guess : Math.floor((fits + tooMany) / 2)
    const rows = rowsWith(own)
    const spare = max - sum(rows, cost)
    room += spare
    if (spare < 0) tooMany = own
    else [fits, best] = [own, rows]
  }
  return best
}

const roundsMax = 8

/** How many of the first rows fit. */
function fitting(rows: readonly Bundle[], room: number, cost: Room['cost']): number {
  let left = room
  const end = rows.findIndex((row) => {
    left -= cost(row)
    return left < 0
  })
  return end < 0 ? rows.length : end
}

/** Each entry in a row of its own. */
export const eachAlone = (entries: readonly PlanEntry[]): readonly Bundle[] => reviewOrder(entries).map((entry) => [[entry]])

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

/** What the folds of a shared row have in common besides the kind of change and of target. */
const levels = ['rule', 'file', 'folder', 'roles', 'kind'] as const
type Level = (typeof levels)[number]

/** The shared rows of some of the folds. */
function sharing(folds: readonly Fold[], level: Level): (some: readonly Fold[]) => readonly Bundle[] {
  const names = new Map(folds.map((fold) => [fold, nameAt(level, fold[0])]))
  return (some) => [...Map.groupBy(some, (fold) => names.get(fold)).values()] as unknown as readonly Bundle[]
}

function nameAt(level: Level, { mark, target, atMs, parts, label, because, why, sharedCure }: PlanEntry): string {
  const { before, role, place, reason } = parts
  const kind = [mark.symbol, target?.kind ?? parts.target, label]
  switch (level) {
    case 'rule':
      return JSON.stringify([kind, atMs, before, role, place, reason, why, sharedCure])
    case 'file':
      return JSON.stringify([kind, atMs, before, role, because?.at.file, because?.owner, sharedCure])
    case 'folder':
      return JSON.stringify([kind, atMs, before, role, folderOf(because?.at.file)])
    case 'roles':
      return JSON.stringify([kind, atMs, before, role])
    case 'kind':
      return JSON.stringify(kind)
    default:
      return level satisfies never
  }
}

/** `teams/` of `teams/eng.yaml`; empty for a file that lies in no folder, and for a mapping that no rule declares. */
export const folderOf = (file = ''): string => file.slice(0, file.lastIndexOf('/') + 1)

/** Protected roles and settings first, by their order or by how unusual they are; the better of the two counts. Then the others, the most unusual first. */
function unusualFirst(folds: readonly Fold[]): readonly Fold[] {
  const pinned = folds.filter(([entry]) => isPinned(entry))
  const others = folds.filter(([entry]) => !isPinned(entry))
  const places = new Map(pinned.map((fold, index) => [fold, index]))
  const unusual = unusualPlace(pinned)
  return [...sortedBy(pinned, (fold) => Math.min(places.get(fold) ?? 0, unusual(fold))), ...sortedBy(others, unusualPlace(others))]
}

/** How many others are as unusual as a fold, or more: by people, by how few have the same target, or by how few have the same roles; the least of the three. */
function unusualPlace(folds: readonly Fold[]): (fold: Fold) => number {
  const known = folds.filter(([{ size }]) => size !== undefined)
  const unknownPeople = folds.length - known.length - 1
  const byPeople = placeBy(known, ([{ size }]) => -largest(size))
  const byTarget = placeBy(
    folds,
    rarity(folds, (fold) => fold.map(({ target, parts }) => `${target?.kind} ${parts.target}`)),
  )
  const byRole = placeBy(
    folds,
    rarity(folds, ([{ mark, parts }]) => [`${mark.symbol} ${parts.before} ${parts.role}`]),
  )
  return (fold) => Math.min(fold[0].size === undefined ? unknownPeople : byPeople(fold), byTarget(fold), byRole(fold))
}

function sortedBy(folds: readonly Fold[], place: (fold: Fold) => number): readonly Fold[] {
  const places = new Map(folds.map((fold) => [fold, place(fold)]))
  return folds.toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0))
}

/** An unknown size counts as the largest. */
const largest = (size: PlanEntry['size']): number => (size === undefined ? Number.POSITIVE_INFINITY : mostOf(size))

/** Protected grants and the change of the workspace's settings, which is the only change without a target. */
export const isPinned = ({ isProtected, target }: PlanEntry): boolean => isProtected || target === undefined

/** How many others have the same value as a fold, or a lower one. */
function placeBy(folds: readonly Fold[], value: (fold: Fold) => number): (fold: Fold) => number {
  const last = new Map(
    folds
      .map(value)
      .toSorted((a, b) => a - b)
      .map((number, index) => [number, index]),
  )
  return (fold) => last.get(value(fold)) ?? 0
}

/** How many folds have the rarest of the names of a fold. */
function rarity(folds: readonly Fold[], names: (fold: Fold) => readonly string[]): (fold: Fold) => number {
  const counts = new Map<string, number>()
  for (const name of folds.flatMap((fold) => [...new Set(names(fold))])) counts.set(name, (counts.get(name) ?? 0) + 1)
  return (fold) => names(fold).reduce((least, name) => Math.min(least, counts.get(name) ?? 0), folds.length)
}

/** Those that take rights away or change them come before those that only add some. */
const kindsInOrder = [symbols.settings, symbols.delete, symbols.lower, symbols.other, symbols.raise, symbols.rename, symbols.create].map(
  ({ symbol }) => symbol,
)

/**
 * Protected grants first: among them the earliest date comes first, then the widest target, then the most people; an unknown number counts as the most.
 * Then, within each date, by kind of change, and the workspace and all projects before single projects. Otherwise entries keep their order.
 */
export function reviewOrder(entries: readonly PlanEntry[]): readonly PlanEntry[] {
  const reach = ({ target }: PlanEntry) => (target === undefined ? 0 : reaches[target.kind])
  const people = (entry: PlanEntry) => largest(entry.size)
  const date = ({ atMs = 0 }: PlanEntry) => atMs
  const kind = ({ mark }: PlanEntry) => kindsInOrder.indexOf(mark.symbol)
  const isProject = ({ target }: PlanEntry) => Number(target?.kind === 'project')
  const grants = entries.filter(({ isProtected }) => isProtected)
  const others = entries.filter(({ isProtected }) => !isProtected)
  return [
    // Infinity - Infinity is NaN, which `toSorted` treats as equal.
    ...grants.toSorted((a, b) => date(a) - date(b) || reach(a) - reach(b) || people(b) - people(a)),
    ...others.toSorted((a, b) => date(a) - date(b) || kind(a) - kind(b) || isProject(a) - isProject(b)),
  ]
}

const reaches = { workspace: 1, allProjects: 2, project: 3 } as const

/** Those of `all`, in their order, that fit into `room`. One that does not fit is left out, so that it takes no room of those after it. */
export function within<T>(all: readonly T[], room: number, cost: (one: T) => number): readonly T[] {
  let left = room
  return all.filter((one) => {
    const takes = cost(one)
    if (takes > left) return false
    left -= takes
    return true
  })
}

const sum = (rows: readonly Bundle[], cost: Room['cost']): number => rows.reduce((total, row) => total + cost(row), 0)
