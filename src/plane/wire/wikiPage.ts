import { othersOf } from './fields.ts'
import { parse, z } from './parse.ts'
import { type Sticky, stickyFields, stickyRow } from './sticky.ts'

const wikiPageRow = stickyRow.extend({ description: z.unknown() })

/** Plane's editor writes `html`. `text` is there if the service sends plain text; a description of another form is among `others`. */
export type WikiPage = Sticky & { readonly text?: string }

export function wikiPageFrom(body: unknown): WikiPage {
  const row = parse(wikiPageRow, body, '')
  const { description } = row
  const isText = typeof description === 'string'
  return { ...stickyFields(row), ...(isText ? { text: description } : {}), ...othersOf(body, isText ? wikiPageRow : stickyRow) }
}
