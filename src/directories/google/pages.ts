import type { z } from '../../yaml/zod.ts'
import type { Ask } from '../overHttp/ask.ts'
import { type Page, type Pages, readPages } from '../overHttp/paging.ts'

type GoogleList<T extends { readonly id: string }> = {
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** One page. Google leaves out what is empty. */
  readonly page: z.ZodType<{ readonly rows?: readonly T[] | undefined; readonly nextPageToken?: string | undefined }>
  readonly pageSize: number
  readonly rowsMax: number
  /** Why a longer list is not whole. It may throw an error instead. */
  readonly tooMany: () => string
  /** What one row is called in a sentence. Default: its id. */
  readonly called?: string
}

type Cursor = { readonly pageToken?: string }

/** Reads a list to its last page. @throws {DirectoryError} @throws what `tooMany` throws, as soon as there are more rows than `rowsMax` */
export function readTokenPages<T extends { readonly id: string }>(
  ask: Ask,
  { path, query, page: schema, pageSize, rowsMax, tooMany, called }: GoogleList<T>,
  signal: AbortSignal,
): Promise<Pages<T>> {
  // Rows that are called something are people. The text of a refusal could have some of them.
  const shown = called === undefined ? undefined : path
  const used = new Set<string>()
  let size = 0

  async function page(cursor: Cursor, signal: AbortSignal): Promise<Page<T, Cursor>> {
    const asked = { ...query, maxResults: `${pageSize}`, ...cursor }
    const { rows = [], nextPageToken = '' } = (await ask(path, asked, schema, signal, shown)).body
    size += rows.length
    if (size > rowsMax) return { items: [], missing: tooMany() }
    const isFirst = cursor.pageToken === undefined
    if (nextPageToken === '') {
      if (rows.length > 0 || isFirst) return { items: rows }
      const one = pageSize - 1
      return { items: [], missing: `a next page was announced, and it was empty; if that stays so, set pageSize to ${Math.max(1, one)}` }
    }
    if (rows.length === 0) return { items: [], missing: 'a page was empty, although a next page was announced' }
    if (used.has(nextPageToken)) return { items: rows, missing: 'a page named a next page that was read before' }
    used.add(nextPageToken)
    return { items: rows, next: { pageToken: nextPageToken } }
  }

  // Each page but an empty first one has a row, so `rowsMax` also bounds the pages.
  const limits = { idOf: ({ id }: T) => id, pagesMax: rowsMax + 1, ...(called === undefined ? {} : { called }) }
  return readPages<T, Cursor>({}, page, limits, signal)
}
