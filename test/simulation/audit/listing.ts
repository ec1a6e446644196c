import type { Happened } from '../trace.ts'

/** The last reading of one list by one process. */
export type Listing = {
  /** All pages of the last walk through the list arrived, and none of them was wrong. */
  readonly whole: boolean
  readonly rows: readonly SeenRow[]
  /** Rows of other walks of the same cycle, if the last one did not end. */
  readonly besides: readonly SeenRow[]
  readonly beganMs: number
}
export type SeenRow = { readonly id: string; readonly group: string; readonly at: string; readonly role: string }

/** `reading`: a list of several pages is read by two walks; both have the same number. `query`: of its first request. */
type Walk = { rows: SeenRow[]; complete: boolean; beganMs: number; pages: number; readonly reading: number; readonly query: string }

/**
 * Follows the answers that a process gets when it reads lists. A list in pages counts as complete if two walks through it agree. A cycle may read a list
 * twice. If the second reading does not end, the process goes by the first one.
 */
export class Listings {
  readonly #walks = new Map<string, readonly Walk[]>()
  readonly #asked = new Map<number, { readonly name: string; readonly first: boolean; readonly atMs: number }>()

  sent(event: Extract<Happened, { is: 'sent' }>): void {
    const list = listOf(event.path)
    if (event.method !== 'GET' || list === undefined) return
    const first = !new URLSearchParams(event.query).has('cursor')
    const name = nameOf(event.process, list)
    this.#asked.set(event.request, { name, first, atMs: event.atMs })
    const before = (this.#walks.get(name) ?? []).filter(({ pages }) => pages > 0)
    // A request with a cursor continues a walk. Before it, the client may have asked for the first page again, in another size. If no page came, or
    // a page without a next one, the client continues the earlier walk, after the first page of that walk.
    if (!first) this.#walks.set(name, before.at(-1)?.complete === true ? before.slice(0, -1) : before)
    if (first) {
      // If the first page is read again, the same walk starts again.
      const walk = { rows: [], complete: false, beganMs: event.atMs, pages: 0, reading: readingOf(event.query, before), query: event.query }
      this.#walks.set(name, [...before.slice(1 - walksKept), walk])
    }
  }

  answered(event: Extract<Happened, { is: 'answered' }>): void {
    const asked = this.#asked.get(event.request)
    if (asked === undefined || event.status !== 200 || !event.intact) return
    const walk = this.#walks.get(asked.name)?.at(-1)
    if (walk === undefined) return
    const body = JSON.parse(event.body) as Body
    const at = asked.name.endsWith('workspace-mappings') ? 'workspace' : undefined
    walk.rows.push(...(Array.isArray(body) ? body : body.results).map((row) => rowOf(row, at)))
    walk.pages += 1
    walk.complete = Array.isArray(body) || !body.next_page_results
  }

  /**
   * @param sinceMs if the last walk did not end, the latest complete walk of an earlier reading counts instead, or else of this reading. A walk that
   * began before this time does not count
   */
  of(process: number, workspace: string, list: ListKind, sinceMs = Number.POSITIVE_INFINITY): Listing | undefined {
    const walks = this.#walks.get(nameOf(process, `${workspace}/${list}`)) ?? []
    const last = walks.at(-1)
    if (last === undefined) return undefined
    const before = walks.at(-2)
    const others = last.complete ? [] : walks.slice(0, -1).filter(({ beganMs }) => beganMs >= sinceMs)
    const ended = others.filter(({ complete }) => complete)
    const shown = ended.findLast(({ reading }) => reading !== last.reading) ?? ended.at(-1) ?? last
    const agreed = last.pages < 2 || JSON.stringify(before?.rows) === JSON.stringify(last.rows)
    return {
      whole: last.complete && agreed && new Set(last.rows.map(({ id }) => id)).size === last.rows.length,
      rows: shown.rows,
      besides: [...others, last].filter((walk) => walk !== shown && walk.reading <= shown.reading).flatMap(({ rows }) => rows),
      beganMs: shown.beganMs,
    }
  }
}

/** A list in pages is read by a first page and two walks, and again if it is confirmed. */
const walksKept = 6

/** A reading begins without a page size, and goes on with the size that it has found, or again without one. */
function readingOf(query: string, before: readonly Walk[]): number {
  const last = before.at(-1)
  if (last === undefined) return 0
  const ended = before.filter(({ reading, complete }) => reading === last.reading && complete).length
  const isSecond = last.complete && last.pages > 1 && last.query === query && ended === 1
  return new URLSearchParams(query).has('per_page') || isSecond ? last.reading : last.reading + 1
}

export type ListKind = 'project-mappings' | 'workspace-mappings'
type Body = WireRow[] | { readonly results: readonly WireRow[]; readonly next_page_results: boolean }
type WireRow = {
  readonly id: string
  readonly idp_group_name: string
  readonly role: string
  readonly project?: string | null
  readonly all_projects?: boolean
}

const rowOf = (row: WireRow, at: string | undefined): SeenRow => ({
  id: row.id,
  group: row.idp_group_name,
  role: row.role,
  at: at ?? (row.all_projects === true ? '*' : (row.project ?? '')),
})

const nameOf = (process: number, list: string): string => `${process} ${list}`

/** For the path of a list, its name: `acme/project-mappings`. */
function listOf(path: string): string | undefined {
  const found = /\/workspaces\/([^/]+)\/group-sync\/((?:project|workspace)-mappings)\/$/.exec(path)
  return found === null ? undefined : `${found[1]}/${found[2]}`
}
