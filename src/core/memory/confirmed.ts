import { type List, lists, type WorkspaceName } from '../mapping.ts'
import type { Entry, Service } from './entry.ts'
import { type KnownMappings, keysById, listName } from './knownMappings.ts'
import type { MeantIds } from './meantIds.ts'
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

const confirmedSlugs = (memory: Bound): Service['slugs'] => confirmedService(memory)?.slugs ?? {}

/**
 * The service of edited settings as an entry `start` or `service` has it. A workspace whose slug was changed keeps its confirmed slug there. It gets the new
 * one by an entry of `rebindings`, after the service has shown there what the memory knows of it.
 */
export function boundService(memory: Bound, { host, slugs }: Service): Service {
  const known = confirmedSlugs(memory)
  return { host, slugs: Object.fromEntries(Object.entries(slugs).map(([name, slug]) => [name, known[name] ?? slug])) }
}

/** A workspace of the settings that is the one which the journal knows as `former`, under another slug. */
export type SlugChange = { readonly workspace: WorkspaceName; readonly former: WorkspaceName; readonly slug: string }

/** The entries `service` that give a workspace its new slug. If its name is new, too, a second entry gives it the name, by the slug. */
export function rebindings({ service }: Bound, { workspace, former, slug }: SlugChange): readonly Service[] {
  if (service === undefined) return []
  const moved = { ...service, slugs: { ...service.slugs, [former]: slug } }
  const { [former]: _, ...others } = moved.slugs
  return former === workspace ? [moved] : [moved, { ...service, slugs: { ...others, [workspace]: slug } }]
}

/**
 * How a workspace of the settings is found in the journal, by its name and slug.
 *
 * | in the journal                                          | is                                                                             |
 * |---------------------------------------------------------|--------------------------------------------------------------------------------|
 * | this name with this slug                                | known                                                                          |
 * | this name with another slug                             | open: it must show an id that the memory has of it                             |
 * | this slug only with another name, which the settings have, too | other: what is remembered is of that name                               |
 * | neither                                                 | open: it is new, unless it shows an id of a workspace that is not at its slug   |
 *
 * `candidates`: the workspaces that are not under their confirmed slug in the settings, with that slug.
 */
type InJournal =
  | { readonly is: 'known' }
  | { readonly is: 'other'; readonly name: WorkspaceName }
  | { readonly is: 'open'; readonly candidates: ReadonlyMap<WorkspaceName, string> }

/** @param slugs those of all workspaces of the settings */
export function inJournal(memory: Bound, workspace: WorkspaceName, slugs: Service['slugs']): InJournal {
  const confirmed = confirmedSlugs(memory)
  const slug = slugs[workspace]
  if (confirmed[workspace] === slug) return { is: 'known' }
  const known = Object.entries(confirmed) as [WorkspaceName, string][]
  const atSlug = known.find(([, knownSlug]) => knownSlug === slug)
  if (confirmed[workspace] === undefined && atSlug !== undefined) return { is: 'other', name: atSlug[0] }
  return { is: 'open', candidates: new Map(known.filter(([name, knownSlug]) => slugs[name] !== knownSlug)) }
}

/** The ids of a workspace that the memory knows, by what they are ids of. */
export type WorkspaceIds = Readonly<Record<'projects' | List, ReadonlySet<string>>>

type IdMemory = { readonly projectIds: ShardedMap<MeantIds>; readonly mappings: KnownMappings }

export function idsOf({ projectIds, mappings }: IdMemory, workspace: WorkspaceName): WorkspaceIds {
  const projects = Object.values(at(projectIds, workspace) ?? {}).flatMap((ids) => Object.keys(ids))
  const ofList = (list: List) => new Set<string>(keysById(at(mappings, listName(workspace, list))).keys())
  return { projects: new Set(projects), workspaceRoles: ofList('workspaceRoles'), projectRoles: ofList('projectRoles') }
}

export const knowsIds = (memory: IdMemory, workspace: WorkspaceName): boolean => {
  const { projects, ...ofLists } = idsOf(memory, workspace)
  return projects.size > 0 || lists.some((list) => ofLists[list].size > 0)
}
