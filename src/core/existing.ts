import type { SettingsDeed } from './change.ts'
import type { HoldReason } from './hold.ts'
import { type Key, type List, listOf, type Mapping } from './mapping.ts'
import type { Reading } from './reading.ts'
import type { GroupSync, WorkspaceDeclaration } from './rule.ts'
import { isUnmanaged } from './unmanaged.ts'

/** What the service holds of one workspace: the lists that the declaration speaks of, and its settings where it does. */
export type Existing = {
  readonly lists: ReadonlyMap<List, Reading<readonly Mapping[]>>
  readonly groupSync?: GroupSync
}

/** The lists that are owned, and those of which something is `removed`: that goes wherever it is. */
export const listsSpokenOf = ({ owns, removed }: WorkspaceDeclaration): ReadonlySet<List> =>
  new Set([...owns, ...removed.map(({ target }) => listOf(target))])

/** Of each list that is spoken of what was seen of it, without what is unmanaged. */
export function managedMappings(declared: WorkspaceDeclaration, { lists }: Existing): ReadonlyMap<List, readonly Mapping[]> {
  const { unmanaged } = declared
  const managed = (seen: readonly Mapping[]) =>
    unmanaged.length === 0 ? seen : seen.filter(({ group, target }) => !isUnmanaged(unmanaged, group, target))
  return new Map(
    [...listsSpokenOf(declared)].toSorted().map((list) => {
      const reading = lists.get(list)
      return [list, reading === undefined || reading.status === 'failed' ? [] : managed(reading.value)]
    }),
  )
}

/** Mappings by their key. Nearly every key has one; lists for all of a hundred thousand would cost more than to compare them. */
export type ByKey = {
  readonly keys: number
  /** The mapping of a key that has just one. */
  only(key: Key): Mapping | undefined
  /** In the order of their ids, so that equal worlds give equal plans. */
  at(key: Key): readonly Mapping[]
}

export function byKeyOf(lists: readonly (readonly Mapping[])[]): ByKey {
  const last = new Map<Key, Mapping>()
  for (const mappings of lists) for (const mapping of mappings) last.set(mapping.key, mapping)
  const several = last.size === lists.reduce((sum, { length }) => sum + length, 0) ? new Map<Key, Mapping[]>() : duplicates(lists.flat())
  const only = (key: Key) => (several.has(key) ? undefined : last.get(key))
  return { keys: last.size, only, at: (key) => several.get(key) ?? [only(key) ?? []].flat() }
}

function duplicates(mappings: readonly Mapping[]): Map<Key, Mapping[]> {
  const all = [...Map.groupBy(mappings, ({ key }) => key)].filter(([, same]) => same.length > 1)
  return new Map(all.map(([key, same]) => [key, same.toSorted((a, b) => (a.id < b.id ? -1 : 1))]))
}

export const listText = (list: List): string => (list === 'workspaceRoles' ? 'the workspace mappings' : 'the project mappings')

/** Why a list proves no absence; undefined where it does. */
export function incompleteReason(list: List, reading: Reading<readonly Mapping[]> | undefined): HoldReason | undefined {
  const of = listText(list)
  if (reading === undefined) return { kind: 'readingIncomplete', of, why: 'they were not read' }
  if (reading.status === 'complete') return undefined
  return { kind: 'readingIncomplete', of, why: reading.status === 'failed' ? reading.why : reading.missing }
}

/** Only what differs from what the declaration says of the workspace's own settings. */
export function settingsDeed({ workspace, groupSync }: WorkspaceDeclaration, has: GroupSync | undefined): SettingsDeed | undefined {
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
