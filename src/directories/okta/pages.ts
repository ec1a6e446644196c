import { areLinksReadable, linkOf } from '../../http/linkHeader.ts'
import type { z } from '../../yaml/zod.ts'
import { DirectoryError } from '../directoryError.ts'
import type { DirectoryApi } from '../overHttp/ask.ts'
import { type Page, type Pages, readPages } from '../overHttp/paging.ts'

type OktaList<T extends { readonly id: string }> = {
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly rows: z.ZodType<T[]>
  readonly pageSize: number
  readonly rowsMax: number
  /** Why a longer list is not whole. It may throw an error instead. */
  readonly tooMany: () => string
  /** What the rows are, in sentences: `groups`. */
  readonly what: string
  /** What one row is called in a sentence. Default: its id. */
  readonly called?: string
}

/** `server`: the header `Date` of the first answer. */
export type OktaPages<T> = Pages<T> & { readonly pages: number; readonly server: string | undefined }

/**
 * Reads a list to its end, which is the first answer without a link to a next page.
 *
 * @see https://developer.okta.com/docs/reference/core-okta-api/#link-header
 */
export async function readLinkedPages<T extends { readonly id: string }>(
  { ask, follow }: DirectoryApi,
  { path, query, rows, pageSize, rowsMax, tooMany, what, called }: OktaList<T>,
  signal: AbortSignal,
): Promise<OktaPages<T>> {
  const first = { limit: `${pageSize}`, ...query }
  let size = 0
  let pages = 0
  let server: string | undefined
  // Rows that are called something are people. The text of a refusal could have some of them.
  const shown = called === undefined ? undefined : path

  async function page(link: string | undefined, signal: AbortSignal): Promise<Page<T, string>> {
    const {
      body: items,
      headers,
      nextLink,
    } = await (link === undefined ? ask(path, first, rows, signal, shown) : ask(follow(link), {}, rows, signal, shown))
    if (pages++ === 0) server = headers['date']
    size += items.length
    if (size > rowsMax) return { items: [], missing: tooMany() }
    if (nextLink !== undefined)
      return items.length === 0 ? { items, missing: `a page without ${what} has a link to a next page` } : { items, next: nextLink }
    return isLast(items, headers['link']) ? { items } : { items, missing: oddLink }
  }

  // Each page but the last has a row, so `rowsMax` bounds the pages.
  const limits = { idOf: ({ id }: T) => id, pagesMax: rowsMax + 1, ...(called === undefined ? {} : { called }) }
  const found = await readPages(undefined, page, limits, signal)
  return { ...found, pages, server }
}

/**
 * Why a list without a link to a next page is perhaps not whole. Okta sends its links in several headers of one name, and a gateway may keep only one of them.
 * So a list of two rows or more is asked for its first row: that answer needs a link to a next page. Once is enough for a reading, and it needs none if
 * one of its answers had such a link.
 */
export async function lostLinks<T extends { readonly id: string }>(
  { ask }: Pick<DirectoryApi, 'ask'>,
  { path, query, rows, called }: Pick<OktaList<T>, 'path' | 'query' | 'rows' | 'called'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const { body, nextLink } = await ask(path, { limit: '1', ...query }, rows, signal, called === undefined ? undefined : path)
    return body.length === 1 && nextLink === undefined ? noNextLink : undefined
  } catch (error) {
    // The group was deleted after its members were read.
    if (error instanceof DirectoryError && error.code === 'missing') return undefined
    throw error
  }
}

const noNextLink =
  'a page of one row was asked for, of a list that has more, and its header Link has no link to a next page: a gateway may keep only one of the headers of this name'

/**
 * Whether a page without a link to a next page is the last one. Okta also sends the link of the page itself, `self`. Okta may send smaller pages than it is
 * asked for, so also a short page needs it. The documentation does not show the header of an empty list, so such a list may lack it.
 */
const isLast = (items: readonly unknown[], header: string | undefined): boolean =>
  header === undefined ? items.length === 0 : areLinksReadable(header) && linkOf(header, 'self') !== undefined

const oddLink =
  'the last page has no header Link with its own address, or one that cannot be read: a proxy may have changed it, and with it the link to the next page'
