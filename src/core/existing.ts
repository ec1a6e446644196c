import type { Change, SettingsChangeBody } from './change.ts'
import { differingSettings, type GroupSync, groupSyncKey } from './groupSync.ts'
import type { Hold, HoldReason } from './hold.ts'
import { keyOf, type List, listOf, type Mapping, type ProjectIdentifier, type ProjectIndex, type Target } from './mapping.ts'
import type { IsOwned, IsUnmanaged } from './matches.ts'
import { type Reading, valueIfRead, whyIncomplete } from './reading.ts'
import type { RoleSettings } from './roles.ts'
import type { WorkspaceDeclaration } from './rule.ts'

/** The present state of one workspace in the service: the lists that the declaration covers, and the group-sync settings if it declares them. */
export type Existing = {
  readonly lists: ReadonlyMap<List, Reading<readonly Mapping[]>>
  readonly groupSync?: GroupSync
  /** Absent if no text of the declaration names a project. */
  readonly projects?: Reading<ProjectIndex>
}

/** All mappings that were read, also those of incomplete lists, and the reading of the projects. */
export const mappingsAndProjects = ({
  lists,
  projects,
}: Existing): { readonly existing: readonly Mapping[]; readonly projects?: Reading<ProjectIndex> } => ({
  existing: [...lists.values()].flatMap((reading) => valueIfRead(reading) ?? []),
  ...(projects === undefined ? {} : { projects }),
})

/** The projects that the list of projects shows, or that an existing mapping names. */
export function projectsKnownBy(existingState: Existing): ReadonlySet<ProjectIdentifier> {
  const { existing, projects } = mappingsAndProjects(existingState)
  return new Set([
    ...(valueIfRead(projects)?.keys() ?? []),
    ...existing.flatMap(({ target }) => (target.kind === 'project' ? [target.project] : [])),
  ])
}

/**
 * The lists with owned keys, those that contain a target of `removed` (a `removed` entry deletes its mapping even from a list that is not owned), and those
 * that frozen files may speak of.
 */
export const listsInScope = ({ owns, ownsKeys = [], removed, frozen = [] }: WorkspaceDeclaration): ReadonlySet<List> =>
  new Set([
    ...owns,
    ...ownsKeys.map(({ list }) => list),
    ...removed.map(({ target }) => listOf(target)),
    ...frozen.flatMap(({ fence }) => fence?.map(({ list }) => list) ?? bothLists),
  ])
const bothLists: readonly List[] = ['workspaceRoles', 'projectRoles']

/** Whether the declaration manages the list, or the keys inside of fences in it. */
export const isOwnedInPart = (list: List, { owns, ownsKeys = [] }: Pick<WorkspaceDeclaration, 'owns' | 'ownsKeys'>): boolean =>
  owns.has(list) || ownsKeys.some((keys) => keys.list === list)

/**
 * Whether a text names a project, or can name one by a capture. The list of projects is then read, to see whether the identifier still
 * names the same project.
 */
export function mayNameProjects({ rules, removed, unmanaged }: WorkspaceDeclaration): boolean {
  const ofProject = (target: Target | undefined) => target?.kind === 'project'
  return (
    rules.some(({ target }) => target.kind === 'captured' || ofProject(target.target)) ||
    removed.some(({ target }) => ofProject(target)) ||
    unmanaged.some(({ target }) => ofProject(target))
  )
}

/**
 * List → its mappings that were read, without the unmanaged ones. Of a list that is owned only inside of fences, these are the mappings inside of
 * them and those that `removed` names.
 */
export function managedMappings(
  declared: WorkspaceDeclaration,
  { lists }: Existing,
  { isUnmanaged, isOwned }: { readonly isUnmanaged: IsUnmanaged; readonly isOwned: IsOwned },
): ReadonlyMap<List, readonly Mapping[]> {
  const { workspace, owns, ownsKeys, removed, unmanaged, frozen } = declared
  const named = new Set(removed.map(({ group, target }) => keyOf(workspace, target, group)))
  const isInside = ({ key, group, target }: Mapping) => named.has(key) || isOwned(group, target)
  return new Map(
    [...listsInScope(declared)].toSorted().map((list) => {
      const seen = valueIfRead(lists.get(list)) ?? []
      const inside = (ownsKeys === undefined && frozen === undefined) || owns.has(list) ? seen : seen.filter(isInside)
      return [list, unmanaged.length === 0 ? inside : inside.filter(({ group, target }) => !isUnmanaged(group, target))]
    }),
  )
}

export const listText = (list: List): string => (list === 'workspaceRoles' ? 'the workspace mappings' : 'the project mappings')

/** The reason to hold if a list of mappings is incomplete; undefined if it is complete, and so proves absence. */
export function incompleteReason(list: List, reading: Reading<readonly Mapping[]> | undefined): HoldReason | undefined {
  const why = whyIncomplete(reading)
  return why === undefined ? undefined : { kind: 'readingIncomplete', of: listText(list), why }
}

/** The reason to hold if the list of projects is incomplete; undefined if it is complete. */
export function projectsReason(reading: Reading<ProjectIndex> | undefined): HoldReason | undefined {
  const why = whyIncomplete(reading)
  return why === undefined ? undefined : { kind: 'readingIncomplete', of: 'projects', why }
}

/** The group-sync settings as they are after these changes are written; undefined if they were not read and are not changed. */
export const settingsAfter = (has: GroupSync | undefined, changes: readonly Change[]): GroupSync | undefined => {
  const change = changes.find(({ action }) => action === 'settings')
  return change?.action === 'settings' ? { ...has, ...change.after } : has
}

/** The change that makes the group-sync settings as declared, with only the fields that differ; undefined if no field differs. */
export function settingsChange(
  { workspace, groupSync }: WorkspaceDeclaration,
  has: GroupSync | undefined,
  { aliases }: Pick<RoleSettings, 'aliases'>,
): SettingsChangeBody | undefined {
  if (groupSync === undefined || has === undefined) return undefined
  const differing = differingSettings(groupSync.wanted, has, aliases)
  if (differing.length === 0) return undefined
  const pick = (from: GroupSync): GroupSync => Object.fromEntries(differing.map((name) => [name, from[name]]))
  return {
    action: 'settings',
    key: groupSyncKey(workspace),
    before: pick(has),
    after: pick(groupSync.wanted),
    because: groupSync.because,
  }
}

/** The hold of group-sync settings about which files contradict each other; undefined if none do. */
export function settingsDispute({ workspace, groupSync }: WorkspaceDeclaration): Hold | undefined {
  const { contested, because } = groupSync ?? {}
  if (contested === undefined || because === undefined) return undefined
  return { key: groupSyncKey(workspace), reason: { kind: 'contested', rules: contested }, because }
}
