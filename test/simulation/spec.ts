import type { DialectName } from '../../src/sandbox/dialect.ts'
import type { Limiter, Published, RateFields } from '../../src/sandbox/throttle.ts'
import type { Declared } from './declared.ts'
import type { Fence } from './fences.ts'

/**
 * All events of one world, as plain data. The same spec gives the same run; removing events from it gives a smaller world. Times are ms after
 * the start of the world.
 */
export type Spec = {
  readonly seed: number
  readonly beginMs: number
  /** Faults happen until then. */
  readonly endMs: number
  readonly intervalMs: number
  readonly dialect: DialectName
  readonly limiter: Limiter
  readonly published: Published
  readonly rateFields: RateFields
  /** Whether answers have a `Date` header. */
  readonly dates: boolean
  readonly serviceLimit: number
  readonly settingsLimit: number
  readonly reserve: string
  /** Requests of the budget that are used up when the world begins. */
  readonly usedAtBegin: number
  readonly deltaMs: number
  readonly policy: 'exclusive' | 'sync' | 'upsert-only' | 'create-only' | 'observe'
  readonly suspend: boolean | 'grants'
  readonly journal: 'folder' | 'none'
  readonly guards: Guards
  readonly directories: readonly string[]
  /** The status with which the service refuses a second mapping for a key; undefined: it accepts it. */
  readonly duplicates: 400 | 409 | undefined
  readonly echo: boolean
  /** Lists show the state of this long ago, like a replica; undefined: the current state. */
  readonly lagMs: number | undefined
  /** Lists come in pages of this many rows; undefined: as one array. */
  readonly perPage: number | undefined
  /** The service's worker is replaced whenever it has had this number of requests. */
  readonly recycleEvery: number | undefined
  readonly rows: Readonly<Record<string, readonly Row[]>>
  readonly groups: Readonly<Record<string, readonly string[]>>
  readonly versions: readonly Version[]
  readonly lives: readonly Life[]
  readonly happenings: readonly Happening[]
  /** The fate of single requests, by number; the network counts the requests. */
  readonly fates: readonly { readonly request: number; readonly fate: Fate }[]
  readonly traps: readonly Trap[]
  /** The fate of each rename of a mapping, or of each change of its role, because these are rare. `once`: only of its first sending. */
  readonly patchFate: { readonly of: 'rename' | 'role'; readonly once: boolean; readonly fate: Fate } | undefined
  /** The fate of the first sending of a delete, and of its repetition, for this number of deletes. */
  readonly deleteFate: { readonly deletes: number; readonly first: Fate; readonly again: Fate } | undefined
  /**
   * The first answer to each list of a workspace shows this share of its rows. With a journal, this is the first answer in the world. Without a
   * journal, it is the first answer to the process `process`.
   */
  readonly firstList: { readonly shows: number; readonly process: number } | undefined
  /** For a while lists lack a share of their rows. `once`: only the first one. `fromMs`, `untilMs`: since the begin of the world. */
  readonly lacking: Lacking | undefined
  /** For a while all writes with these methods are refused. */
  readonly refusing: Refusing | undefined
  /** The projects of each workspace when the world begins. */
  readonly projects: readonly string[]
  /** A second program runs for the same workspaces, with a journal of its own. */
  readonly twoWriters: boolean
  /** The two programs start together, and nothing else happens: the most mappings that may then exist twice. */
  readonly pairsMax?: number
  /** Nothing happens in this world but that limits are exceeded, and that a person approves some of what waits. */
  readonly exact?: true
  readonly people?: People
  /**
   * Nothing happens in this world but that declaration, policy and journal change over days, and that people edit mappings. `files`: the rules are in so many
   * files. `folder`: that of the journal at the end.
   */
  readonly ours?: { readonly files: number; readonly folder: string }
  /** The files of teams have fences. `file`: the name of the file without limits. `ending`: the declaration after the world has settled. */
  readonly fences?: { readonly file: string; readonly of: readonly Fence[]; readonly ending?: Declared }
  /** The auditor also checks rendered text and log lines, which takes time. */
  readonly reads: boolean
}

