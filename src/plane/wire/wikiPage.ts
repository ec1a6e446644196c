import { parse, z } from './parse.ts'
import { type Sticky, stickyFrom, stickyRow } from './sticky.ts'

const wikiPageRow = stickyRow.extend({ description: z.unknown() })

/** Plane's editor writes `html`. `text` is there if the service sends plain text. */
export type WikiPage = Sticky & { readonly text?: string }

export function wikiPageFrom(body: unknown): WikiPage {
  const { description } = parse(wikiPageRow, body, '')
  return { ...stickyFrom(body), ...(typeof description === 'string' ? { text: description } : {}) }
}
