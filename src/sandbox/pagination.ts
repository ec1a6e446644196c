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

type Size = { readonly perPage: number; readonly page: number; readonly visible: boolean }

/** The envelope without its results, and the rows of the page. */
function paginate<Row>(
  rows: readonly Row[],
  call: WorkspaceCall,
  perPageDefault: number,
): { page: Record<string, unknown>; results: readonly Row[] } | { refusal: Reply } {
  const size = readSize(call, perPageDefault)
  if ('refusal' in size) return size
  const { perPage, page, visible } = size
  const from = page * perPage
  const shift = call.quirks.overlap === undefined ? 0 : page
  const results = visible ? rows.slice(from - shift, from - shift + perPage) : []
  const previous = page === 0 && call.dialect.firstPrevCursor === 'empty' ? '' : `${perPage}:${page - 1}:1`
  const extended = call.dialect.envelope === 'extended'
  return {
    results,
    page: {
      ...(extended && { grouped_by: null, sub_grouped_by: null, total_count: rows.length }),
      next_cursor: `${perPage}:${page + 1}:0`,
      prev_cursor: previous,
      next_page_results: visible && from + perPage < rows.length,
      prev_page_results: page > 0,
      count: results.length,
      total_pages: Math.ceil(rows.length / perPage),
      total_results: rows.length,
      extra_stats: extended ? null : {},
    },
  }
}

function readSize({ request, dialect, quirks }: WorkspaceCall, perPageDefault: number): Size | { refusal: Reply } {
  const { envelope } = quirks
  const usual = Math.min(perPageDefault, envelope?.perPage ?? perPageMax)
  const most = envelope?.asked ?? envelope?.perPage ?? perPageMax
  const asked = request.query.get('per_page')
  const cursor = readCursor(request.query.get('cursor'), dialect.firstPrevCursor)
  if (cursor === undefined) return { refusal: detail(400, 'Invalid cursor parameter.') }
  if (asked !== null && !/^\d{1,9}$/.test(asked)) return { refusal: detail(400, 'Invalid per_page parameter.') }
  if (asked !== null && Number(asked) > perPageMax) return { refusal: detail(400, `Invalid per_page value. Cannot exceed ${perPageMax}.`) }
  if (asked !== null && Number(asked) === 0) {
    return { refusal: dialect.zeroPerPageStatus === 500 ? serverError() : detail(400, 'Invalid per_page value. It must be at least 1.') }
  }
  if (asked !== null && most === 'refused') return { refusal: detail(400, 'Invalid parameter: per_page.') }
  const max = most === 'refused' ? usual : most
  const perPage = Math.min(asked === null ? usual : Number(asked), max)
  if (cursor === 'first') return { perPage, page: 0, visible: true }
  if (dialect.cursorAlone === 'page size' && cursor.size > perPageMax) return { refusal: detail(400, 'Invalid cursor parameter.') }
  if (dialect.cursorAlone === 'no rows') return { perPage, page: cursor.page, visible: cursor.size === perPage }
  return { perPage: Math.min(cursor.size, max), page: cursor.page, visible: true }
}

function readCursor(text: string | null, first: 'empty' | 'negative'): { size: number; page: number } | 'first' | undefined {
  if (text === null || (text === '' && first === 'empty')) return 'first'
  const [, size, page] = /^(\d{1,9}):(\d{1,9}):[01]$/.exec(text) ?? []
  return size === undefined || page === undefined || Number(size) === 0 ? undefined : { size: Number(size), page: Number(page) }
}

function sorted<Row>(shape: Shape<Row>, rows: readonly Row[], call: WorkspaceCall): readonly Row[] | undefined {
  const order = call.request.query.get('order_by')
  if (order === null) return rows
  const field = shape.fields[order.replace(/^-/, '')]
  if (field === undefined) return call.dialect.unknownOrderStatus === 500 ? undefined : rows
  const direction = order.startsWith('-') ? -1 : 1
  const key = (row: Row) => {
    const value = field(row, call)
    return typeof value === 'string' || typeof value === 'number' ? value : ''
  }
  return rows.toSorted((a, b) => direction * (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0))
}
