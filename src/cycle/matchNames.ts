import type { GroupIndex } from '../core/group.ts'
import type { GroupName, Mapping } from '../core/mapping.ts'
import { declaredMappingsMax, isSelected, type Matches, matchStepsMax, patternId, type Unmatched } from '../core/matches.ts'
import { counted } from '../core/quantity.ts'
import { type Reading, valueIfRead } from '../core/reading.ts'
import { targetCount } from '../core/resolve/produce.ts'
import { type Captures, comparePositions, type Pattern, type WorkspaceDeclaration } from '../core/rule.ts'
import { foundIn, type MatchBounds, type MatchTurn, type Names, namesFrom, namesOfIndex } from './foundNames.ts'
import { type FencedUse, insideOf, mayDeclare, type PatternUses, patternUses, withoutPatternsOf } from './patternUses.ts'
import { openTurns } from './turns.ts'

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
  const characters = sources.reduce((sum, names) => sum + names.characters, 0)
  const unmatched = (why: string): Matched => ({ declared, matches: new Map(), unmatched: { why, because: first.because } })

  const within = withinSteps(open, owners, characters)
  if (typeof within === 'string') return unmatched(within)
  const matching = openMatching(sources, openTurns(signal))
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

/** Collects the matches of patterns as long as they stand for few enough mappings. */
function openMatching(sources: readonly Names[], turn: MatchTurn) {
  const matches = new Map<string, ReadonlyMap<GroupName, Captures>>()
  const usersOf = new Map<string, number>()
  const ownersUses = new Map<string, readonly FencedUse[]>()
  const ownersMappings = new Map<string, number>()
  const reasons: (readonly [owner: string, why: string])[] = []
  let openMappings = 0
  /** How many more names outside of fences are kept. They are only shown. */
  let outsideMax = declaredMappingsMax

  async function match(pattern: Pattern, bounds: MatchBounds): Promise<ReadonlyMap<GroupName, Captures>> {
    const found = new Map(matches.get(patternId(pattern)))
    for (const names of sources) for (const [name, captures] of await foundIn(names, pattern, bounds, turn)) found.set(name, captures)
    matches.set(patternId(pattern), found)
    usersOf.set(patternId(pattern), (usersOf.get(patternId(pattern)) ?? 0) + 1)
    return found
  }
  /** Leaves out the owner with most mappings until the others are few enough. */
  function dropLargest(): void {
    for (;;) {
      const sum = [...ownersMappings.values()].reduce((all, one) => all + one, openMappings)
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
      for (const { pattern, uses, several } of open) {
        const found = await match(pattern, { insideMax: (declaredMappingsMax - openMappings) / uses })
        openMappings += found.size * uses
        for (const rule of several) for (const captures of found.values()) openMappings += targetCount(rule, captures) - 1
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
        const found = await match(use.pattern, { insideMax: (declaredMappingsMax - mappings) / use.uses, isInside, outsideMax })
        const inside = [...insideOf(use, matches)]
        outsideMax = Math.max(0, outsideMax - Math.max(0, found.size - before - inside.length))
        mappings += inside.length * use.uses
        for (const rule of use.several) for (const captures of inside) mappings += targetCount(rule, captures) - 1
        if (mappings > declaredMappingsMax) break
      }
      ownersMappings.set(owner, mappings)
      dropLargest()
    },
  }
}
