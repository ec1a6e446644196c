import type { DialectName } from '../../src/sandbox/dialect.ts'
import type { Published, RateFields } from '../../src/sandbox/rate-headers.ts'
import type { Limiter } from '../../src/sandbox/throttle.ts'
import type { Declared } from './declared.ts'

/** Everything that will happen in one world, as plain data: the same spec gives the same run, and a spec with less in it is a smaller one. Times are ms after the world's begin. */
export type Spec = {
  readonly seed: number
  readonly beginMs: number
  /** Until then things go wrong. */
  readonly endMs: number
  readonly intervalMs: number
  readonly dialect: DialectName
  readonly limiter: Limiter
  readonly published: Published
  readonly rateFields: RateFields
  /** Whether answers say what time it is. */
  readonly dates: boolean
  readonly serviceLimit: number
  readonly settingsLimit: number
  readonly reserve: string
  /** Of the budget that is gone when the world begins. */
  readonly usedAtBegin: number
  readonly deltaMs: number
  readonly policy: 'sync' | 'upsert-only' | 'create-only' | 'observe'
  readonly suspend: boolean | 'grants'
  readonly journal: 'folder' | 'none'
  readonly guards: Guards
  readonly directories: readonly string[]
  /** How the service answers a second mapping of one key. */
  readonly duplicates: 400 | 409 | undefined
  readonly echo: boolean
  /** Lists show what there was so long ago, as a replica would; absent: what there is. */
  readonly lagMs: number | undefined
  /** Lists come in pages of so many rows; absent: as one array. */
  readonly perPage: number | undefined
  /** Every so many requests the service's worker is replaced. */
  readonly recycleEvery: number | undefined
  readonly rows: Readonly<Record<string, readonly Row[]>>
  readonly groups: Readonly<Record<string, readonly string[]>>
  readonly versions: readonly Version[]
  readonly lives: readonly Life[]
  readonly happenings: readonly Happening[]
  /** By the number of the request, as the service's network counts them. */
  readonly fates: readonly { readonly request: number; readonly fate: Fate }[]
  readonly traps: readonly Trap[]
  /** What happens to each renaming of a mapping, or to each change of its role: there are few of them. `once`: to its first sending only. */
  readonly patchFate: { readonly of: 'rename' | 'role'; readonly once: boolean; readonly fate: Fate } | undefined
  /** What happens to the first sending of a delete, and to its repetition: to so many deletes. */
  readonly deleteFate: { readonly deletes: number; readonly first: Fate; readonly again: Fate } | undefined
  /** The first answer to each list of a workspace shows this share of its rows. With a journal: in the world. Without: in the life of one process. */
  readonly firstList: { readonly shows: number; readonly process: number } | undefined
  /** The projects of each workspace when the world begins. */
  readonly projects: readonly string[]
  /** Somebody runs a second program for the same workspaces, with a journal of its own. */
  readonly twoWriters: boolean
  /** Rendered text and log lines are looked at; it costs time. */
  readonly reads: boolean
}

export type Guards = { readonly changes: number; readonly deletes: number; readonly creates: number; readonly dayChanges: number }
export type Row = { readonly group: string; readonly at: string; readonly role: string }

/** `tornMs`: so long only the first part of the file is there. `broken`: it is no valid declaration. */
export type Version = {
  readonly atMs: number
  readonly declared: Declared
  readonly tornMs?: number
  readonly tornShare?: number
  readonly broken?: boolean
}

/** One process of the program, from its start to its end. */
export type Life = {
  readonly atMs: number
  readonly mode: 'daemon' | 'once'
  readonly folder: string
  /** The operator's word that nobody else has written; with its journal at hand a process knows that itself. */
  readonly noWait: boolean
  readonly skewMs: number
  /** How much faster its clock goes. */
  readonly drift: number
  /** `call`: at its so many-th dealing with the outside. */
  readonly end?:
    | { readonly is: 'kill' | 'power' | 'stop'; readonly atMs: number }
    | { readonly is: 'kill' | 'power'; readonly call: number; readonly after: boolean }
}

/** The so many-th write of the world, and the process that sent it ends while it is on its way; the next one comes soon. */
export type Trap = {
  readonly write: number
  readonly how: 'kill' | 'power' | 'stop'
  readonly afterMs: number
  readonly againAfterMs: number
  /** By how much the clock of the next one's host is wrong; absent: it is the same host. */
  readonly againSkewMs?: number
  /** What happens to the write. */
  readonly fate: Fate | undefined
}