/**
 * Directories say who the members of their groups are, and the settings limit how many people a plan concerns. `members`: of each group, when the world
 * begins. `isCalm`: no request is lost and no process is killed, so the auditor knows what each cycle has to write.
 */
export type People = {
  readonly limits: PeopleLimits
  readonly members: Readonly<Record<string, readonly string[]>>
  readonly isCalm: boolean
}
export type PeopleLimits = Readonly<Partial<Record<'raise' | 'gainProtected' | 'lose', number>>>

export type Lacking = {
  readonly share: number
  readonly which: 'random' | 'same' | 'last'
  readonly of: 'mappings' | 'projects'
  readonly once: boolean
  /** Meanwhile something else answers with a 404 to each question about one mapping. */
  readonly elsewhere: Extract<Fate, { is: 'notFound' }>['by'] | undefined
  readonly fromMs: number
  readonly untilMs: number
}
/**
 * `by`: what is wrong with the key, or a proxy in front of Plane. It is mended at `untilMs`, and the settings of the program stay as they are. `newKey`: from
 * then on the file of the secret has another key. `alone`: nothing else happens in this world, so the next cycle must write everything. `fromMs`, `untilMs`:
 * since the begin of the world.
 */
export type Refusing = {
  readonly by: 'owner' | 'scope' | 'page'
  readonly status: number
  readonly methods: readonly string[]
  readonly newKey: boolean
  readonly alone: boolean
  readonly fromMs: number
  readonly untilMs: number
}
/**
 * The most changes of each kind in one plan. `day`: the most raises, lowerings and deletes in 24 hours, each. `dayCreates`, `run`: the most creates in 24
 * hours, and changes of each kind in one cycle over all workspaces; absent: no limit that a world could exceed.
 */
export type Guards = Readonly<Record<'creates' | 'raises' | 'lowers' | 'deletes' | 'day', number>> & {
  readonly dayCreates?: number
  /** No limit is a share of the mappings. */
  readonly hasNoShares?: true
  readonly run?: number
}
export type Row = { readonly group: string; readonly at: string; readonly role: string }

/** `tornMs`: for this long, the file contains only its first part. `broken`: it is not a valid declaration. With fences, both are of the file without limits. */
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
  /** The option `--no-wait`. A process that has its journal is safe without the wait. */
  readonly noWait: boolean
  readonly skewMs: number
  /** How much faster its clock runs. */
  readonly drift: number
  /** `call`: the process ends at its call of this number to the outside. */
  readonly end?:
    | { readonly is: 'kill' | 'power' | 'stop'; readonly atMs: number }
    | { readonly is: 'kill' | 'power'; readonly call: number; readonly after: boolean }
}

/** While the write of this number in the world is under way, the process that sent it ends. The next process starts soon. */
export type Trap = {
  readonly write: number
  readonly how: 'kill' | 'power' | 'stop'
  readonly afterMs: number
  readonly againAfterMs: number
  /** How wrong the clock of the next process's host is; absent: the same host. */
  readonly againSkewMs?: number
  /** The fate of the write. */
  readonly fate: Fate | undefined
}

