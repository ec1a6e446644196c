import { type FencedProjects, isProjectIn } from '../core/fencedProjects.ts'
import { type GroupIndex } from '../core/group.ts'
import { type GroupName, type List, listOf, type Mapping, type Target, targetText } from '../core/mapping.ts'
import { declaredMappingsMax, isSelected, type Matches, matchStepsMax, patternId, type Unmatched } from '../core/matches.ts'
import { counted } from '../core/quantity.ts'
import { type Reading, valueIfRead } from '../core/reading.ts'
import { targetCount } from '../core/resolve/produce.ts'
import {
  type Captures,
  comparePositions,
  type GroupSelector,
  type Pattern,
  type Provenance,
  type Rule,
  type Unmanaged,
  type WorkspaceDeclaration,
} from '../core/rule.ts'
import { openYielder } from './turns.ts'

/** `declared`: the declaration, in which the patterns that were left out select nothing. */
type Matched = { readonly declared: WorkspaceDeclaration; readonly matches: Matches; readonly unmatched?: Unmatched }

/**
 * Matches the patterns of a workspace with the names in directories and existing mappings, each pattern with each name once. Other work gets
 * its turn meanwhile. If the work is too much, or the patterns stand for too many mappings, the patterns of owners inside fences are left out, those of
 * the owner who needs most first. A pattern inside a fence counts only for the mappings inside.
 *
 * @returns `unmatched` if patterns were left out; no matches if those of files without limits are too much
 * @throws {Stopped} if `signal` fired before all names were matched
 */
export async function matchNames(
  declared: WorkspaceDeclaration,
  directories: ReadonlyMap<string, Reading<GroupIndex>>,
  existing: readonly Mapping[],
  signal: AbortSignal,
): Promise<Matched> {
  const { open, owners } = patternUses(declared)
  const [first = [...owners.values()][0]?.[0]] = open
  if (first === undefined) return { declared, matches: new Map() }
  const indexes = [...directories.values()].flatMap((reading) => valueIfRead(reading) ?? [])
  const inNone = existing.flatMap(({ group }) => (indexes.some((index) => index.has(group)) ? [] : [group]))
  const sources = [...indexes.map(namesOfIndex), namesFrom(new Set(inNone))]
  const sent = open.some(({ leaves }) => leaves === true) ? sentNames(declared, indexes, new Set(inNone)) : namesFrom([])
  const characters = [...sources, sent].reduce((sum, names) => sum + names.characters, 0)
  const unmatched = (why: string): Matched => ({ declared, matches: new Map(), unmatched: { why, because: first.because } })

  const within = withinSteps(open, owners, characters)
  if (typeof within === 'string') return unmatched(within)
  const matching = openMatching(sources, sent, openYielder(signal))
  if (!(await matching.addOpen(open))) return unmatched(`the patterns stand for more than ${declaredMappingsMax} mappings`)
  for (const [owner, uses] of within.owners) await matching.addOwner(owner, uses)
  const { matches } = matching
  const reasons = [...within.reasons, ...matching.reasons()]
  if (reasons.length === 0) return { declared, matches }
  const leftOut = new Set(reasons.map(([owner]) => owner))
  const because = [...leftOut]
    .flatMap((owner) => owners.get(owner) ?? [])
    .toSorted((a, b) => comparePositions(a.because.at, b.because.at))[0]
  return {
    declared: withoutPatternsOf(declared, leftOut),
    matches,
    unmatched: {
      why: reasons.map(([, why]) => why).join('; '),
      because: (because ?? first).because,
      owners: leftOut,
      mayDeclare: mayDeclare(declared, leftOut, matches),
    },
  }
}

/** The owners whose patterns are matched, and why those of others are not. A sentence if the patterns of files without limits cost too much. */
function withinSteps(open: PatternUses['open'], owners: PatternUses['owners'], characters: number) {
  const left = new Map(owners)
  const reasons: (readonly [owner: string, why: string])[] = []
  for (;;) {
    const patterns = new Map([open, ...left.values()].flat().map(({ pattern }) => [patternId(pattern), pattern]))
    const steps = stepsOf(patterns.values())
    if (steps * characters <= matchStepsMax) return { owners: left, reasons }
    const [most] = [...left]
      .map(([owner, uses]) => ({ owner, steps: stepsOf(uses.map(({ pattern }) => pattern)) }))
      .toSorted((a, b) => b.steps - a.steps)
    const needs = (count: number, own: number, whose: string) =>
      `the limit is ${matchStepsMax} steps, and ${counted(count, 'pattern')}${whose} ${count === 1 ? 'needs' : 'need'} ${own} steps of their programs × ${characters} characters of the names`
    if (most === undefined) return needs(patterns.size, steps, '')
    reasons.push([most.owner, needs(left.get(most.owner)?.length ?? 0, most.steps, ` of ${most.owner}`)])
    left.delete(most.owner)
  }
}