export type Happening = { readonly atMs: number } & (
  | { readonly is: 'hand'; readonly workspace: string; readonly row: Row; readonly does: 'add' | 'set' | 'drop' }
  | { readonly is: 'group'; readonly directory: string; readonly group: string; readonly does: 'appears' | 'goes' }
  | { readonly is: 'directory'; readonly directory: string; readonly mode: DirectoryMode }
  | { readonly is: 'others'; readonly requests: number; readonly gapMs: number }
  | { readonly is: 'limit'; readonly requests: number }
  | { readonly is: 'serviceRestart' }
  | ({ readonly is: 'disk' } & DiskMode)
  | { readonly is: 'project'; readonly workspace: string; readonly change: ProjectChange }
)
/** What people do with projects in Plane. A project keeps its id, and its mappings refer to it by that; a project that is made has a new one. */
export type ProjectChange =
  | { readonly does: 'rename' | 'swap'; readonly project: string; readonly to: string }
  /** `takes`: the mappings of the project vanish with it. */
  | { readonly does: 'vanish'; readonly project: string; readonly takes: boolean }
  /** `hide`: the key's owner does not see the project any more. `return`: one that vanished is there again. */
  | { readonly does: 'make' | 'return' | 'hide' | 'show'; readonly project: string }
/** `full` after `room` more bytes; `unsynced`: it takes everything, and makes nothing durable. */
export type DiskMode = { readonly mode: 'well' | 'unsynced' } | { readonly mode: 'full'; readonly room: number }
export type DirectoryMode = 'whole' | 'failed' | 'partial' | 'empty' | 'shrunk' | 'slow'

/** What happens to one request on its way. */
export type Fate =
  | { readonly is: 'unreachable' | 'lostRequest' | 'truncated' | 'driftGrow' | 'driftShrink' }
  /** A web page with status 200. `instead`: of something before the service, which never gets the request. */
  | { readonly is: 'html'; readonly instead?: true }
  | { readonly is: 'lostAnswer' | 'hang' }
  /** A list shows what there was so long ago, as a replica would. */
  | { readonly is: 'stale'; readonly lagMs: number }
  /** The client hears of a broken connection; the service executes it so much later. */
  | { readonly is: 'late'; readonly afterMs: number }
  | { readonly is: 'slow'; readonly beforeMs: number; readonly afterMs: number }
  | { readonly is: 'throttled'; readonly retryAfterS: number | undefined }
  /** A 404 that says nothing of the object: of a proxy, as text or as a page, or the service's own for an address that it does not know. */
  | { readonly is: 'notFound'; readonly by: 'proxy' | 'page' | 'address' }
  /** `laterMs`: something before the service gave up waiting; the service executes it so much later. */
  | {
      readonly is: 'status'
      readonly status: number
      readonly committed: boolean
      readonly laterMs?: number
      readonly retryAfterS?: number
    }

/** A world in a line, before anything happens in it. */
export function specText({ seed, limiter, published, serviceLimit, settingsLimit, deltaMs, policy, journal, ...spec }: Spec): string {
  const kinds = (of: readonly { readonly is: string }[]) => [...new Set(of.map(({ is }) => is))].toSorted().join(', ') || 'none'
  return [
    `seed ${seed}: ${limiter} of ${serviceLimit} a minute that publishes ${published}, told as ${settingsLimit}`,
    `Δ ${deltaMs / 1000} s, a cycle each ${spec.intervalMs / 60_000} min, policy ${policy}, journal ${journal}`,
    `${spec.versions.length} versions of the declaration, ${spec.lives.length} starts, ${spec.traps.length} traps`,
    `happenings: ${kinds(spec.happenings)}`,
    `projects ${spec.projects.join(', ')}`,
    ...(spec.deleteFate === undefined ? [] : [`deletes first ${spec.deleteFate.first.is}, then ${spec.deleteFate.again.is}`]),
    ...(spec.firstList === undefined ? [] : [`first lists with ${Math.round(spec.firstList.shows * 100)} % of their rows`]),
    `fates planned for ${spec.fates.length} requests: ${kinds(spec.fates.map(({ fate }) => fate))}`,
  ].join('; ')
}

/** What of it happens: `corp partial`, `acme set OPS devs guest`. */
export function happeningText(happening: Happening): string {
  switch (happening.is) {
    case 'hand':
      return `${happening.workspace} ${happening.does} ${happening.row.at} ${happening.row.group} ${happening.row.role}`
    case 'group':
      return `${happening.directory} ${happening.group} ${happening.does}`
    case 'directory':
      return `${happening.directory} ${happening.mode}`
    case 'limit':
      return `${happening.requests}`
    case 'disk':
      return happening.mode
    case 'project':
      return `${happening.workspace} ${projectText(happening.change)}`
    case 'others':
    case 'serviceRestart':
      return ''
    default:
      return happening satisfies never
  }
}

function projectText(change: ProjectChange): string {
  const { does, project } = change
  if (does === 'rename' || does === 'swap') return `${does} ${project} ${change.to}`
  return does === 'vanish' ? `${does} ${project}${change.takes ? ' with its mappings' : ''}` : `${does} ${project}`
}
