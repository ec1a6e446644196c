import { defined } from '../../core/fields.ts'
import type { Answer } from '../../http/origin.ts'
import { optionalText } from './fields.ts'
import { parse, z } from './parse.ts'
import { type Signs, signsIn } from './signs.ts'

/** One page of a list, in whichever envelope. A bare array is a list of one page. */
export type ListPage = {
  readonly rows: readonly unknown[]
  /** Where the rows are in the body, for errors: `results`, `data`, or empty for a bare array. */
  readonly at: string
  /** `none`: this is the last page. `unknown`: more pages may follow, and this program cannot ask for them. */
  readonly next: { readonly cursor: string } | 'none' | 'unknown'
  /** Items on this page, if the service says so. */
  readonly count?: number
} & Signs

const whole = z.number().int().nonnegative().nullish()
/** `prev_cursor` is not read: on the first page it is empty in the specification and `N:-1:1` in Plane. */
const envelope = z.object({
  results: z.array(z.unknown()),
  next_cursor: z.string().nullish(),
  next_page_results: z.boolean().nullish(),
  next: optionalText,
  count: whole,
  total_results: whole,
})
const envelopeOfV2 = z.object({ data: z.array(z.unknown()), next: z.string().nullish(), total_count: whole })

/** @throws {UnexpectedBody} if the body is neither an array nor a known envelope */
export function pageFrom(body: unknown, headers: Answer['headers'] = {}): ListPage {
  const page = rowsFrom(body)
  const signs = signsIn(body, headers)
  return { ...page, ...signs, next: page.next === 'none' && signs.more !== undefined ? 'unknown' : page.next }
}

function rowsFrom(body: unknown): Omit<ListPage, keyof Signs> {
  if (Array.isArray(body)) return { rows: body, at: '', next: 'none' }
  if (typeof body === 'object' && body !== null && 'data' in body) return rowsOfV2(body)
  const fields = parse(envelope, body, '')
  return { rows: fields.results, at: 'results', next: nextOf(fields), ...defined({ count: fields.count ?? undefined }) }
}

/** How v2 names its next page is not settled. The list counts as complete only if the answer says so, by `next: null` or by a total. */
function rowsOfV2(body: object): Omit<ListPage, keyof Signs> {
  const { data, next, total_count } = parse(envelopeOfV2, body, '')
  return { rows: data, at: 'data', next: next === null || typeof total_count === 'number' ? 'none' : 'unknown' }
}

/** Plane sends a cursor on the last page too, so the cursor counts only with the flag. An envelope with neither flag nor total may be cut. */
function nextOf({ next_page_results, next_cursor, total_results }: z.infer<typeof envelope>): ListPage['next'] {
  if (next_page_results === true && next_cursor) return { cursor: next_cursor }
  return next_page_results === false || typeof total_results === 'number' ? 'none' : 'unknown'
}

/**
 * The query for one page. Each request repeats `per_page`, because the server computes the offset from it: a cursor without it skips rows. The
 * first part of a cursor is the page size (measured).
 */
export const pageQuery = (perPage: number, cursor?: string): Record<string, string> => ({
  per_page: String(perPage),
  ...(cursor === undefined ? {} : { cursor }),
})
