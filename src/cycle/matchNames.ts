import type { GroupIndex } from '../core/group.ts'
import type { GroupName, Mapping } from '../core/mapping.ts'
import { declaredMappingsMax, type Matches, matchStepsMax, patternId, type Unmatched } from '../core/matches.ts'
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
  type WorkspaceDeclaration,
} from '../core/rule.ts'
import { openTurns } from './turns.ts'

/** The cost to compile a pattern: this many match steps for each step of the pattern's program. */
const compiling = 1_000
/** The cost to begin a match, in match steps. */
const beginning = 20

type Matched = { readonly matches: Matches; readonly unmatched?: Unmatched }

/**
 * Matches the patterns of a workspace with the names in directories and existing mappings, each pattern with each name once. Other work gets
 * its turn meanwhile.
 *
 * @returns `unmatched` and no matches if the work is too much, or if the patterns stand for too many mappings
 * @throws {Stopped} if `signal` fired before all names were matched
 */
export async function matchNames(
  declared: WorkspaceDeclaration,
  directories: ReadonlyMap<string, Reading<GroupIndex>>,
  existing: readonly Mapping[],
  signal: AbortSignal,
): Promise<Matched> {
  const patterns = usedPatterns(declared)
  const [first] = patterns
  if (first === undefined) return { matches: new Map() }
  const unmatched = (why: string): Matched => ({ matches: new Map(), unmatched: { why, because: first.because } })
  const indexes = [...directories.values()].flatMap((reading) => valueIfRead(reading) ?? [])
  const inNone = existing.flatMap(({ group }) => (indexes.some((index) => index.has(group)) ? [] : [group]))
  const sources = [...indexes.map(namesOfIndex), namesOf(new Set(inNone))]

  const characters = sources.reduce((sum, names) => sum + names.characters, 0)
  const steps = patterns.reduce((sum, { pattern }) => sum + pattern.steps, 0)
  if (steps * characters > matchStepsMax) {
    const product = `${steps} steps of their programs × ${characters} characters of the names`
    return unmatched(
      `the limit is ${matchStepsMax} steps, and ${counted(patterns.length, 'pattern')} ${patterns.length === 1 ? 'needs' : 'need'} ${product}`,
    )
  }
  const turn = openTurns(signal)
  const matches = new Map<string, ReadonlyMap<GroupName, Captures>>()
  let mappings = 0
  for (const { pattern, uses, several } of patterns) {
    const found = new Map<GroupName, Captures>()
    for (const names of sources) {
      for (const [name, captures] of await foundIn(names, pattern, (declaredMappingsMax - mappings) / uses, turn)) found.set(name, captures)
    }
    mappings += found.size * uses
    for (const rule of several) for (const captures of found.values()) mappings += targetCount(rule, captures) - 1
    if (mappings > declaredMappingsMax) return unmatched(`the patterns stand for more than ${declaredMappingsMax} mappings`)
    matches.set(patternId(pattern), found)
  }
  return { matches }
}

/**
 * Each distinct pattern, the first entry that uses it, and the number of these entries. A pattern of a fence only limits others, so it has no entries.
 * `several`: the entries that name several projects for a captured text.
 */
type Used = { readonly pattern: Pattern; readonly because: Provenance; uses: number; readonly several: Pick<Rule, 'target'>[] }

/** In the order of the files. */
function usedPatterns({ rules, unmanaged, ownsKeys = [] }: WorkspaceDeclaration): readonly Used[] {
  const used = new Map<string, Used>()
  const use = (pattern: Pattern, because: Provenance): Used => {
    const one = used.get(patternId(pattern)) ?? { pattern, because, uses: 0, several: [] }
    used.set(patternId(pattern), one)
    return one
  }
  const useFence = (selectors: readonly GroupSelector[], because: Provenance) => {
    for (const groups of selectors) if (groups.kind === 'pattern') use(groups.pattern, because)
  }
  for (const { groups, because, target } of [...rules, ...unmanaged]) {
    if (groups.kind === 'exact') continue
    const one = use(groups.pattern, because)
    one.uses++
    if (target?.kind === 'captured' && target.map.values().some(({ length }) => length > 1)) one.several.push({ target })
    useFence(groups.within ?? [], because)
  }
  for (const { groups, because } of ownsKeys) useFence(groups, because)
  return [...used.values()].toSorted((a, b) => comparePositions(a.because.at, b.because.at))
}

/** Names, and what was found in them so far: `patternId` → names. */
type Names = {
  readonly names: Iterable<GroupName>
  readonly characters: number
  readonly found: Map<string, ReadonlyMap<GroupName, Captures>>
}

function namesOf(names: Iterable<GroupName>): Names {
  let characters = 0
  for (const name of names) characters += name.length
  return { names, characters, found: new Map() }
}

/** A cache of a pure function. The readings of directories are the same objects for all workspaces and slices of a cycle. */
const known = new WeakMap<GroupIndex, Names>()

function namesOfIndex(index: GroupIndex): Names {
  const names = known.get(index) ?? namesOf({ [Symbol.iterator]: () => index.keys() })
  known.set(index, names)
  return names
}

/** The names that a pattern matches; if there are more than `countMax`, only the first of them. */
async function foundIn(
  { names, found }: Names,
  pattern: Pattern,
  countMax: number,
  turn: ReturnType<typeof openTurns>,
): Promise<ReadonlyMap<GroupName, Captures>> {
  const before = found.get(patternId(pattern))
  if (before !== undefined) return before
  const fresh = new Map<GroupName, Captures>()
  await turn(pattern.steps * compiling)
  const match = pattern.compile()
  for (const name of names) {
    const captures = match(name)
    if (captures !== undefined) fresh.set(name, captures)
    if (fresh.size > countMax) return fresh
    const pause = turn(beginning + pattern.steps * name.length)
    if (pause !== undefined) await pause
  }
  found.set(patternId(pattern), fresh)
  return fresh
}
