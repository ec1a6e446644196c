import { type GroupName, type Target, targetText } from '../core/mapping.ts'
import { type Matches, matchStepsMax, patternId, unmanagedEntries } from '../core/matches.ts'
import { type Captures, type Pattern, positionText, type Removal, type Rule, type Unmanaged } from '../core/rule.ts'
import type { Part, Statement } from './compile.ts'

/** Rules with exact names, and removals, whose mappings are unmanaged. */
export function* unmanagedContradictions(parts: readonly Part[]): Generator<Contradiction> {
  for (const ofWorkspace of Map.groupBy(parts, ({ workspace }) => workspace).values()) {
    const unmanaged = ofWorkspace.flatMap((part) => part.unmanaged)
    if (unmanaged.length === 0) continue
    const matches = matchExact(unmanaged, ofWorkspace)
    if ('message' in matches) {
      yield matches
      continue
    }
    const entryOf = unmanagedEntries(
      unmanaged.map(({ what }) => what),
      matches,
    )
    for (const [statement, name, verb] of exactNames(ofWorkspace)) {
      const entry = entryOf(name.group, name.target)
      if (entry === undefined) continue
      const message = `${exactText(name)} is ${verb} here and unmanaged at ${positionText(entry.because.at)}`
      yield {
        statement,
        against: entry,
        message,
        cure: 'an unmanaged mapping is never touched: remove one of the two, or narrow "unmanaged"',
      }
    }
  }
}

/** The work to compare the patterns of `unmanaged` with the exact names of each workspace (`ReadingWork`). */
export function matchingOf(parts: readonly Part[]): number {
  let sum = 0
  for (const ofWorkspace of Map.groupBy(parts, ({ workspace }) => workspace).values()) {
    const { steps, characters } = matchingSize(
      ofWorkspace.flatMap(({ unmanaged }) => unmanaged),
      ofWorkspace,
    )
    sum += steps * characters
  }
  return sum
}

function matchingSize(unmanaged: readonly Statement<Unmanaged>[], parts: readonly Part[]) {
  const patterns = new Map<string, Pattern>()
  for (const { what } of unmanaged) {
    if (what.groups.kind === 'exact') continue
    for (const groups of [what.groups, ...(what.groups.within ?? [])])
      if (groups.kind === 'pattern') patterns.set(patternId(groups.pattern), groups.pattern)
  }
  const names = new Set<GroupName>()
  if (patterns.size > 0) for (const [, { group }] of exactNames(parts)) names.add(group)
  const characters = [...names].reduce((sum, name) => sum + name.length, 0)
  const steps = [...patterns.values()].reduce((sum, pattern) => sum + pattern.steps, 0)
  return { patterns, names, characters, steps }
}

function* exactNames(parts: readonly Part[]): Generator<readonly [Statement<Rule | Removal>, ExactName, verb: string]> {
  for (const { rules } of parts) {
    for (const statement of rules) {
      const name = exactNameOf(statement.what)
      if (name !== undefined) yield [statement, name, 'declared']
    }
  }
  for (const { removed } of parts) for (const statement of removed) yield [statement, statement.what, 'removed']
}

/**
 * The exact names of a workspace that the patterns of unmanaged entries match. A problem at the pattern with most steps, if the matching would cost too
 * much.
 */
function matchExact(unmanaged: readonly Statement<Unmanaged>[], parts: readonly Part[]): Matches | Contradiction {
  const { patterns, names, characters, steps } = matchingSize(unmanaged, parts)
  const [costliest] = unmanaged.toSorted((a, b) => stepsOf(b) - stepsOf(a))
  if (costliest !== undefined && steps * characters > matchStepsMax) {
    return {
      statement: costliest,
      message: `comparing the patterns of "unmanaged" with the declared names takes too long`,
      cure: `${steps} steps of their programs × ${characters} characters, at most ${matchStepsMax}: use simpler patterns`,
    }
  }
  return new Map([...patterns].map(([id, pattern]) => [id, matchesOf(pattern, names)]))
}

const stepsOf = ({ what: { groups } }: Statement<Unmanaged>): number => (groups.kind === 'exact' ? 0 : groups.pattern.steps)

function matchesOf(pattern: Pattern, names: Iterable<GroupName>): ReadonlyMap<GroupName, Captures> {
  const match = pattern.compile()
  const matches = new Map<GroupName, Captures>()
  for (const name of names) {
    const captures = match(name)
    if (captures !== undefined) matches.set(name, captures)
  }
  return matches
}

/** A problem: two entries that contradict each other. `said`: the entry to correct. */
export type Contradiction = {
  readonly statement: Statement<Rule | Removal | Unmanaged>
  /** The other entry. */
  readonly against?: Rule | Removal | Unmanaged
  readonly message: string
  readonly cure: string
}

/** An exact group on a fixed target, which can be compared before any directory is read. */
export type ExactName = { readonly group: GroupName; readonly target: Target }

/** Undefined for a rule with a pattern or a capture. */
export function exactNameOf({ groups, target, role }: Rule): ExactName | undefined {
  if (groups.kind !== 'exact' || target.kind !== 'fixed' || role.kind !== 'fixed') return undefined
  return { group: groups.name, target: target.target }
}

/** The text by which a problem names the mapping: `"devs" in ENG`. */
export const exactText = ({ group, target }: ExactName): string =>
  `"${group}" ${target.kind === 'workspace' ? 'in the workspace' : `in ${targetText(target)}`}`
