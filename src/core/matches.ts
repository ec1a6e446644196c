import { type GroupName, type Target, targetText } from './mapping.ts'
import type { Captures, GroupSelector, Pattern, Provenance, Unmanaged } from './rule.ts'

/**
 * The most steps for one workspace (steps of the patterns' programs × characters of the names): about four minutes with the slowest patterns and
 * names. 500 patterns of 20 steps and 16,000 names of 25 characters need this many.
 */
export const matchStepsMax = 4_000_000_000

/**
 * The most mappings that a declaration may stand for: far more than one API key can write in a day. The worker that reads a declaration
 * (`declaration/inWorker.ts`) has memory for this many.
 */
export const declaredMappingsMax = 200_000

/** Equal patterns have the same id, whatever rule has them. */
export const patternId = ({ syntax, source }: Pick<Pattern, 'syntax' | 'source'>): string => `${syntax} ${source}`

/** `patternId` → the names that the pattern matches → what it captures from each. */
export type Matches = ReadonlyMap<string, ReadonlyMap<GroupName, Captures>>

/** Why the patterns of a workspace were not matched with the names. `because`: the first of them. */
export type Unmatched = { readonly why: string; readonly because: Provenance }

const nothingCaptured: Captures = {}

/** The names that a selector selects, with its captures. */
export function* selected(groups: GroupSelector, matches: Matches): Generator<readonly [GroupName, Captures]> {
  if (groups.kind === 'exact') yield [groups.name, nothingCaptured]
  else for (const one of matches.get(patternId(groups.pattern)) ?? []) if (!groups.except.has(one[0])) yield one
}

/** Whether the declaration says that a mapping is never touched and never reported. */
export type IsUnmanaged = (group: GroupName, target: Target) => boolean

export function unmanagedBy(unmanaged: readonly Unmanaged[], matches: Matches): IsUnmanaged {
  const entryOf = unmanagedEntries(unmanaged, matches)
  return (group, target) => entryOf(group, target) !== undefined
}

/**
 * Returns a function that finds the unmanaged entry of a mapping. The function does not search through all entries, since there may be thousands of
 * entries and of mappings.
 */
export function unmanagedEntries(
  unmanaged: readonly Unmanaged[],
  matches: Matches,
): (group: GroupName, target: Target) => Unmanaged | undefined {
  // The target `undefined` stands for every target.
  const entries = new Map<GroupName, Map<string | undefined, Unmanaged>>()
  for (const entry of unmanaged) {
    for (const [group] of selected(entry.groups, matches)) {
      const sofar = entries.get(group) ?? new Map<string | undefined, Unmanaged>()
      const target = entry.target === undefined ? undefined : targetText(entry.target)
      if (!sofar.has(target)) sofar.set(target, entry)
      entries.set(group, sofar)
    }
  }
  return (group, target) => {
    const found = entries.get(group)
    return found?.get(targetText(target)) ?? found?.get(undefined)
  }
}