export type Happening = { readonly atMs: number } & (
  | { readonly is: 'hand'; readonly workspace: string; readonly row: Row; readonly does: 'add' | 'set' | 'drop' }
  /** A person becomes a member of a group, or is one no longer. */
  | { readonly is: 'member'; readonly group: string; readonly person: string; readonly does: 'joins' | 'leaves' }
  | { readonly is: 'group'; readonly directory: string; readonly group: string; readonly does: 'appears' | 'goes' }
  /** `again`: the group is deleted and created again, with another id. `swap`: two groups swap their names. */
  | ({ readonly is: 'groupId'; readonly directory: string; readonly group: string } & (
      | { readonly does: 'again' }
      | { readonly does: 'swap'; readonly other: string }
    ))
  | { readonly is: 'directory'; readonly directory: string; readonly mode: DirectoryMode }
  /**
   * A person approves a change for a time. `names`: the approval has the id of the group. `wrong`: it describes another role before or after, or another
   * group of this name.
   */
  | {
      readonly is: 'approve'
      readonly workspace: string
      readonly group: string
      readonly at: string
      readonly to: string
      readonly forMs: number
      readonly names: boolean
      readonly wrong?: 'from' | 'to' | 'id'
    }
  | ({ readonly is: 'order' } & Ordering)
  | { readonly is: 'others'; readonly requests: number; readonly gapMs: number }
  | { readonly is: 'limit'; readonly requests: number }
  | { readonly is: 'serviceRestart' }
  /** The settings have another policy, from the next start on. */
  | { readonly is: 'policy'; readonly policy: Spec['policy'] }
  /** A person removes the folder of a journal, copies it to another place, or puts back what was saved before. No process runs then. */
  | ({ readonly is: 'journal'; readonly folder: string } & (
      | { readonly does: 'lose' | 'save' | 'restore' }
      | { readonly does: 'copy'; readonly to: string }
    ))
  /** The clock of the machine is set: forward, or back if negative. */
  | { readonly is: 'clock'; readonly byMs: number }
  | ({ readonly is: 'disk' } & DiskMode)
  | { readonly is: 'project'; readonly workspace: string; readonly change: ProjectChange }
)

/**
 * People or jobs hand orders to the running daemon. `apply` shows a plan first. `allows`: the share of what waits that they let pass.
 * `misdirected`: the order names a process that has ended long ago.
 */
export type Ordering = {
  readonly kind: 'apply' | 'reconcile' | 'approve'
  /** So many askers at the same time. */
  readonly askers: number
  /** The only workspace; absent: all. */
  readonly only?: string
  readonly allows: number
  readonly thinksMs: number
  /** An approval: how long it lasts, after which time it is taken back, and what it describes wrongly. */
  readonly forMs: number
  readonly withdrawsMs?: number
  readonly wrong?: 'from' | 'to' | 'id' | 'at' | 'part'
  /** Of what waits for its people: the approval is for one person fewer, or for any number. `ones`: for some changes of a set, each with its own number. */
  readonly people?: 'fewer' | 'any' | 'ones'
  readonly givesUpMs?: number
  /** The asker is killed after this time. */
  readonly diesMs?: number
  readonly misdirected?: true
}
/** Changes of projects by people in Plane. A project keeps its id, and its mappings refer to the id. A new project has a new id. */
export type ProjectChange =
  | { readonly does: 'rename' | 'swap'; readonly project: string; readonly to: string }
  /** `takes`: the mappings of the project are deleted with it. */
  | { readonly does: 'vanish'; readonly project: string; readonly takes: boolean }
  /** `hide`: the owner of the key no longer sees the project. `return`: a deleted project exists again. */
  | { readonly does: 'make' | 'return' | 'hide' | 'show'; readonly project: string }
/** `full`: the disk is full after `room` more bytes. `unsynced`: it accepts all data, but a power failure loses it. */
export type DiskMode = { readonly mode: 'well' | 'unsynced' } | { readonly mode: 'full'; readonly room: number }
export type DirectoryMode = 'whole' | 'failed' | 'partial' | 'empty' | 'shrunk' | 'slow'

/** The fate of one request. */
export type Fate =
  | { readonly is: 'unreachable' | 'lostRequest' | 'truncated' | 'driftGrow' | 'driftShrink' }
  /** A web page with status 200. `instead`: a proxy or login page answers, and the service never gets the request. */
  | { readonly is: 'html'; readonly instead?: true }
  | { readonly is: 'lostAnswer' | 'hang' }
  /** A list shows the state of this long ago, like a replica. */
  | { readonly is: 'stale'; readonly lagMs: number }
  /** The client sees a broken connection; the service executes the request this much later. */
  | { readonly is: 'late'; readonly afterMs: number }
  | { readonly is: 'slow'; readonly beforeMs: number; readonly afterMs: number }
  | { readonly is: 'throttled'; readonly retryAfterS: number | undefined }
  /** A 404 that says nothing about the object: from a proxy, as text or as a page, or from the service for an unknown address. */
  | { readonly is: 'notFound'; readonly by: 'proxy' | 'page' | 'address' }
  /** Plane refuses the key, or a proxy refuses the method. */
  | { readonly is: 'refused'; readonly by: Refusing['by']; readonly status: number }
  /** `laterMs`: a proxy stopped waiting; the service executes the request this much later. */
  | {
      readonly is: 'status'
      readonly status: number
      readonly committed: boolean
      readonly laterMs?: number
      readonly retryAfterS?: number
    }