const stepsOf = (patterns: Iterable<Pattern>): number => Iterator.from(patterns).reduce((sum, { steps }) => sum + steps, 0)

/**
 * The groups that neither a directory nor a mapping has, and that a rule gives a role all the same. An unmanaged entry must leave them before the mapping
 * exists, too. Other patterns do not speak of them.
 */
function sentNames({ rules }: WorkspaceDeclaration, indexes: readonly GroupIndex[], mapped: ReadonlySet<GroupName>): Names {
  const names = rules.flatMap(({ groups, unknownGroups }) => (groups.kind === 'exact' && unknownGroups === 'send' ? groups.name : []))
  return namesFrom(new Set(names.filter((name) => !mapped.has(name) && !indexes.some((index) => index.has(name)))))
}

/**
 * Collects the matches of patterns as long as they stand for few enough mappings.
 *
 * @param sent names for the patterns of unmanaged entries only
 */
function openMatching(sources: readonly Names[], sent: Names, turn: MatchTurn) {
  const matches = new Map<string, ReadonlyMap<GroupName, Captures>>()
  const usersOf = new Map<string, number>()
  const ownersUses = new Map<string, readonly FencedUse[]>()
  const ownersMappings = new Map<string, number>()
  const reasons: (readonly [owner: string, why: string])[] = []
  let openMappings = 0
  /** How many more names outside of fences are kept. They are only shown. */
  let outsideMax = declaredMappingsMax

  async function match(pattern: Pattern, bounds: MatchBounds, searchedSources = sources): Promise<ReadonlyMap<GroupName, Captures>> {
    const ownMatches = new Map(matches.get(patternId(pattern)))
    for (const names of searchedSources)
      for (const [name, captures] of await foundIn(names, pattern, bounds, turn)) ownMatches.set(name, captures)
    matches.set(patternId(pattern), ownMatches)
    usersOf.set(patternId(pattern), (usersOf.get(patternId(pattern)) ?? 0) + 1)
    return ownMatches
  }
  /** Leaves out the owner with most mappings until the others are few enough. */
  function dropLargest(): void {
    for (;;) {
      const sum = [...ownersMappings.values()].reduce((total, mappings) => total + mappings, openMappings)
      const [most] = [...ownersMappings].toSorted(([, a], [, b]) => b - a)
      if (sum <= declaredMappingsMax || most === undefined) return
      ownersMappings.delete(most[0])
      for (const { pattern } of ownersUses.get(most[0]) ?? []) {
        const id = patternId(pattern)
        const users = (usersOf.get(id) ?? 0) - 1
        usersOf.set(id, users)
        if (users <= 0) matches.delete(id)
      }
      reasons.push([
        most[0],
        `the patterns of ${most[0]} stand for too many mappings: all patterns together may stand for ${declaredMappingsMax}`,
      ])
    }
  }
  return {
    matches,
    reasons: () => reasons,
    /** False: they stand for too many mappings. */
    async addOpen(open: PatternUses['open']): Promise<boolean> {
      for (const { pattern, uses, several, leaves } of open) {
        const searchedSources = leaves === true ? [...sources, sent] : sources
        const ownMatches = await match(pattern, { insideMax: (declaredMappingsMax - openMappings) / uses }, searchedSources)
        openMappings += ownMatches.size * uses
        for (const rule of several) for (const captures of ownMatches.values()) openMappings += targetCount(rule, captures) - 1
        if (openMappings > declaredMappingsMax) return false
      }
      return true
    },
    async addOwner(owner: string, uses: readonly FencedUse[]): Promise<void> {
      let mappings = 0
      const matched: FencedUse[] = []
      ownersUses.set(owner, matched)
      for (const use of uses) {
        matched.push(use)
        const isInside = (name: GroupName) => isSelected(use.within, name, matches)
        const before = matches.get(patternId(use.pattern))?.size ?? 0
        const ownMatches = await match(use.pattern, { insideMax: (declaredMappingsMax - mappings) / use.uses, isInside, outsideMax })
        const inside = [...insideOf(use, matches)]
        outsideMax = Math.max(0, outsideMax - Math.max(0, ownMatches.size - before - inside.length))
        mappings += inside.length * use.uses
        for (const rule of use.several) for (const captures of inside) mappings += targetCount(rule, captures) - 1
        if (mappings > declaredMappingsMax) break
      }
      ownersMappings.set(owner, mappings)
      dropLargest()
    },
  }
}

