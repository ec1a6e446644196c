import { defined } from '../../core/fields.ts'
import { id, optionalText, type Times, timesOf, timestamp } from './fields.ts'
import { parse, z } from './parse.ts'

export const stickyRow = z.object({
  id: id.optional(),
  name: optionalText,
  description_html: optionalText,
  created_at: timestamp,
  updated_at: timestamp,
})

/** A field is there if `fields` of the request named it, or if the request had no `fields`. */
export type Sticky = { readonly id?: string; readonly name?: string; readonly html?: string } & Times

export function stickyFrom(body: unknown): Sticky {
  const { id, name, description_html, ...times } = parse(stickyRow, body, '')
  return { ...defined({ id, name: name ?? undefined, html: description_html ?? undefined }), ...timesOf(times) }
}