/** One line that describes a world before it runs. */
export function specText({ seed, limiter, published, serviceLimit, settingsLimit, deltaMs, policy, journal, ...spec }: Spec): string {
  const kinds = (of: readonly { readonly is: string }[]) => [...new Set(of.map(({ is }) => is))].toSorted().join(', ') || 'none'
  return [
    `seed ${seed}: ${limiter} of ${serviceLimit} a minute that publishes ${published}, told as ${settingsLimit}`,
    `Δ ${deltaMs / 1000} s, a cycle each ${spec.intervalMs / 60_000} min, policy ${policy}, journal ${journal}`,
    `${spec.versions.length} versions of the declaration, ${spec.lives.length} starts, ${spec.traps.length} traps`,
    `happenings: ${kinds(spec.happenings)}`,
    `projects ${spec.projects.join(', ')}`,
    ...(spec.fences === undefined ? [] : [`fences of ${spec.fences.of.map(({ owner }) => owner).join(', ')}`]),
    ...(spec.people === undefined ? [] : [`limits on people ${JSON.stringify(spec.people.limits)}`]),
    ...(spec.deleteFate === undefined ? [] : [`deletes first ${spec.deleteFate.first.is}, then ${spec.deleteFate.again.is}`]),
    ...(spec.firstList === undefined ? [] : [`first lists with ${Math.round(spec.firstList.shows * 100)} % of their rows`]),
    ...(spec.lacking === undefined ? [] : [lackingText(spec.lacking)]),
    ...(spec.refusing === undefined ? [] : [refusingText(spec.refusing)]),
    `fates planned for ${spec.fates.length} requests: ${kinds(spec.fates.map(({ fate }) => fate))}`,
  ].join('; ')
}

const lackingText = ({ share, which, of, once }: Lacking): string =>
  `lists of ${of} without ${Math.round(share * 100)} % of their rows (${which}${once ? ', once' : ''})`

const refusingText = ({ by, status, methods, newKey, alone, fromMs, untilMs }: Refusing): string =>
  `${methods.join(', ')} refused with ${status} by ${by} from ${fromMs / 1_000} s to ${untilMs / 1_000} s${newKey ? ', then a new key' : ''}${alone ? ', and nothing else' : ''}`

/** One event in words: `corp partial`, `acme set OPS devs guest`. */
export function happeningText(happening: Happening): string {
  switch (happening.is) {
    case 'hand':
      return `${happening.workspace} ${happening.does} ${happening.row.at} ${happening.row.group} ${happening.row.role}`
    case 'group':
      return `${happening.directory} ${happening.group} ${happening.does}`
    case 'member':
      return `${happening.person} ${happening.does} ${happening.group}`
    case 'groupId':
      return `${happening.directory} ${happening.group} ${happening.does}${happening.does === 'swap' ? ` ${happening.other}` : ''}`
    case 'directory':
      return `${happening.directory} ${happening.mode}`
    case 'approve':
      return `${happening.workspace} ${happening.at} ${happening.group} ${happening.to} for ${happening.forMs / 1_000} s, wrong ${happening.wrong ?? 'nothing'}`
    case 'order':
      return `${happening.askers} ${happening.kind} ${happening.only ?? ''} wrong ${happening.wrong ?? 'nothing'}${happening.people === undefined ? '' : `, people ${happening.people}`}`
    case 'limit':
      return `${happening.requests}`
    case 'clock':
      return `${happening.byMs / 1_000} s`
    case 'disk':
      return happening.mode
    case 'project':
      return `${happening.workspace} ${projectText(happening.change)}`
    case 'policy':
      return happening.policy
    case 'journal':
      return `${happening.does} ${happening.folder}${happening.does === 'copy' ? ` ${happening.to}` : ''}`
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
