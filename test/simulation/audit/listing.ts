import type { Happened } from '../trace.ts'

/** What one process was last told of one list. */
export type Listing = {
  /** Of the walk that was begun last: all its pages arrived, and none of them was wrong. */
  readonly whole: boolean
  readonly rows: readonly SeenRow[]
  /** Rows of another walk of the same cycle, one of which did not end. */
  readonly besides: readonly SeenRow[]
  readonly beganMs: number
}
export type SeenRow = { readonly id: string; readonly group: string; readonly at: string; readonly role: string }

type Walk = { rows: SeenRow[]; complete: boolean; beganMs: number; pages: number }

/** Follows the answers that a process gets to its questions for lists. A list in pages counts as whole when two walks agree. */
export class Listings {
  readonly #walks = new Map<string, readonly [Walk | undefined, Walk]>()
  readonly #asked = new Map<number, { readonly name: string; readonly first: boolean; readonly atMs: number }>()

  sent(event: Extract<Happened, { is: 'sent' }>): void {
    const list = listOf(event.path)
    if (event.method !== 'GET' || list === undefined) return
    const first = !new URLSearchParams(event.query).has('cursor')
    const name = nameOf(event.process, list)
    this.#asked.set(event.request, { name, first, atMs: event.atMs })
    if (first) {
      const [older, last] = this.#walks.get(name) ?? []
      // The same page asked for once more begins the same walk again.
      const before = last !== undefined && last.pages > 0 ? last : older
      this.#walks.set(name, [before, { rows: [], complete: false, beganMs: event.atMs, pages: 0 }])
    }
  }

  answered(event: Extract<Happened, { is: 'answered' }>): void {
    const asked = this.#asked.get(event.request)
    if (asked === undefined || event.status !== 200 || !event.intact) return
    const walk = this.#walks.get(asked.name)?.[1]
    if (walk === undefined) return
    const body = JSON.parse(event.body) as Body
    const at = asked.name.endsWith('workspace-mappings') ? 'workspace' : undefined
    walk.rows.push(...(Array.isArray(body) ? body : body.results).map((row) => rowOf(row, at)))
    walk.pages += 1
    walk.complete = Array.isArray(body) || !body.next_page_results
  }

  /** @param sinceMs of a walk that did not end the one before counts, unless it began earlier */
  of(process: number, workspace: string, list: ListKind, sinceMs = Number.POSITIVE_INFINITY): Listing | undefined {
    const walks = this.#walks.get(nameOf(process, `${workspace}/${list}`))
    if (walks === undefined) return undefined
    const [before, last] = walks
    const other = before === undefined || last.complete || before.beganMs < sinceMs ? undefined : before
    const shown = other?.complete === true ? other : last
    const agreed = last.pages < 2 || JSON.stringify(before?.rows) === JSON.stringify(last.rows)
    return {
      whole: last.complete && agreed && new Set(last.rows.map(({ id }) => id)).size === last.rows.length,
      rows: shown.rows,
      besides: other === undefined ? [] : shown === last ? other.rows : last.rows,
      beganMs: shown.beganMs,
    }
  }
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

/** `acme/project-mappings`, of a path that is a list. */
function listOf(path: string): string | undefined {
  const found = /\/workspaces\/([^/]+)\/group-sync\/((?:project|workspace)-mappings)\/$/.exec(path)
  return found === null ? undefined : `${found[1]}/${found[2]}`
}
