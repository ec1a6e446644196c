import { counted } from '../core/quantity.ts'
import type { Reading } from '../core/reading.ts'
import type { Make } from './answerBody.ts'
import type { Caller, Operation } from './call.ts'
import { PlaneError } from './errors.ts'
import { type ListPage, pageFrom, pageQuery, type Stated } from './wire/page.ts'

export type PageLimits = { readonly pagesMax: number; readonly rowsMax: number }

type ListOptions = PageLimits & {
  /** Sent from the first page on; absent for lists that the service sends whole. */
  readonly perPage?: number
  /**
   * How a list of several pages is proved complete. Offset pages move when rows are written: a list with a matching total lacked two live
   * rows (measured). `total`: a stable order and the same total on all pages; enough if a missing row only delays something. `twice`: two
   * reads of the whole list gave the same rows.
   */
  readonly proof: 'total' | 'twice'
}

/** How a row of a list becomes an item, and the item's id. */
type Row<T> = { from(value: unknown, at: string): T; id(item: T): string }

/** A list as a reading: complete if proved so, else partial with the reason; failed if a page failed with a `PlaneError`, which is not thrown. */
export function readList<T>(
  call: Caller,
  operation: Operation,
  row: Row<T>,
  options: ListOptions,
  signal: AbortSignal,
): Promise<Reading<readonly T[]>> {
  return asReading(
    () => call.clock.now(),
    () => readPages((query) => call.read(withQuery(operation, query), itemsFrom(row), signal), row, options),
  )
}

type Query = Readonly<Record<string, string>>
const withQuery = (operation: Operation, query: Query): Operation => ({ ...operation, query: { ...operation.query, ...query } })

type Pages<T> = { readonly value: readonly T[]; readonly missing: string | undefined }

async function readPages<T>(ask: (query: Query) => Promise<ItemPage<T>>, row: Row<T>, options: ListOptions): Promise<Pages<T>> {
  const pages = openPages(ask, options.perPage)
  const first = await walk(pages, row, options)
  if (first.doubt !== undefined || first.pages === 1 || options.proof === 'total') return { value: first.items, missing: first.doubt }
  const second = await walk(pages, row, options)
  const areEqual = JSON.stringify(first.items) === JSON.stringify(second.items)
  return { value: second.items, missing: second.doubt ?? (areEqual ? undefined : 'the list changed while its pages were read') }
}

/** Runs `work` and returns its result as a reading. A `PlaneError` becomes a failed reading; any other error is thrown. */
export async function asReading<T>(
  now: () => number,
  work: () => Promise<{ value: T; missing?: string | undefined }>,
): Promise<Reading<T>> {
  const beganMs = now()
  try {
    const { value, missing } = await work()
    const times = { atMs: now(), tookMs: now() - beganMs }
    return missing === undefined ? { status: 'complete', value, ...times } : { status: 'partial', value, missing, ...times }
  } catch (error) {
    if (!(error instanceof PlaneError)) throw error
    const cure = error.cure === undefined ? {} : { cure: error.cure }
    return { status: 'failed', why: error.message, ...cure, atMs: now(), tookMs: now() - beganMs }
  }
}

type Walk<T> = { readonly items: readonly T[]; readonly pages: number; readonly doubt: string | undefined }

/**
 * Reads the pages of a list. An item that came several times counts once, as it came last: if rows are written meanwhile, or the order of the service
 * is not stable, a row moves to a page that is read later.
 */
async function walk<T>(source: PageSource<T>, row: Row<T>, { pagesMax, rowsMax }: PageLimits): Promise<Walk<T>> {
  const items = new Map<string, T>()
  let rows = 0
  const totals = new Map<number, Stated>()
  const cursors = new Set<string>()
  const done = (pages: number, doubt?: string): Walk<T> => ({ items: [...items.values()], pages, doubt })
  let page = await source.first()
  for (let pages = 1; ; pages++) {
    for (const item of page.items) items.set(row.id(item), item)
    rows += page.items.length
    if (page.total !== undefined) totals.set(page.total.number, page.total)
    if (rows > rowsMax) return done(pages, `more than ${rowsMax} items`)
    if (page.count !== undefined && page.count !== page.items.length)
      return done(pages, `a page of ${counted(page.items.length, 'item')} whose count is ${page.count}`)
    if (page.next === 'none') return done(pages, doubtIn({ rows, items: items.size, totals, pages, totalPages: page.totalPages }))
    if (page.next === 'unknown') return done(pages, `${counted(items.size, 'item')}${unaskable(page.more)}`)
    if (page.items.length === 0) return done(pages, 'an empty page that says that more follow')
    if (pages >= pagesMax) return done(pages, `more than ${pagesMax} pages`)
    const { cursor } = page.next
    if (cursors.has(cursor)) return done(pages, 'a page that names an earlier one as its next')
    cursors.add(cursor)
    const next = await source.next(cursor)
    if (next === undefined) return done(pages, `more pages, by a cursor of unknown form`)
    page = next
  }
}

