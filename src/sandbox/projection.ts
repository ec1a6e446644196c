import type { WorkspaceCall } from './call.ts'
import { json, type Reply } from './reply.ts'

/** The fields of a resource in order, and the expanded form of its relations. */
export type Shape<Row> = {
  readonly fields: { readonly [name: string]: (row: Row, call: WorkspaceCall) => unknown }
  readonly relations?: { readonly [name: string]: (row: Row, call: WorkspaceCall) => unknown }
}

/** How an answer shows its rows, or a 400 with the names that cannot be shown. */
type Projection<Row> = { readonly show: (row: Row) => Record<string, unknown> } | { readonly refusal: Reply }

/** Reads `fields` and `expand` of a request; they apply to reads and lists only. */
export function projection<Row>(shape: Shape<Row>, call: WorkspaceCall): Projection<Row> {
  const { dialect, request } = call
  const fields = request.method === 'GET' ? names(request.query.get('fields'), dialect.blankAfterComma) : undefined
  const expand = (request.method === 'GET' && names(request.query.get('expand'), dialect.blankAfterComma)) || []
  const relations = shape.relations ?? {}
  if (dialect.invalidNames === 'refused') {
    const wrongFields = (fields ?? []).filter((name) => !Object.hasOwn(shape.fields, name))
    const wrongExpand = expand.filter((name) => !Object.hasOwn(relations, name))
    if (wrongFields.length + wrongExpand.length > 0) return { refusal: invalid(wrongFields, wrongExpand) }
  }
  const shown = Object.keys(shape.fields).filter((name) => fields?.includes(name) ?? true)
  const show = (row: Row) =>
    Object.fromEntries(
      shown.map((name) => {
        const relation = expand.includes(name) && Object.hasOwn(relations, name) ? relations[name] : undefined
        if (relation === undefined) return [name, shape.fields[name]?.(row, call)]
        return [name, relation(row, call) ?? (dialect.expandedNull === null ? null : {})]
      }),
    )
  return { show }
}

/** One resource with all of its fields. */
export const wholeRow = <Row>({ fields }: Shape<Row>, row: Row, call: WorkspaceCall): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field(row, call)]))

/** The answer with one resource, to a read or a write. */
export function showOne<Row>(shape: Shape<Row>, row: Row, call: WorkspaceCall, status = 200): Reply {
  const shown = projection(shape, call)
  return 'refusal' in shown ? shown.refusal : json(status, shown.show(row))
}

function names(list: string | null, blank: 'trimmed' | 'unknown'): string[] | undefined {
  if (list === null || list === '') return undefined
  const parts = list.split(',')
  return blank === 'trimmed' ? parts.map((name) => name.trim()).filter((name) => name !== '') : parts
}

function invalid(fields: readonly string[], expand: readonly string[]): Reply {
  const sentences = [
    ...(fields.length > 0 ? [`Invalid fields: ${fields.join(', ')}.`] : []),
    ...(expand.length > 0 ? [`Cannot be expanded: ${expand.join(', ')}.`] : []),
  ]
  return json(400, { error: sentences.join(' '), ...(fields.length > 0 && { fields }), ...(expand.length > 0 && { expand }) })
}

/** A time in the format of the dialect; null stays null. */
export function timestamp(atMs: number | null, { dialect, caller }: Pick<WorkspaceCall, 'dialect' | 'caller'>): string | null {
  if (atMs === null) return null
  if (dialect.timestamps === 'utc') return new Date(atMs).toISOString().replace('.000Z', 'Z')
  const { utcOffsetMinutes } = caller.user
  const local = new Date(atMs + utcOffsetMinutes * 60_000).toISOString().replace('Z', '000')
  const hours = Math.trunc(Math.abs(utcOffsetMinutes) / 60)
  const minutes = Math.abs(utcOffsetMinutes) % 60
  return `${local}${utcOffsetMinutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`
}

/** The fields of a row with those that every row has. */
export function rowFields<Row extends { id: string; created_at: number; updated_at: number }>(
  own: Shape<Row>['fields'],
): Shape<Row>['fields'] {
  return {
    id: (row) => row.id,
    ...own,
    created_at: (row, call) => timestamp(row.created_at, call),
    updated_at: (row, call) => timestamp(row.updated_at, call),
  }
}
