import { defined } from '../../core/fields.ts'
import { id, type Others, optionalText, othersOf, type Times, timesOf, timestamp } from './fields.ts'
import { parse, z } from './parse.ts'

export const stickyRow = z.object({
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
export function stickyFields({ id, name, description_html, ...times }: z.output<typeof stickyRow>): Omit<Sticky, 'others'> {
  return { ...defined({ id, name: name ?? undefined, html: description_html ?? undefined }), ...timesOf(times) }
}
