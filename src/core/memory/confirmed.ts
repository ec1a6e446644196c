import type { WorkspaceName } from '../mapping.ts'
import type { Entry, Service } from './entry.ts'
import { at, type ShardedMap, shardedMapOf, without } from './shardedMap.ts'

/**
 * Which service a journal belongs to. The first entries that rest on an answer of the service bind it: a write, ids, a list. The entries
 * `start` and `service` alone do not, because the settings may name a wrong address or slug.
 */
type Bound = {
  readonly service?: Service
  /** The workspaces of `service` of which no answer was accepted yet. */
  readonly unconfirmed: ShardedMap<true>
}

/** The service after an entry `start` or `service`. Names that no answer has confirmed are replaced. */
export function serviceOfSettings(before: Bound, { host, slugs }: Service): Required<Bound> {
  const kept = confirmedService(before)?.slugs ?? {}
  const isNew = Object.keys(slugs).filter((name) => !Object.hasOwn(kept, name))
  return {
    service: { host, slugs: { ...kept, ...slugs } },
    unconfirmed: shardedMapOf(Object.fromEntries(isNew.map((name) => [name, true]))),
  }
}

/** The workspaces that no answer has confirmed, after one more entry. */
export function unconfirmedAfter({ unconfirmed }: Bound, entry: Entry): ShardedMap<true> {
  const name = workspaceOf(entry)
  return name === undefined || at(unconfirmed, name) === undefined ? unconfirmed : without(unconfirmed, name)
}

/** The workspace about which an entry is. Such an entry is written only after the service has answered for this workspace. */
function workspaceOf(entry: Entry): WorkspaceName | undefined {
  // Older versions stored the size of each list, as `acme/projectRoles`. The name of a directory has no slash.
  if (entry.kind === 'reading') return /^(.*)\//u.exec(entry.of)?.[1] as WorkspaceName | undefined
  if (entry.kind === 'groups') return entry.meant?.workspace
  return 'workspace' in entry ? entry.workspace : undefined
}

/** The service to which the journal belongs: its host, and the slugs that answers have confirmed. Undefined if it belongs to none yet. */
export function confirmedService({ service, unconfirmed }: Bound): Service | undefined {
  if (service === undefined) return undefined
  const slugs = Object.entries(service.slugs).filter(([name]) => at(unconfirmed, name) === undefined)
  return slugs.length === 0 ? undefined : { host: service.host, slugs: Object.fromEntries(slugs) }
}
