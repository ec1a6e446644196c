import type { SettingsChangeBody } from './change.ts'
import type { HoldReason } from './hold.ts'
import { type Key, type List, listOf, type Mapping, type ProjectIndex, type Target } from './mapping.ts'
import { type Reading, seen, whyIncomplete } from './reading.ts'
import { type GroupSync, isUnmanaged, type Unmanaged, type WorkspaceDeclaration } from './rule.ts'

/** What the service holds of one workspace: the lists that the declaration speaks of, and its settings where it does. */
export type Existing = {
  readonly lists: ReadonlyMap<List, Reading<readonly Mapping[]>>
  readonly groupSync?: GroupSync
  /** Absent where no text of the declaration needs them. */
  readonly projects?: Reading<ProjectIndex>
}

/** All mappings that were read, also those of an incomplete list, and the projects. */
export const seenOf = ({
  lists,
  projects,
}: Existing): { readonly existing: readonly Mapping[]; readonly projects?: Reading<ProjectIndex> } => ({
  existing: [...lists.values()].flatMap((reading) => seen(reading) ?? []),
  ...(projects === undefined ? {} : { projects }),
})

/** The lists that are owned, and those of which something is `removed`: that goes wherever it is. */
export const listsInScope = ({ owns, removed }: WorkspaceDeclaration): ReadonlySet<List> =>
  new Set([...owns, ...removed.map(({ target }) => listOf(target))])

/** Whether a text names a project, or may by what it captures: then the list of projects tells whether it is still the one that was meant. */
export function mayNameProjects({ rules, removed, unmanaged }: WorkspaceDeclaration): boolean {
  const ofProject = (target: Target | undefined) => target?.kind === 'project'
  return (
    rules.some(({ target }) => target.kind === 'captured' || ofProject(target.target)) ||
    removed.some(({ target }) => ofProject(target)) ||
    unmanaged.some(({ target }) => ofProject(target))
  )
}

/** Of each list that is spoken of what was seen of it, without what is unmanaged. */
export function managedMappings(
  declared: WorkspaceDeclaration,
  { lists }: Existing,
  unmanaged: readonly Unmanaged[],
): ReadonlyMap<List, readonly Mapping[]> {
  const managed = (seen: readonly Mapping[]) =>
    unmanaged.length === 0 ? seen : seen.filter(({ group, target }) => !isUnmanaged(unmanaged, group, target))
  return new Map(
    [...listsInScope(declared)].toSorted().map((list) => {
      return [list, managed(seen(lists.get(list)) ?? [])]
    }),
  )
}

export const listText = (list: List): string => (list === 'workspaceRoles' ? 'the workspace mappings' : 'the project mappings')

/** Why a list proves no absence; undefined where it does. */
export function incompleteReason(list: List, reading: Reading<readonly Mapping[]> | undefined): HoldReason | undefined {
  const why = whyIncomplete(reading)
  return why === undefined ? undefined : { kind: 'readingIncomplete', of: listText(list), why }
}

/** Why the list of projects proves no absence; undefined where it does. */
export function projectsReason(reading: Reading<ProjectIndex> | undefined): HoldReason | undefined {
  const why = whyIncomplete(reading)
  return why === undefined ? undefined : { kind: 'readingIncomplete', of: 'projects', why }
}

/** Only what differs from what the declaration says of the workspace's own settings. */
export function settingsChange({ workspace, groupSync }: WorkspaceDeclaration, has: GroupSync | undefined): SettingsChangeBody | undefined {
  if (groupSync === undefined || has === undefined) return undefined
  const differing = (Object.keys(groupSync.wanted) as (keyof GroupSync)[]).filter((name) => groupSync.wanted[name] !== has[name])
  if (differing.length === 0) return undefined
  const pick = (from: GroupSync): GroupSync => Object.fromEntries(differing.map((name) => [name, from[name]]))
  return {
    action: 'settings',
    key: `${workspace}/groupSync` as Key,
    before: pick(has),
    after: pick(groupSync.wanted),
    because: groupSync.because,
  }
}
