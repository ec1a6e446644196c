import { DirectoryError } from '../directoryError.ts'
import type { Ask } from '../overHttp/ask.ts'
import { type Pages, readPages } from '../overHttp/paging.ts'
import { askAhead } from './ahead.ts'
import { type ListAnswer, type ServiceProviderConfig, serviceProviderConfig } from './answers.ts'
import { type AskPage, type Listing, openList } from './list.ts'
import { byCursor, byIndex, type CursorPosition, type Index } from './pages.ts'

/** How the server's lists are read. */
export type Paging = { readonly count: number; readonly hasCursors: boolean; readonly hasFilters: boolean }

/** @param pageSize what the settings ask for; the server may send fewer */
export async function pagingOf(ask: Ask, pageSize: number, signal: AbortSignal): Promise<Paging> {
  const { pagination, filter } =
    (await ifShown<ServiceProviderConfig>(() => ask('/ServiceProviderConfig', {}, serviceProviderConfig, signal))) ?? {}
  return {
    // Two: each page but the first begins with the last item of the page before.
    count: Math.max(2, Math.min(pageSize, pagination?.maxPageSize ?? Number.POSITIVE_INFINITY)),
    hasCursors: pagination?.cursor === true,
    hasFilters: filter?.supported !== false,
  }
}

/** What the server says about itself; undefined if it does not say it. A server may lack it. */
export async function ifShown<T>(ask: () => Promise<{ readonly body: T }>): Promise<T | undefined> {
  try {
    return (await ask()).body
  } catch (error) {
    if (error instanceof DirectoryError && showsNone(error)) return undefined
    throw error
  }
}

const showsNone = ({ code, retryable }: DirectoryError): boolean =>
  code === 'missing' || code === 'rights' || code === 'garbled' || (code === 'failing' && !retryable)

type ListLimits = {
  readonly itemsMax: number
  /** @throws {DirectoryError} if there are more than allowed */
  readonly checkCount: (count: number) => void
  /** How many pages by index are requested at the same time. Default: 1. */
  readonly atOnce?: number
}

/** The parameters of the first page. */
export const firstPageOf = ({ count, hasCursors }: Pick<Paging, 'count' | 'hasCursors'>): Readonly<Record<string, string>> => ({
  ...(hasCursors ? { cursor: '' } : { startIndex: '1' }),
  count: `${count}`,
})

/** Reads a list to its last page. */
export async function readWholeList<Row extends { readonly id: string | undefined }, Item extends { readonly id: string }>(
  ask: Ask,
  list: Listing<Row, Item>,
  paging: Pick<Paging, 'count' | 'hasCursors'>,
  limits: ListLimits,
  signal: AbortSignal,
): Promise<Pages<Item>> {
  const { count, hasCursors } = paging
  const { itemsMax, checkCount } = limits
  const { askPage, first } = await openList(ask, list, firstPageOf(paging), signal)
  if (!hasCursors && first.nextCursor !== undefined) return readWholeList(ask, list, { count, hasCursors: true }, limits, signal)
  checkCount(first.total ?? 0)
  const options = { list, first, checkCount, ...pagesOf(askPage, count, first, limits) }
  // Each page has one item or more, and there is one request after the last page.
  const walk = { idOf: ({ id }: Item) => id, pagesMax: itemsMax + 2, ...(list.path === '/Users' ? { called: 'a user' } : {}) }
  return hasCursors
    ? readPages<Item, CursorPosition>({ cursor: '', at: 0 }, byCursor({ list, askPage, count, first, checkCount }), walk, signal)
    : readPages<Item, Index>({ at: 0 }, byIndex(options), walk, signal)
}

/** How the pages after the first are requested. A server may send fewer items than `count`; then pages that are asked ahead have as many as it sends. */
function pagesOf<Row>(
  askPage: AskPage<Row>,
  count: number,
  { rows, total }: ListAnswer<Row>,
  { atOnce = 1 }: ListLimits,
): { readonly askPage: AskPage<Row>; readonly count: number } {
  const size = Math.min(count, rows.length)
  if (atOnce === 1 || size < 2 || total === undefined) return { askPage, count }
  return { askPage: askAhead(askPage, { count: size, total, atOnce }), count: size }
}
