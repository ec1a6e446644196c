import { defined } from '../../core/fields.ts'
import { optionalText } from './fields.ts'
import { parse, z } from './parse.ts'

/** One page of a list, in whichever envelope. A bare array is a list of one page. */
export type ListPage = {
  readonly rows: readonly unknown[]
  /** Where the rows are in the body, for errors: `results`, `data`, or empty for a bare array. */
  readonly at: string
  /** `none`: this is the last page. `unknown`: more pages may follow, and this program cannot ask for them. */
  readonly next: { readonly cursor: string } | 'none' | 'unknown'
  /** Items on all pages, if the service says so. */
  readonly total?: number
  /** Items on this page, if the service says so. */
  readonly count?: number
}

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
/** Fields that v2 does not have today. If one of them is true or not empty, more pages may follow. */
const unsettled = z.unknown().optional()
const foreignOfV2 = z.object({ has_more: unsettled, next_cursor: unsettled, next_page_results: unsettled, total_results: unsettled })

/** @throws {UnexpectedBody} if the body is neither an array nor a known envelope */
export function pageFrom(body: unknown): ListPage {
  if (Array.isArray(body)) return { rows: body, at: '', next: 'none' }
  if (typeof body === 'object' && body !== null && 'data' in body) return pageOfV2(body)
  const fields = parse(envelope, body, '')
  const numbers = defined({ total: fields.total_results ?? undefined, count: fields.count ?? undefined })
  return { rows: fields.results, at: 'results', next: nextOf(fields), ...numbers }
}

/**
 * How v2 names its next page is not settled. The list counts as complete only if the answer says so: by `next: null` or a total, and by no
 * field that announces more.
 */
function pageOfV2(body: object): ListPage {
  const fields = parse(envelopeOfV2, body, '')
  const total = fields.total_count ?? undefined
  const continues = Boolean(fields.next) || Object.values(parse(foreignOfV2, body, '')).some(Boolean)
  const last = !continues && (fields.next === null || total !== undefined)
  return { rows: fields.data, at: 'data', next: last ? 'none' : 'unknown', ...defined({ total }) }
}

/** Plane sends a cursor on the last page too, so the cursor counts only with the flag. An envelope with neither flag nor total may be cut. */
function nextOf({ next_page_results, next_cursor, next, total_results }: z.infer<typeof envelope>): ListPage['next'] {
  if (next_page_results === true && next_cursor) return { cursor: next_cursor }
  const countable = typeof total_results === 'number' && next_page_results !== true && !next_cursor
  const last = next_page_results === false || countable
  return last && !next ? 'none' : 'unknown'
}

/**
 * The query for one page. Each request repeats `per_page`, because the server computes the offset from it: a cursor without it skips rows. The
 * first part of a cursor is the page size (measured).
 */
export const pageQuery = (perPage: number, cursor?: string): Record<string, string> => ({
  per_page: String(perPage),
  ...(cursor === undefined ? {} : { cursor }),
})
