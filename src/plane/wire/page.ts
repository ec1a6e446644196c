import { defined } from '../../core/optionalFields.ts'
import { linkOf } from '../../http/linkHeader.ts'
import type { Answer } from '../../http/origin.ts'
import { optionalText, parse, z } from './fields.ts'

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

/** A number that an answer states, and the field or header that states it. */
export type Stated = { readonly number: number; readonly by: string }

/** What an answer says about the whole list, of which it has one page. */
type Signs = {
  /** The field or header that says that more pages follow. */
  readonly more?: string
  /** Items on all pages. Of several numbers the largest. */
  readonly total?: Stated
  /** Pages of the list. Of several numbers the largest. */
  readonly totalPages?: Stated
}

type Sign = { readonly more?: boolean; readonly total?: number | undefined; readonly totalPages?: number | undefined }
type Fields = Readonly<Record<string, unknown>>
type SignTable = Readonly<Record<string, (value: unknown, beside: Fields) => Sign>>

const more = (value: unknown): Sign => ({ more: Boolean(value) })
const total = (value: unknown): Sign => ({ total: wholeNumber(value) })
const totalPages = (value: unknown): Sign => ({ totalPages: wholeNumber(value) })

/** The fields of an envelope, and of the objects in it that `holders` names. Plane has some of them today. */
const fields: SignTable = {
  next: more,
  next_page: more,
  next_page_results: more,
  has_more: more,
  has_next: more,
  // Plane sends a cursor on the last page, too.
  next_cursor: (value, beside) => (beside['next_page_results'] === false ? {} : more(value)),
  total,
  total_count: total,
  total_results: total,
  total_pages: totalPages,
}
const holders = ['pagination', 'meta', 'links', '_links'] as const

const headerFields: SignTable = {
  link: (value) => more(linkOf(String(value), 'next')),
  'x-next-page': more,
  'x-total': total,
  'x-total-count': total,
  'x-total-pages': totalPages,
  // `items 0-99/250`. A range of bytes is about the text of the answer, not about its items.
  'content-range': (value) => total(/^(?!bytes)[^/]*\/(\d+)$/i.exec(String(value).trim())?.[1]),
}

function signsIn(body: unknown, headers: Answer['headers']): Signs {
  const signs = [
    ...signsOf(fields, body, ''),
    ...holders.flatMap((holder) => signsOf(fields, asFields(body)[holder], `${holder}.`)),
    ...signsOf(headerFields, headers, 'the header '),
  ]
  return defined({
    more: signs.find((sign) => sign.more)?.by,
    total: largest(signs, 'total'),
    totalPages: largest(signs, 'totalPages'),
  })
}

const signsOf = (table: SignTable, value: unknown, prefix: string): readonly (Sign & { readonly by: string })[] => {
  const has = asFields(value)
  return Object.entries(table).flatMap(([name, read]) =>
    Object.hasOwn(has, name) ? [{ ...read(has[name], has), by: `${prefix}${name}` }] : [],
  )
}

const asFields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})

function largest(signs: ReturnType<typeof signsOf>, name: 'total' | 'totalPages'): Stated | undefined {
  const stated = signs.flatMap(({ by, [name]: number }) => (number === undefined ? [] : [{ number, by }]))
  return stated.toSorted((a, b) => b.number - a.number)[0]
}

/** Undefined if the value is not a whole number, or a text with one. */
function wholeNumber(value: unknown): number | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined
  return /^\d{1,15}$/.test(String(value).trim()) ? Number(value) : undefined
}
