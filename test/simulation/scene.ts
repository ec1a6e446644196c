import { type Auditor, openAuditor } from './auditor.ts'
import type { DeclaredRule, Place, TeamFile } from './declared.ts'
import { basicSpec } from './generate.ts'
import { type Service, simulatedService } from './service.ts'
import type { ProjectChange, Row, Spec } from './spec.ts'
import type { Happened } from './trace.ts'

const minuteMs = 60_000
export const change: ProjectChange = { does: 'rename', project: 'ENG', to: 'ENGX' }

/** A world whose events come from a test. The auditor gets the same events as from a program. */
export type Scene = {
  readonly auditor: Auditor
  readonly service: Service
  readonly hear: (event: Event) => void
  readonly start: (process: number, clock?: { readonly skewMs?: number; readonly drift?: number }) => void
  /** A cycle begins: it reads the declaration, and the lists that are given. */
  readonly look: (process: number, options?: { readonly version?: number; readonly reads?: readonly List[] }) => void
  readonly read: (process: number, lists: readonly List[], shows?: number) => void
  /** The list of mappings, in pages of one row: both walks through it. @param shows without the last page, the last walk does not end */
  readonly readPages: (process: number, shows: 'all' | 'all but the last page') => void
  readonly change: (what: ProjectChange) => void
  /** The group `devs` is deleted and created again. */
  readonly makeAgain: () => void
  /** The directory shows these groups from now on. */
  readonly show: (groups: Readonly<Record<string, string>>) => void
  readonly end: (process: number) => void
  /** The world ends now; its last cycle began just before. */
  readonly settle: () => void
  readonly remove: (process: number, place: Place) => void
  readonly grant: (process: number, row: Row) => void
  readonly patch: (process: number, row: Row) => void
  /** A mapping is created. @param process the process that sent the request; undefined: another client */
  readonly commit: (process: number | undefined, row: Row) => void
  readonly pass: (ms: number) => void
  /** How long ago the scene began. */
  readonly passedMs: () => number
  readonly wrongs: (promise?: 'projects' | 'groups' | 'reading' | 'declared' | 'bounded' | 'guards') => readonly string[]
}

type List = 'projects' | 'mappings'
type Timeless<One> = One extends unknown ? Omit<One, 'atMs'> : never
type Event = Timeless<Happened>

export type Setting = Partial<
  Pick<Spec, 'journal' | 'policy' | 'dates' | 'duplicates' | 'settingsLimit' | 'serviceLimit' | 'reserve' | 'guards'>
> & {
  readonly rows?: readonly Row[]
  /** The minute in which each version is written, its rules, the entries of `removed`, and with fences the files of teams. */
  readonly versions: readonly (readonly [number, readonly DeclaredRule[], (readonly Place[])?, (readonly TeamFile[])?])[]
}

const defaults = { journal: 'folder', policy: 'exclusive', dates: false, duplicates: undefined } as const

