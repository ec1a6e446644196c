import type { Change } from '../change.ts'
import type { Key, WorkspaceName } from '../mapping.ts'
import { type Approvals, renamedApprovals } from './approvals.ts'
import { type Bound, confirmedService } from './confirmed.ts'
import type { Echoes } from './echoes.ts'
import type { Service } from './entry.ts'
import type { KnownMappings } from './knownMappings.ts'
import type { LastApplied } from './lastApplied.ts'
import type { LastCycle } from './lastCycle.ts'
import type { MeantIds } from './meantIds.ts'
import type { Quarantine } from './quarantine.ts'
import { put, recordOf, type ShardedMap } from './shardedMap.ts'

/** The parts of the memory in which a workspace has its name. */
type Named = Bound & {
  readonly open: ShardedMap<Change>
  readonly quarantine: Quarantine
  readonly echoes: Echoes
  readonly storedNames: ShardedMap<Key>
  readonly mappings: KnownMappings
  readonly lastApplied: readonly LastApplied[]
  readonly projectIds: ShardedMap<MeantIds>
  readonly meantGroups: ShardedMap<MeantIds>
  readonly approvals: Approvals
  readonly lastCycle?: LastCycle
}

/**
 * The memory after an edit of the settings that gave workspaces other names. A workspace of Plane is known by its slug. So all that is remembered of
 * it moves to its new name: else its mappings would be unknown, and a key would lose its quarantine.
 *
 * `refusals` and `inDoubt` are named by the hash of a change, which contains the old name. Their changes are tried once more; the writes in doubt
 * still count for `guards.day`.
 */
export function withNewNames<T extends Named>(memory: T, { slugs }: Service): T {
  const known = confirmedService(memory) ?? { host: '', slugs: {} }
  const names = newNames(known.slugs, slugs)
  if (names.size === 0) return memory
  const name = (old: string): string => names.get(old) ?? old
  // A key and the name of a list begin with the workspace and a slash. The id of a mapping and the name of a directory have no slash.
  const key = <T extends string>(old: T): T => old.replace(/^[^/]*(?=\/)/u, name) as T
  return {
    ...memory,
    open: mapKeys(
      memory.open,
      (id) => id,
      (change) => withKeys(change, key),
    ),
    quarantine: renamed(memory.quarantine, key),
    echoes: renamed(memory.echoes, key),
    storedNames: mapKeys(memory.storedNames, key, key),
    mappings: mapKeys(memory.mappings, key, (list) => ({ ...list, ids: mapKeys(list.ids, key) })),
    lastApplied: memory.lastApplied.map((one) => ({ ...one, key: key(one.key) })),
    projectIds: mapKeys(memory.projectIds, name),
    meantGroups: mapKeys(memory.meantGroups, name),
    approvals: renamedApprovals(memory.approvals, name, key),
    service: { ...known, slugs: renamed(known.slugs, name) },
    ...(memory.lastCycle === undefined ? {} : { lastCycle: cycleOf(memory.lastCycle, name) }),
  }
}

/** Old name → new name, of each workspace whose slug has another name now. */
function newNames(before: Service['slugs'], now: Service['slugs']): ReadonlyMap<string, string> {
  const named = new Map(Object.entries(now).map(([name, slug]) => [slug, name]))
  const moved = Object.entries(before).flatMap(([old, slug]): [string, string][] => {
    const name = named.get(slug) ?? old
    return Object.hasOwn(before, name) || Object.hasOwn(now, old) ? [] : [[old, name]]
  })
  return new Map(moved)
}

const renamed = <T>(record: Readonly<Record<string, T>>, to: (name: string) => string): Record<string, T> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [to(name), value]))

const mapKeys = <T>(map: ShardedMap<T>, to: (name: string) => string, change = (value: T): T => value): ShardedMap<T> =>
  put<T>(
    map.map(() => new Map()),
    Object.fromEntries(Object.entries(recordOf(map)).map(([name, value]) => [to(name), change(value)])),
  )

const withKeys = (change: Change, key: (old: Change['key']) => Change['key']): Change =>
  change.action === 'rename' ? { ...change, key: key(change.key), from: key(change.from) } : { ...change, key: key(change.key) }

const cycleOf = (cycle: LastCycle, name: (old: string) => string): LastCycle => ({
  ...cycle,
  workspaces: cycle.workspaces.map((one) => name(one) as WorkspaceName),
  succeededMs: renamed(cycle.succeededMs, name),
})
