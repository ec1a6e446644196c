import { type List, listOf, targetText } from '../core/mapping.ts'
import { isSelected, type Matches, patternId, type Unmatched } from '../core/matches.ts'
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

/**
 * A pattern, the first entry that uses it, and the number of these entries. A pattern of a fence only limits others, so it has no entries.
 * `several`: the entries that name several projects for a captured text.
 */
type Used = { readonly pattern: Pattern; readonly because: Provenance; uses: number; readonly several: Pick<Rule, 'target'>[] }

/** A pattern in files inside a fence. `within`: the groups of the fence. */
export type FencedUse = Used & { readonly within: readonly GroupSelector[] }

/** The patterns of a workspace, in the order of the files. `open`: of files without limits, and of the fences themselves. `owners`: of files inside fences. */
export type PatternUses = { readonly open: readonly Used[]; readonly owners: ReadonlyMap<string, readonly FencedUse[]> }

export function patternUses({ rules, unmanaged, ownsKeys = [] }: WorkspaceDeclaration): PatternUses {
  const open = new Map<string, Used>()
  const owners = new Map<string, Map<string, FencedUse>>()
  const used = (pattern: Pattern, because: Provenance): Used => ({ pattern, because, uses: 0, several: [] })
  const useFence = (selectors: readonly GroupSelector[], because: Provenance) => {
    for (const groups of selectors)
      if (groups.kind === 'pattern') entryOf(open, patternId(groups.pattern), () => used(groups.pattern, because))
  }
  for (const { groups, because, target } of [...rules, ...unmanaged]) {
    if (groups.kind === 'exact') continue
    const { pattern, within, fence } = groups
    const one =
      within === undefined
        ? entryOf(open, patternId(pattern), () => used(pattern, because))
        : entryOf(
            entryOf(owners, because.owner ?? '', () => new Map<string, FencedUse>()),
            `${placeIn(fence, target)} ${patternId(pattern)}`,
            () => ({ ...used(pattern, because), within }),
          )
    one.uses++
    if (target?.kind === 'captured' && target.map.values().some(({ length }) => length > 1)) one.several.push({ target })
    useFence(within ?? [], because)
  }
  for (const { groups, because } of ownsKeys) useFence(groups, because)
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
const placeIn = (fence: string | undefined, target: Rule['target'] | Unmanaged['target']): string => `${listOfTarget(target)} ${fence}\0`

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
  const places = new Map<string, { readonly within: readonly GroupSelector[]; readonly targets: Set<string> }>()
  for (const entry of [...declared.rules, ...declared.unmanaged]) {
    const { target } = entry
    const fenced = fencedPattern(entry, owners)
    if (fenced === undefined || target === undefined) continue
    const { fence, within } = fenced
    const { targets } = entryOf(places, placeIn(fence, target), () => ({ within, targets: new Set<string>() }))
    if (target.kind !== 'captured') targets.add(targetText(target.kind === 'fixed' ? target.target : target))
    else for (const project of target.only ?? []) targets.add(targetText({ kind: 'project', project }))
  }
  return (group, target) =>
    places.values().some(({ within, targets }) => targets.has(targetText(target)) && isSelected(within, group, matches))
}