const unaskable = (sign: string | undefined): string =>
  sign === undefined
    ? ', and perhaps more on pages that this program cannot ask for'
    : `; ${sign} says that more follow, on pages that this program cannot ask for`

type Counted = {
  readonly rows: number
  readonly items: number
  readonly totals: ReadonlyMap<number, Stated>
  readonly pages: number
  readonly totalPages: Stated | undefined
}

function doubtIn({ rows, items, totals, pages, totalPages }: Counted): string | undefined {
  if (items < rows) return 'an item that came twice'
  if (totals.size > 1) return `the total changed while the pages were read (${[...totals.keys()].join(', ')})`
  if (totalPages !== undefined && totalPages.number > pages) return partOf(pages, totalPages, 'page')
  const [total] = totals.values()
  if (total === undefined) return pages === 1 ? undefined : `${pages} pages without a total`
  return total.number === items ? undefined : partOf(items, total, 'item')
}

const partOf = (read: number, { number, by }: Stated, noun: string): string => `${read} of ${counted(number, noun)}, by ${by}`

const itemsFrom =
  <T>(row: Row<T>): Make<ItemPage<T>> =>
  (body, headers) => {
    const { rows, at, ...page } = pageFrom(body, headers)
    return { ...page, items: rows.map((value, index) => row.from(value, `${at}[${index}]`)) }
  }

/** The service's default page size, and its maximum. */
export const perPageMax = 100

type ItemPage<T> = Omit<ListPage, 'rows' | 'at'> & { readonly items: readonly T[] }

/** The pages of one list, all in one size. The first call of `first` finds the size; later ones use the same. */
type PageSource<T> = {
  first(): Promise<ItemPage<T>>
  /** Undefined if the cursor has an unknown form, so that no page can be asked for. */
  next(cursor: string): Promise<ItemPage<T> | undefined>
}

/**
 * Asks for pages in the largest size that the service gives.
 *
 * | `wanted` | first request | if a next page follows |
 * |---|---|---|
 * | a size | with it; if it is refused, without a size | |
 * | none: the service sends the list whole today | without a size | begins again with the largest size; if the service refuses it or does not keep to it, goes on in the service's own size |
 *
 * Each request for a next page repeats the size that is in its cursor, because Plane skips rows otherwise. A service that refuses this, too, gets the
 * cursor alone.
 *
 * @param ask sends one request with this query
 */
function openPages<T>(ask: (query: Readonly<Record<string, string>>) => Promise<ItemPage<T>>, wanted: number | undefined): PageSource<T> {
  let size = wanted
  let isFound = false
  let isRepeated = true

  async function find(): Promise<ItemPage<T>> {
    if (wanted !== undefined) {
      const page = await unlessRefused(ask(pageQuery(wanted)), isRejected)
      if (page !== undefined) return page
      size = undefined
      return ask({})
    }
    const own = await ask({})
    if (!isSmall(own)) return own
    // The list was readable a moment ago. So a refusal now is about the page size.
    const large = await unlessRefused(ask(pageQuery(perPageMax)), isAnswer)
    if (large === undefined || !replaces(large, own)) return own
    size = perPageMax
    return large
  }

  return {
    async first() {
      if (isFound) return ask(size === undefined ? {} : pageQuery(size))
      const page = await find()
      isFound = true
      return page
    },
    async next(cursor) {
      const repeated = sizeIn(cursor) ?? size
      if (repeated === undefined) return undefined
      if (isRepeated) {
        const page = await unlessRefused(ask(pageQuery(repeated, cursor)), isRejected)
        if (page !== undefined) return page
        isRepeated = false
      }
      return ask({ cursor })
    },
  }
}

/** More pages follow, of a size below the largest. */
const isSmall = <T>({ next, items }: ItemPage<T>): boolean =>
  typeof next === 'object' && items.length > 0 && (sizeIn(next.cursor) ?? perPageMax) < perPageMax

/**
 * Whether the first page in the largest size may replace `own`, the page in the service's own size. If more pages follow, it must have as many rows
 * as its cursor says. If it is the last page, it must have more rows than `own`.
 */
function replaces<T>({ next, items }: ItemPage<T>, own: ItemPage<T>): boolean {
  if (next === 'unknown') return false
  return next === 'none' ? items.length > own.items.length : items.length === (sizeIn(next.cursor) ?? perPageMax)
}

/** The page size of a cursor, which is `size:page:isPrevious`. */
function sizeIn(cursor: string): number | undefined {
  const digits = /^([1-9]\d{0,3}):/.exec(cursor)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

const isRejected = ({ code, status }: PlaneError): boolean => code === 'rejected' && status !== 402
const isAnswer = ({ code, status }: PlaneError): boolean => status !== undefined && code !== 'credential' && code !== 'throttled'

async function unlessRefused<T>(asked: Promise<T>, isRefusal: (error: PlaneError) => boolean): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof PlaneError && isRefusal(error)) return undefined
    throw error
  }
}
