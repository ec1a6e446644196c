import type { Reading } from '../core/reading.ts'
import type { Caller, Operation } from './call.ts'
import { PlaneError } from './errors.ts'
import { type ListPage, pageFrom, pageQuery } from './wire/page.ts'

/** The service's default page size, and its maximum. */
export const perPageMax = 100

export type PageLimits = { readonly pagesMax: number; readonly rowsMax: number }

export type ListOptions = PageLimits & {
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
    async () => {
      const first = await walk(call, operation, row, options, signal)
      if (first.doubt !== undefined || first.pages === 1 || options.proof === 'total') return { value: first.items, missing: first.doubt }
      const second = await walk(call, operation, row, options, signal)
      const same = JSON.stringify(first.items) === JSON.stringify(second.items)
      return { value: second.items, missing: second.doubt ?? (same ? undefined : 'the list changed while its pages were read') }
    },
  )
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

async function walk<T>(call: Caller, operation: Operation, row: Row<T>, options: ListOptions, signal: AbortSignal): Promise<Walk<T>> {
  const items: T[] = []
  const totals = new Set<number>()
  const cursors = new Set<string>()
  const done = (pages: number, doubt?: string): Walk<T> => ({ items, pages, doubt })
  let cursor: string | undefined
  for (let pages = 1; ; pages++) {
    const perPage = options.perPage ?? sizeIn(cursor)
    const query = { ...operation.query, ...(perPage === undefined ? {} : pageQuery(perPage, cursor)) }
    const page = await call.read({ ...operation, query }, (body) => understand(pageFrom(body), row), signal)
    for (const item of page.items) items.push(item)
    if (page.total !== undefined) totals.add(page.total)
    if (items.length > options.rowsMax) return done(pages, `more than ${options.rowsMax} items`)
    if (page.count !== undefined && page.count !== page.items.length)
      return done(pages, `a page of ${page.items.length} items whose count is ${page.count}`)
    if (page.next === 'none') return done(pages, doubtIn(items, row, totals, pages))
    if (page.next === 'unknown') return done(pages, `${items.length} items, and perhaps more on pages that this program cannot ask for`)
    if (page.items.length === 0) return done(pages, 'an empty page that says that more follow')
    if (pages >= options.pagesMax) return done(pages, `more than ${options.pagesMax} pages`)
    cursor = page.next.cursor
    if (cursors.has(cursor)) return done(pages, 'a page that names an earlier one as its next')
    cursors.add(cursor)
    if (options.perPage === undefined && sizeIn(cursor) === undefined) return done(pages, `more pages, by a cursor of unknown form`)
  }
}

function doubtIn<T>(items: readonly T[], row: Row<T>, totals: ReadonlySet<number>, pages: number): string | undefined {
  if (new Set(items.map((item) => row.id(item))).size < items.length) return 'an item that came twice'
  if (totals.size > 1) return `the total changed while the pages were read (${[...totals].join(', ')})`
  const [total] = totals
  if (total === undefined) return pages === 1 ? undefined : `${pages} pages without a total`
  return total === items.length ? undefined : `${items.length} of ${total} items`
}

const understand = <T>(page: ListPage, row: Row<T>) => ({
  ...page,
  items: page.rows.map((value, index) => row.from(value, `${page.at}[${index}]`)),
})

/** The page size of a cursor, which is `size:page:isPrevious`. A request with a cursor must repeat the size. */
const sizeIn = (cursor: string | undefined): number | undefined => {
  const digits = /^(\d{1,4}):/.exec(cursor ?? '')?.[1]
  return digits === undefined ? undefined : Number(digits)
}