export function scene({ rows = [{ group: 'devs', at: 'ENG', role: 'member' }], versions, ...more }: Setting): Scene {
  const basic = basicSpec(1)
  const spec: Spec = {
    ...{ ...basic, ...defaults },
    guards: { creates: 99, raises: 99, lowers: 99, deletes: 99, day: 99 },
    ...more,
    ...{ directories: ['corp'], limiter: 'token-bucket', suspend: false, twoWriters: false },
    rows: { acme: rows },
    versions: versions.map(([minutes, projectRoles, removed = [], teams]) => ({
      atMs: minutes * minuteMs,
      declared: {
        comment: '',
        workspaces: [{ name: 'acme', projectRoles, removed, unmanaged: [], ...(teams === undefined ? {} : { teams }) }],
      },
    })),
    happenings: [{ atMs: 0, is: 'project', workspace: 'acme', change }],
  }
  let nowMs = spec.beginMs
  let request = 0
  let groups: Readonly<Record<string, string>> = { devs: '1', guests: '2' }
  const service = simulatedService(spec, nowMs)
  const auditor = openAuditor(spec, service)
  const hear = (event: Event) => auditor.hear({ ...event, atMs: ++nowMs })
  const sync = '/api/v1/workspaces/acme/group-sync/project-mappings/'
  const asks = (process: number, path: string, body: unknown, query = '', intact = true) => {
    hear({ is: 'sent', process, request: ++request, method: 'GET', path, query, body: '', fate: '' })
    hear({ is: 'answered', process, request, status: 200, body: JSON.stringify(body), intact })
  }
  const writes = (process: number, method: string, path: string, body: object | undefined) =>
    hear({ is: 'sent', process, request: ++request, method, path, query: '', body: body ? JSON.stringify(body) : '', fate: '' })
  const mappings = (shows: number) =>
    service
      .rows('acme')
      .slice(0, shows)
      .map(({ id, group, at, role }) => ({ id, idp_group_name: group, role, project: at, all_projects: false }))
  const projects = () => ({
    next_page_results: false,
    results: service
      .holdings('acme')
      .flatMap(({ id, identifier, untilMs, isSeen }) => (untilMs === undefined && isSeen ? [{ id, identifier }] : [])),
  })
  function read(process: number, lists: readonly List[], shows = Number.POSITIVE_INFINITY): void {
    for (const one of lists)
      if (one === 'projects') asks(process, '/api/v1/workspaces/acme/projects/', projects())
      else asks(process, sync, mappings(shows))
  }
  function readPages(process: number, shows: 'all' | 'all but the last page'): void {
    const rows = mappings(Number.POSITIVE_INFINITY)
    const pageOf = (index: number) => ({ results: rows.slice(index, index + 1), next_page_results: index + 1 < rows.length })
    asks(process, sync, pageOf(0))
    for (const walk of [1, 2])
      for (const index of rows.keys()) {
        const isLost = walk === 2 && index + 1 === rows.length && shows !== 'all'
        asks(process, sync, pageOf(index), index === 0 ? 'per_page=100' : `per_page=1&cursor=1:${index}:0`, !isLost)
      }
  }
  const rowAt = ({ group, at }: Place) => service.rows('acme').find((row) => row.group === group && row.at === at)?.id ?? 'nothing'

  return {
    auditor,
    service,
    hear,
    start: (process, clock = {}) => hear({ is: 'start', process, mode: 'once', skewMs: 0, drift: 0, folder: 'state', ...clock }),
    look(process, { version = 0, reads = ['projects', 'mappings'] as const } = {}) {
      hear({ is: 'cycle', process })
      hear({ is: 'declared', process, versions: [version] })
      hear({ is: 'directory', process, directory: 'corp', whole: true, names: Object.keys(groups), ids: Object.values(groups) })
      read(process, reads)
    },
    read,
    readPages,
    change(what) {
      nowMs += minuteMs
      service.changeProject('acme', what, nowMs)
    },
    makeAgain: () => void (groups = { ...groups, devs: '3' }),
    show: (shown) => void (groups = shown),
    end: (process) => hear({ is: 'cycled', process, outcome: '', judged: ['acme'] }),
    settle: () =>
      auditor.settled({ nowMs, directories: new Map([['corp', new Set(Object.keys(groups))]]), given: new Set(), policy: spec.policy }),
    remove: (process, place) => writes(process, 'DELETE', `${sync}${rowAt(place)}/`, undefined),
    patch: (process, row) => writes(process, 'PATCH', `${sync}${rowAt(row)}/`, { role: row.role }),
    grant: (process, { group, at, role }) =>
      writes(process, 'POST', sync, { idp_group_name: group, role, project: at, all_projects: false }),
    commit(process, { group, at, role }) {
      const row = { idp_group_name: group, project: at, all_projects: false, role, created_at: nowMs, updated_at: nowMs }
      const id = `row-${++nowMs}`
      service.state.workspaces['acme']?.projectMappings.push({ ...row, id })
      service.changed('acme', nowMs)
      if (process !== undefined) hear({ is: 'committed', process, request, row: id, status: 201 })
    },
    passedMs: () => nowMs - spec.beginMs,
    pass: (ms) => void (nowMs += ms),
    wrongs: (of = 'projects') => auditor.violations.filter(({ promise }) => promise === of).map(({ what }) => what.replace(/^.*: /, '')),
  }
}

/** The moment so many seconds after a scene has begun, as a declaration says it. */
export const second = (seconds: number): string => `${new Date(basicSpec(1).beginMs + seconds * 1_000).toISOString().slice(0, 19)}Z`

/** One process that has learned the id of the project ENG. */
export function knowing(setting: Setting): Scene {
  const one = scene(setting)
  one.start(0)
  one.look(0)
  one.end(0)
  return one
}
