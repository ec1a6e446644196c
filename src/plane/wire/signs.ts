import { defined } from '../../core/fields.ts'
import { linkOf } from '../../http/linkHeader.ts'
import type { Answer } from '../../http/origin.ts'

/** A number that an answer states, and the field or header that states it. */
export type Stated = { readonly number: number; readonly by: string }

/** What an answer says about the whole list, of which it has one page. */
export type Signs = {
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

export function signsIn(body: unknown, headers: Answer['headers']): Signs {
  const all = [
    ...signsOf(fields, body, ''),
    ...holders.flatMap((holder) => signsOf(fields, asFields(body)[holder], `${holder}.`)),
    ...signsOf(headerFields, headers, 'the header '),
  ]
  return defined({
    more: all.find((sign) => sign.more)?.by,
    total: largest(all, 'total'),
    totalPages: largest(all, 'totalPages'),
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
