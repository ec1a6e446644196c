import type { Clock } from '../../../src/core/clock.ts'
import { type Answer, NoAnswer, type Origin } from '../../../src/http/origin.ts'
import { never } from '../plane/virtualTime.ts'

export type ListName = 'workspace-mappings' | 'project-mappings'
type Row = { readonly id: string } & object

export type ServiceOptions = {
  readonly clock: Clock
  /** `of`: of the requests about one workspace. */
  readonly latencyMs: number | { readonly of: (slug: string) => number }
  /** The rows of a workspace before the first write. */
  readonly stock: (slug: string, list: ListName) => readonly Row[]
  readonly projects: readonly string[]
  /** The requests that each key may send in a trailing minute. */
  readonly limit: number
  /** Whether others have used up a key at the start. */
  readonly isUsedUp?: (key: string) => boolean
  readonly onRequest?: (seen: Seen) => void
}

export type Seen = { readonly method: string; readonly slug: string; readonly receivedAtMs: number; readonly answeredAtMs: number }

const windowMs = 60_000

/**
 * The service without a socket: mappings, projects and settings of any workspace, with a sliding log for each key. It makes lists on request, and
 * stores only lists that were changed.
 */
export function serviceOfManyKeys(options: ServiceOptions) {
  const { clock, latencyMs, stock, limit } = options
  const lists = new Map<string, readonly Row[]>()
  const logs = new Map<string, readonly number[]>()
  /** `busyUs`: the processor time of the answers. */
  const counts = { requests: 0, refused: 0, inFlight: 0, inFlightMost: 0, busyUs: 0 }
  let ids = 0
  const beganMs = clock.now()

  const projectPage = JSON.stringify({
    results: options.projects.map((identifier) => ({ id: `p-${identifier}`, identifier, name: identifier, archived_at: null })),
    total_results: options.projects.length,
    count: options.projects.length,
    next_page_results: false,
    next_cursor: '100:1:0',
  })
  const settings = JSON.stringify({ is_enabled: true, sync_on_login: true, auto_remove: false, sync_offline: true })

  /** The number of requests that the key may still send in its minute. Undefined: the limit was reached before this request. */
  function admit(key: string): number | undefined {
    const before = logs.get(key) ?? (options.isUsedUp?.(key) === true ? Array.from({ length: limit }, () => beganMs) : [])
    const log = before.filter((atMs) => atMs > clock.now() - windowMs)
    const isAdmitted = log.length < limit
    logs.set(key, isAdmitted ? [...log, clock.now()] : log)
    return isAdmitted ? limit - log.length - 1 : undefined
  }

  function execute(method: string, path: string, body: string | undefined): { readonly status: number; readonly body: string } {
    const [, slug = '', kind = '', id] = /^\/api\/v1\/workspaces\/([^/]+)\/(?:group-sync\/)?([^/]+)\/(?:([^/]+)\/)?$/.exec(path) ?? []
    if (kind === 'projects') return { status: 200, body: projectPage }
    if (kind === 'config') return { status: 200, body: settings }
    const rows = lists.get(`${slug}/${kind}`) ?? stock(slug, kind as ListName)
    switch (method) {
      case 'GET':
        return { status: 200, body: JSON.stringify(rows) }
      case 'POST': {
        const row = { ...(JSON.parse(body ?? '') as object), id: `new-${ids++}` }
        lists.set(`${slug}/${kind}`, [...rows, row])
        return { status: 201, body: JSON.stringify(row) }
      }
      case 'DELETE':
        lists.set(
          `${slug}/${kind}`,
          rows.filter((row) => row.id !== id),
        )
        return { status: 204, body: '' }
      default:
        throw new Error(`${method} ${path}: nobody asked for this`)
    }
  }

  async function request({ method, path, headers, body }: Parameters<Origin['request']>[0], signal: AbortSignal): Promise<Answer> {
    const sentAtMs = clock.now()
    if (signal.aborted) throw new NoAnswer('aborted', false, sentAtMs, 'given up')
    counts.requests++
    counts.inFlightMost = Math.max(counts.inFlightMost, ++counts.inFlight)
    const slug = path.split('/')[4] ?? ''
    await clock.sleep(typeof latencyMs === 'number' ? latencyMs : latencyMs.of(slug), never)
    counts.inFlight--
    const left = admit(headers?.['x-api-key'] ?? '')
    if (left === undefined) counts.refused++
    else options.onRequest?.({ method, slug, receivedAtMs: sentAtMs, answeredAtMs: clock.now() })
    const said: Record<string, string> = left === undefined ? { 'retry-after': '60' } : { 'x-ratelimit-remaining': String(left) }
    const before = process.threadCpuUsage()
    const answer = left === undefined ? { status: 429, body: '{}' } : execute(method, path, body)
    const { user, system } = process.threadCpuUsage(before)
    counts.busyUs += user + system
    return { ...answer, headers: said, sentAtMs, receivedAtMs: clock.now() }
  }

  /** Forgets past requests, because a limiter would not count them after an idle time. */
  const forget = () => logs.clear()

  return { connect: (url: URL): Origin => ({ url, request, close: async () => {} }), counts, forget }
}