/** The cost to compile a pattern: this many match steps for each step of the pattern's program. */
const compiling = 1_000
/** The cost to begin a match, in match steps. */
const beginning = 20

/** Names, and what was found in them so far: `patternId` → names. */
type Names = {
  readonly names: Iterable<GroupName>
  readonly characters: number
  readonly matches: Map<string, ReadonlyMap<GroupName, Captures>>
}

function namesFrom(names: Iterable<GroupName>): Names {
  let characters = 0
  for (const name of names) characters += name.length
  return { names, characters, matches: new Map() }
}

/** A cache of a pure function. The readings of directories are the same objects for all workspaces and slices of a cycle. */
const known = new WeakMap<GroupIndex, Names>()

function namesOfIndex(index: GroupIndex): Names {
  const names = known.get(index) ?? namesFrom({ [Symbol.iterator]: () => index.keys() })
  known.set(index, names)
  return names
}

type MatchTurn = ReturnType<typeof openYielder>
/** `insideMax`: if more names match, the rest is left out. `isInside`: names for which it is false count towards `outsideMax`. */
type MatchBounds = { readonly insideMax: number; readonly isInside?: (name: GroupName) => boolean; readonly outsideMax?: number }

/** The names that a pattern matches, within the bounds. */
async function foundIn(
  { names, matches }: Names,
  pattern: Pattern,
  { insideMax, isInside = () => true, outsideMax = 0 }: MatchBounds,
  turn: MatchTurn,
): Promise<ReadonlyMap<GroupName, Captures>> {
  const before = matches.get(patternId(pattern))
  if (before !== undefined) return before
  const fresh = new Map<GroupName, Captures>()
  await turn(pattern.steps * compiling)
  const match = pattern.compile()
  let inside = 0
  let outside = 0
  for (const name of names) {
    const captures = match(name)
    if (captures !== undefined) {
      if (isInside(name)) inside++
      else outside++
      if (outside <= outsideMax || isInside(name)) fresh.set(name, captures)
    }
    if (inside > insideMax) return fresh
    const pause = turn(beginning + pattern.steps * name.length)
    if (pause !== undefined) await pause
  }
  if (outside <= outsideMax) matches.set(patternId(pattern), fresh)
  return fresh
}

/**
 * A pattern, the first entry that uses it, and the number of these entries. A pattern of a fence only limits others, so it has no entries.
 * `several`: the entries that name several projects for a captured text. `leaves`: an unmanaged entry of a file without limits uses it.
 */
type Used = {
  readonly pattern: Pattern
  readonly because: Provenance
  uses: number
  readonly several: Pick<Rule, 'target'>[]
  leaves?: true
}

/** A pattern in files inside a fence. `within`: the groups of the fence. */
type FencedUse = Used & { readonly within: readonly GroupSelector[] }

/** The patterns of a workspace, in the order of the files. `open`: of files without limits, of the fences themselves, and of frozen files. `owners`: of files inside fences. */
type PatternUses = { readonly open: readonly Used[]; readonly owners: ReadonlyMap<string, readonly FencedUse[]> }

