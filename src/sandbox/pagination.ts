import type { WorkspaceCall } from './call.ts'
import { projection, type Shape } from './projection.ts'
import { detail, json, type Reply, serverError } from './reply.ts'

const perPageMax = 100

/** How a list is shown: pages in the envelope, or one bare array. `perPage` is the page size if the request names none. */
type ListForm = { readonly form: 'envelope' | 'array'; readonly orders?: true; readonly perPage?: number }

/** The answer with a list. `rows` are the rows that the caller may see. */
export function showList<Row>(
  shape: Shape<Row>,
  rows: readonly Row[],
  call: WorkspaceCall,
  { form, orders, perPage = perPageMax }: ListForm,
): Reply {
  const shown = projection(shape, call)
  if ('refusal' in shown) return shown.refusal
  const ordered = orders ? sorted(shape, rows, call) : rows
  if (ordered === undefined) return serverError()
  if (form === 'array' && call.quirks.envelope === undefined) return json(200, ordered.map(shown.show))
  const cut = paginate(ordered, call, perPage)
  return 'refusal' in cut ? cut.refusal : json(200, { ...cut.page, results: cut.results.map(shown.show) })
}

type Size = { readonly perPage: number; readonly page: number }

/** The envelope without its results, and the rows of the page. */
function paginate<Row>(
  rows: readonly Row[],
  call: WorkspaceCall,
  perPageDefault: number,
): { page: Record<string, unknown>; results: readonly Row[] } | { refusal: Reply } {
  const size = readSize(call, perPageDefault)
  if ('refusal' in size) return size
  const { perPage, page } = size
  const from = page * perPage
  const shift = call.quirks.overlap === undefined ? 0 : page
  const results = rows.slice(from - shift, from - shift + perPage)
  const previous = page === 0 && call.dialect.firstPrevCursor === 'empty' ? '' : `${perPage}:${page - 1}:1`
  const extended = call.dialect.envelope === 'extended'
  return {
    results,
    page: {
      ...(extended && { grouped_by: null, sub_grouped_by: null, total_count: rows.length }),
      next_cursor: `${perPage}:${page + 1}:0`,
      prev_cursor: previous,
      next_page_results: from + perPage < rows.length,
      prev_page_results: page > 0,
      count: results.length,
      total_pages: Math.ceil(rows.length / perPage),
      total_results: rows.length,
      extra_stats: extended ? null : {},
    },
  }
}

const refused = (text: string) => ({ refusal: detail(400, text) })

function readSize({ request, dialect, quirks }: WorkspaceCall, perPageDefault: number): Size | { refusal: Reply } {
  const { envelope } = quirks
  const usual = Math.min(perPageDefault, envelope?.perPage ?? perPageMax)
  const most = envelope?.asked ?? envelope?.perPage ?? perPageMax
  const text = request.query.get('per_page')
  if (text !== null && !/^-?\d{1,9}$/.test(text)) return refused('Invalid per_page parameter.')
  const asked = text === null ? undefined : Number(text)
  if (asked !== undefined && asked > perPageMax) return refused(`Invalid per_page value. Cannot exceed ${perPageMax}.`)
  const cursor = readCursor(request.query.get('cursor'), dialect)
  if (cursor === undefined) return refused('Invalid cursor parameter.')
  if (asked !== undefined && most === 'refused') return refused('Invalid parameter: per_page.')
  const max = most === 'refused' ? usual : most
  const perPage = Math.min(asked ?? usual, max)
  const { page, size = perPage } = cursor
  if (page * perPage < 0) return refused('Error in parsing')
  if (perPage <= 0) {
    return dialect.noPerPageStatus === 500 ? { refusal: serverError() } : refused('Invalid per_page value. It must be at least 1.')
  }
  if (dialect.cursorSize === 'ignored') return { perPage, page }
  return size > perPageMax ? refused('Invalid cursor parameter.') : { perPage: Math.min(size, max), page }
}

type Cursor = { readonly page: number; readonly size?: number }

/** The first page without a cursor. Undefined if the cursor cannot be read. */
function readCursor(text: string | null, { firstPrevCursor, cursorSize }: WorkspaceCall['dialect']): Cursor | undefined {
  if (text === null || (text === '' && firstPrevCursor === 'empty')) return { page: 0 }
  const form = cursorSize === 'ignored' ? /^(-?\d{1,9}(?:\.\d{1,9})?):(-?\d{1,9}):-?\d{1,9}$/ : /^([1-9]\d{0,8}):(\d{1,9}):[01]$/
  const [, size, page] = form.exec(text) ?? []
  return size === undefined || page === undefined ? undefined : { size: Number(size), page: Number(page) }
}

function sorted<Row>(shape: Shape<Row>, rows: readonly Row[], call: WorkspaceCall): readonly Row[] | undefined {
  const order = call.request.query.get('order_by')
  if (order === null) return rows
  const name = order.replace(/^-/, '')
  const field = Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined
  if (field === undefined) return call.dialect.unknownOrderStatus === 500 ? undefined : rows
  const direction = order.startsWith('-') ? -1 : 1
  const key = (row: Row) => {
    const value = field(row, call)
    return typeof value === 'string' || typeof value === 'number' ? value : ''
  }
  return rows.toSorted((a, b) => direction * (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0))
}
