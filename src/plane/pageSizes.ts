import { PlaneError } from './errors.ts'
import { type ListPage, pageQuery } from './wire/page.ts'

/** The service's default page size, and its maximum. */
export const perPageMax = 100

export type ItemPage<T> = Omit<ListPage, 'rows' | 'at'> & { readonly items: readonly T[] }

/** The pages of one list, all in one size. The first call of `first` finds the size; later ones use the same. */
export type PageSource<T> = {
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
export function openPages<T>(
  ask: (query: Readonly<Record<string, string>>) => Promise<ItemPage<T>>,
  wanted: number | undefined,
): PageSource<T> {
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
