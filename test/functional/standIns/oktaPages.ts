import type { ServerResponse } from 'node:http'
import { json } from '../rawServer.ts'

/** A row of a list, and the text by which the list is sorted. */
export type Listed = { readonly cursor: string; readonly row: object }

/**
 * https://developer.okta.com/docs/reference/core-okta-api/#link-header: two headers, and no `next` on the last page.
 *
 * @param most rows of a page, and their number if nothing is asked for
 */
export function answerPage(response: ServerResponse, url: URL, rows: readonly Listed[], most: number): void {
  const after = decoded(url.searchParams.get('after'))
  const limit = Math.min(most, Number(url.searchParams.get('limit') ?? most))
  const rest = rows.toSorted((a, b) => (a.cursor < b.cursor ? -1 : 1)).filter(({ cursor }) => after === undefined || cursor > after.cursor)
  const page = rest.slice(0, limit)
  const last = page.at(-1)
  const links = [`<${url.href}>; rel="self"`]
  if (last !== undefined && rest.length > page.length) {
    const next = new URL(url)
    next.searchParams.set('after', encoded({ cursor: last.cursor, page: (after?.page ?? 1) + 1 }))
    links.push(`<${next.href}>; rel="next"`)
  }
  response.setHeader('link', links)
  const shown = page.map(({ row }) => row)
  json(response, 200, shown)
}

type Cursor = { readonly cursor: string; readonly page: number }
const encoded = (cursor: Cursor): string => Buffer.from(JSON.stringify(cursor)).toString('base64url')
const decoded = (after: string | null): Cursor | undefined =>
  after === null ? undefined : JSON.parse(Buffer.from(after, 'base64url').toString())

export const pageNumber = (query: URLSearchParams): number => decoded(query.get('after'))?.page ?? 1
