import { isProjectIn } from './fencedProjects.ts'
import { type GroupName, listOf, type Target, targetText } from './mapping.ts'
import { once } from './once.ts'
import type { Captures, FencedKeys, GroupSelector, Pattern, Provenance, Rule, Unmanaged, WorkspaceDeclaration } from './rule.ts'

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

/**
 * Why patterns of a workspace were not matched with the names. `because`: the first of them. `owners`: only patterns of these owners' files inside fences
 * were not matched; absent: no pattern was. `mayDeclare`: whether such a pattern may be about a mapping; absent: about every mapping.
 */
export type Unmatched = {
  readonly why: string
  readonly because: Provenance
  readonly owners?: ReadonlySet<string>
  readonly mayDeclare?: (group: GroupName, target: Target) => boolean
}

const nothingCaptured: Captures = {}

/** The names that a selector selects, with its captures. */
export function* selected(groups: GroupSelector, matches: Matches): Generator<readonly [GroupName, Captures]> {
  if (groups.kind === 'exact') yield [groups.name, nothingCaptured]
  else for (const match of matches.get(patternId(groups.pattern)) ?? []) if (isKept(groups, match[0], matches)) yield match
}

/** Whether one of the selectors selects the name. */
export const isSelected = (selectors: readonly GroupSelector[], name: GroupName, matches: Matches): boolean =>
  selectors.some((groups) =>
    groups.kind === 'exact'
      ? groups.name === name
      : matches.get(patternId(groups.pattern))?.has(name) === true && isKept(groups, name, matches),
  )

const isKept = ({ except, without, within }: Extract<GroupSelector, { kind: 'pattern' }>, name: GroupName, matches: Matches): boolean =>
  !except.has(name) &&
  (without === undefined || !isSelected(without, name, matches)) &&
  (within === undefined || isSelected(within, name, matches))

/** Whether the declaration manages the mapping of this group on this target: it is declared, or else it is undeclared. */
export type IsOwned = (group: GroupName, target: Target) => boolean

export function ownedBy(
  { owns, ownsKeys = [], rules }: Pick<WorkspaceDeclaration, 'owns' | 'ownsKeys' | 'rules'>,
  matches: Matches,
): IsOwned {
  const isInside = (group: GroupName, target: Target) => isKeyIn(ownsKeys, group, target, matches)
  // A name that neither a directory nor a mapping has is in no match of a fence's pattern.
  const named = once(() => new Set(rules.flatMap((rule) => exactKey(rule) ?? [])))
  return (group, target) =>
    owns.has(listOf(target)) || (ownsKeys.length > 0 && (isInside(group, target) || named().has(`${targetText(target)} ${group}`)))
}

/** Whether the keys of fences contain this one. */
export const isKeyIn = (fenceKeys: readonly Omit<FencedKeys, 'because'>[], group: GroupName, target: Target, matches: Matches): boolean =>
  fenceKeys.some((keys) => keys.list === listOf(target) && isTargetIn(keys, target) && isSelected(keys.groups, group, matches))

/** The target and the group of a rule inside a fence that names both. */
const exactKey = ({ fenced, groups, target }: Rule): string | undefined =>
  fenced === true && groups.kind === 'exact' && target.kind === 'fixed' ? `${targetText(target.target)} ${groups.name}` : undefined

/** Whether the keys of a fence have this target. */
export function isTargetIn(
  { list, projects, allProjects }: Pick<FencedKeys, 'list' | 'projects' | 'allProjects'>,
  target: Target,
): boolean {
  switch (target.kind) {
    case 'workspace':
      return list === 'workspaceRoles'
    case 'project':
      return isProjectIn(projects, target.project)
    case 'allProjects':
      return allProjects
    default:
      return target satisfies never
  }
}

/** Whether the declaration says that a mapping is never touched and never reported. */
export type IsUnmanaged = (group: GroupName, target: Target) => boolean

/**
 * Returns a function that finds the unmanaged entry of a mapping, one of a file without limits first. The function does not search through all
 * entries, since there may be thousands of entries and of mappings.
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
      const before = sofar.get(target)
      if (before === undefined || (before.fenced === true && entry.fenced !== true)) sofar.set(target, entry)
      entries.set(group, sofar)
    }
  }
  return (group, target) => {
    const byTarget = entries.get(group)
    const onTarget = byTarget?.get(targetText(target))
    const onEvery = byTarget?.get(undefined)
    return onTarget?.fenced === true ? (onEvery ?? onTarget) : (onTarget ?? onEvery)
  }
}
