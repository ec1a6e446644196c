import { defined } from '../../core/fields.ts'
import { checkedList } from '../../http/json.ts'
import { id, type Others, optionalText, othersOf, parse, type Times, timesOf, timestamp, z } from './fields.ts'

/** Another object that an item refers to. All but `id` is there only if the request had `expand` for the relation. */
type Related = { readonly id: string; readonly name?: string; readonly group?: string } & Others

const relatedRow = z.object({ id, name: optionalText, group: optionalText })

/** A relation is an id, or with `expand` an object. Plane expands a relation that is null to `{}` (measured). */
const relation = z.union([
  id.transform((value): Related => ({ id: value })),
  relatedRow.loose().transform((row): Related => {
    const { id, name, group, display_name } = row
    const shownName = name ?? (typeof display_name === 'string' ? display_name : undefined)
    return { id, ...defined({ name: shownName, group: group ?? undefined }), ...othersOf(row, relatedRow) }
  }),
  z.strictObject({}).transform(() => undefined),
  z.null().transform(() => undefined),
])

const workItemRow = z.object({
  id,
  name: optionalText,
  sequence_id: z.number().int().nullish(),
  priority: optionalText,
  state: relation.optional(),
  assignees: checkedList(relation).nullish(),
  created_at: timestamp,
  updated_at: timestamp,
})

/** The `id` is always there; another field only if `fields` of the request named it, or if the request had no `fields`. */
export type WorkItem = {
  readonly id: string
  readonly name?: string
  readonly sequence?: number
  readonly priority?: string
  readonly state?: Related
  readonly assignees?: readonly Related[]
} & Times &
  Others

export function workItemFrom(row: unknown, at = ''): WorkItem {
  const fields = parse(workItemRow, row, at)
  const { id, name, sequence_id, priority, state, assignees } = fields
  return {
    id,
    ...defined({
      name: name ?? undefined,
      sequence: sequence_id ?? undefined,
      priority: priority ?? undefined,
      state,
      assignees: assignees?.filter((person) => person !== undefined),
    }),
    ...timesOf(fields),
    ...othersOf(row, workItemRow),
  }
}

const stickyRow = z.object({
  id: id.optional(),
  name: optionalText,
  description_html: optionalText,
  created_at: timestamp,
  updated_at: timestamp,
})

/** A field is there if `fields` of the request named it, or if the request had no `fields`. */
export type Sticky = { readonly id?: string; readonly name?: string; readonly html?: string } & Times & Others

export function stickyFrom(body: unknown): Sticky {
  return { ...stickyFields(parse(stickyRow, body, '')), ...othersOf(body, stickyRow) }
}

/** The fields that stickies and wiki pages have in common. */
function stickyFields({ id, name, description_html, ...times }: z.output<typeof stickyRow>): Omit<Sticky, 'others'> {
  return { ...defined({ id, name: name ?? undefined, html: description_html ?? undefined }), ...timesOf(times) }
}

const wikiPageRow = stickyRow.extend({ description: z.unknown() })

/** Plane's editor writes `html`. `text` is there if the service sends plain text; a description of another form is among `others`. */
export type WikiPage = Sticky & { readonly text?: string }

export function wikiPageFrom(body: unknown): WikiPage {
  const row = parse(wikiPageRow, body, '')
  const { description } = row
  const isText = typeof description === 'string'
  return { ...stickyFields(row), ...(isText ? { text: description } : {}), ...othersOf(body, isText ? wikiPageRow : stickyRow) }
}
