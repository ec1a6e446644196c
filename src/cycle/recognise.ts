import { listText } from '../core/existing.ts'
import { type List, lists, type WorkspaceName } from '../core/mapping.ts'
import { idsOf, inJournal, knowsIds, type SlugChange, type WorkspaceIds } from '../core/memory/confirmed.ts'
import type { Service } from '../core/memory/entry.ts'
import type { Memory } from '../core/memory/memory.ts'
import { OperationalError } from '../core/operationalError.ts'
import { firstNames } from '../core/quantity.ts'
import { type Reading, valueIfRead, whyIncomplete } from '../core/reading.ts'
import { type Reader, Stopped } from './readExisting.ts'

type Named = { readonly workspace: WorkspaceName; readonly slug: string; readonly read: Pick<Reader, 'mappings' | 'projects'> }
type Journalled = { readonly memory: () => Memory; readonly rebind: (moved: SlugChange) => Promise<void> }

/**
 * Finds out whether a workspace of the settings is the one of the journal, before anything is planned in it. If its slug was changed, it is the same one if
 * Plane shows under the new slug a project or a mapping whose id the memory has of it. The journal then gets the new slug, and the name if that is new, too.
 * A workspace of which the memory has no id begins with the new slug as the settings say: nothing could show what it is, and no mapping of it is known.
 *
 * @param slugs those of all workspaces of the settings
 * @throws {OperationalError} if it is another workspace, or if no reading could show it; {Stopped}
 */
export async function recognise(
  { workspace, slug, read }: Named,
  slugs: Service['slugs'],
  { memory, rebind }: Journalled,
  signal: AbortSignal,
): Promise<void> {
  const record = inJournal(memory(), workspace, slugs)
  if (record.is === 'known') return
  if (record.is === 'other') throw knownAs(record.name, slug)
  const { candidates } = record
  const former = candidates.get(workspace)
  const { owner, unread, maybe } = await ownerOf(new Map([...candidates.keys()].map((name) => [name, idsOf(memory(), name)])), read, signal)
  if (owner !== undefined) {
    if (owner !== workspace && (former !== undefined || Object.hasOwn(slugs, owner))) throw knownAs(owner, slug)
    return await rebind({ workspace, former: owner, slug })
  }
  if (unread !== undefined && (former !== undefined || maybe.size > 0)) throw unproved(unread, slug, candidates)
  if (former === undefined) return
  if (knowsIds(memory(), workspace)) throw unknown(workspace, slug, former)
  await rebind({ workspace, former: workspace, slug })
}

type Unread = { readonly what: string; readonly why: string; readonly cure?: string | undefined }

/**
 * The known workspace of which Plane shows an id. Reads only what the memory has ids of, and no more than it takes to find one.
 *
 * @returns `unread`: a reading that was incomplete, so it may have lacked an id. `maybe`: the workspaces of which no reading was whole
 */
async function ownerOf(
  known: ReadonlyMap<WorkspaceName, WorkspaceIds>,
  read: Named['read'],
  signal: AbortSignal,
): Promise<{ readonly owner?: WorkspaceName; readonly unread: Unread | undefined; readonly maybe: ReadonlySet<WorkspaceName> }> {
  let unread: Unread | undefined
  const maybe = new Set<WorkspaceName>()
  const disproved = new Set<WorkspaceName>()
  for (const kind of ['projects', ...lists] as const) {
    const having = [...known].filter(([, ids]) => ids[kind].size > 0)
    if (having.length === 0) continue
    const reading = await idsShown(kind, read, signal)
    const ids = valueIfRead(reading) ?? []
    const owner = having.find(([, those]) => ids.some((id) => those[kind].has(id)))
    if (owner !== undefined) return { owner: owner[0], unread, maybe }
    if (signal.aborted) throw new Stopped('stopped before it was recognised')
    const why = whyIncomplete(reading)
    const what = kind === 'projects' ? 'the list of projects' : listText(kind)
    if (why !== undefined) unread = { what, why, ...(reading.status === 'failed' && { cure: reading.cure }) }
    for (const [name] of having) (why === undefined ? disproved : maybe).add(name)
  }
  return { unread, maybe: maybe.difference(disproved) }
}

async function idsShown(kind: 'projects' | List, read: Named['read'], signal: AbortSignal): Promise<Reading<readonly string[]>> {
  if (kind !== 'projects') return withValue(await read.mappings(kind, signal), (mappings) => mappings.map(({ id }) => id))
  return withValue(await read.projects(signal), (projects) => [...projects.values()].map(({ id }) => id))
}

const withValue = <T, U>(reading: Reading<T>, to: (value: T) => U): Reading<U> =>
  reading.status === 'failed' ? reading : { ...reading, value: to(reading.value) }

/** @param slug that of the settings */
const knownAs = (name: WorkspaceName, slug: string): OperationalError =>
  new OperationalError(
    'WorkspaceElsewhere',
    `the journal knows the workspace with the slug "${slug}" as ${name}, so nothing is written to it under another name`,
    { cure: `correct the slug; or, if it is the right one, name this workspace ${name} in the settings and in the declaration` },
  )

const unknown = (workspace: WorkspaceName, slug: string, former: string): OperationalError =>
  new OperationalError(
    'WorkspaceElsewhere',
    `the workspace with the slug "${slug}" is not the one that the journal has as ${workspace} with the slug "${former}": it shows none of the projects and mappings whose ids the journal has, so nothing is written to it`,
    {
      cure: 'correct the slug; or, if another workspace of Plane is meant, give it another name in the settings and in the declaration',
    },
  )

function unproved({ what, why, cure }: Unread, slug: string, candidates: ReadonlyMap<WorkspaceName, string>): OperationalError {
  const known = [...candidates].map(([name, former]) => `${name} with the slug "${former}"`)
  return new OperationalError(
    'WorkspaceUnproved',
    `Plane did not show whether the workspace with the slug "${slug}" is one that the journal has (${firstNames(known)}), because ${what} cannot be read whole: ${why}`,
    { cure },
  )
}