export function patternUses({ rules, unmanaged, ownsKeys = [], frozen = [] }: WorkspaceDeclaration): PatternUses {
  const open = new Map<string, Used>()
  const owners = new Map<string, Map<string, FencedUse>>()
  const used = (pattern: Pattern, because: Provenance): Used => ({ pattern, because, uses: 0, several: [] })
  const useFence = (selectors: readonly GroupSelector[], because: Provenance) => {
    for (const groups of selectors) {
      if (groups.kind === 'exact') continue
      entryOf(open, patternId(groups.pattern), () => used(groups.pattern, because))
      useFence(groups.without ?? [], because)
    }
  }
  for (const { groups, because, target } of [...rules, ...unmanaged]) {
    if (groups.kind === 'exact') continue
    const { pattern, within, fence } = groups
    const use =
      within === undefined
        ? entryOf(open, patternId(pattern), () => used(pattern, because))
        : entryOf(
            entryOf(owners, because.owner ?? '', () => new Map<string, FencedUse>()),
            `${fenceListKey(fence, target)} ${patternId(pattern)}`,
            () => ({ ...used(pattern, because), within }),
          )
    use.uses++
    if (target?.kind === 'captured' && target.map.values().some(({ length }) => length > 1)) use.several.push({ target })
    useFence(within ?? [], because)
  }
  for (const { groups } of unmanaged) {
    const use = groups.kind === 'pattern' && groups.within === undefined ? open.get(patternId(groups.pattern)) : undefined
    if (use !== undefined) use.leaves = true
  }
  for (const { groups, because } of ownsKeys) useFence(groups, because)
  for (const { names, fence = [], because } of frozen) for (const { groups } of [...names, ...fence]) useFence(groups, because)
  const inPlaces = <T extends Used>(uses: Iterable<T>) => [...uses].toSorted((a, b) => comparePositions(a.because.at, b.because.at))
  return { open: inPlaces(open.values()), owners: new Map([...owners].map(([owner, uses]) => [owner, inPlaces(uses.values())])) }
}

function entryOf<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const before = map.get(key)
  if (before !== undefined) return before
  const made = make()
  map.set(key, made)
  return made
}

/** An entry with a captured project is of the list of project mappings. */
const listOfTarget = (target: Rule['target'] | Unmanaged['target']): List =>
  target === undefined || target.kind === 'captured' ? 'projectRoles' : listOf(target.kind === 'fixed' ? target.target : target)

/** A list of one fence. A path cannot contain the character that ends it. */
const fenceListKey = (fence: string | undefined, target: Rule['target'] | Unmanaged['target']): string =>
  `${listOfTarget(target)} ${fence}\0`

/** The names that a use of a pattern selects, with what the pattern captured. */
export const insideOf = ({ pattern, within }: Pick<FencedUse, 'pattern' | 'within'>, matches: Matches): Iterable<Captures> =>
  Iterator.from(matches.get(patternId(pattern)) ?? []).flatMap(([name, captures]) => (isSelected(within, name, matches) ? [captures] : []))

/** The declaration in which the patterns of these owners select no name. */
export function withoutPatternsOf(declared: WorkspaceDeclaration, owners: ReadonlySet<string>): WorkspaceDeclaration {
  const none = <T extends Rule | Unmanaged>(entry: T): T =>
    fencedPattern(entry, owners) === undefined ? entry : { ...entry, groups: { ...entry.groups, within: [] } }
  return { ...declared, rules: declared.rules.map(none), unmanaged: declared.unmanaged.map(none) }
}

/** The path and the groups of the fence, if the entry is a pattern in a file of these owners. */
function fencedPattern({ groups, because }: Rule | Unmanaged, owners: ReadonlySet<string>) {
  if (groups.kind === 'exact' || groups.within === undefined || !owners.has(because.owner ?? '')) return undefined
  return { fence: groups.fence, within: groups.within }
}

/** Whether a pattern of these owners may be about a mapping: the group and the target are inside the fence of its file. */
export function mayDeclare(
  declared: WorkspaceDeclaration,
  owners: ReadonlySet<string>,
  matches: Matches,
): NonNullable<Unmatched['mayDeclare']> {
  const places = new Map<
    string,
    { readonly within: readonly GroupSelector[]; readonly targets: Set<string>; readonly captured: FencedProjects[] }
  >()
  for (const entry of [...declared.rules, ...declared.unmanaged]) {
    const { target } = entry
    const fenced = fencedPattern(entry, owners)
    if (fenced === undefined || target === undefined) continue
    const { fence, within } = fenced
    const { targets, captured } = entryOf(places, fenceListKey(fence, target), () => ({ within, targets: new Set<string>(), captured: [] }))
    if (target.kind !== 'captured') targets.add(targetText(target.kind === 'fixed' ? target.target : target))
    else if (target.only !== undefined && !captured.includes(target.only)) captured.push(target.only)
  }
  const isCaptured = (captured: readonly FencedProjects[], target: Target) =>
    target.kind === 'project' && captured.some((projects) => isProjectIn(projects, target.project))
  return (group, target) =>
    places
      .values()
      .some(
        ({ within, targets, captured }) =>
          (targets.has(targetText(target)) || isCaptured(captured, target)) && isSelected(within, group, matches),
      )
}
