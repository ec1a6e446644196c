import { describe, expect, test } from 'vitest'
import { client, never } from './planeWorld.ts'
import { json, rawServer } from './rawServer.ts'

const row = (nth: number) => ({ id: `0190f0a0-0000-4000-a000-${String(nth).padStart(12, '0')}`, idp_group_name: `g${nth}`, role: 'member' })
const one = [row(1)]
/** The last page of a list, as Plane sends it. */
const page = (more: object = {}) => ({
  results: one,
  next_cursor: '100:1:0',
  prev_cursor: '',
  next_page_results: false,
  prev_page_results: false,
  count: 1,
  total_pages: 1,
  total_results: 1,
  extra_stats: null,
  ...more,
})
type Headers = Readonly<Record<string, string>>

async function readFrom(pages: readonly { readonly body: unknown; readonly headers?: Headers }[]) {
  await using server = await rawServer(({ url = '' }, response) => {
    const cursor = new URL(url, 'http://service').searchParams.get('cursor')
    const { body, headers = {} } = pages[cursor === null ? 0 : Number(cursor.split(':')[1])] ?? { body: [] }
    json(response, 200, body, { ...headers })
  })
  return await client(server.url).reader.mappings('workspaceRoles', never)
}

const says = (sign: string) => `1 item; ${sign} says that more follow, on pages that this program cannot ask for`

describe('a list with a sign that it goes on, and no way to its next page, is partial', () => {
  test.each<[string, unknown, Headers, string]>([
    ['a link to a next page', one, { link: '<http://service/?page=2>; rel="next"' }, says('the header link')],
    ['the number of the next page', one, { 'x-next-page': '2' }, says('the header x-next-page')],
    ['a total in a header', one, { 'x-total-count': '3' }, '1 of 3 items, by the header x-total-count'],
    ['pages in a header', one, { 'x-total-pages': '2' }, '1 of 2 pages, by the header x-total-pages'],
    ['a range', one, { 'content-range': 'items 0-0/3' }, '1 of 3 items, by the header content-range'],
    ['a range beside an envelope', page(), { 'content-range': 'items 0-0/3' }, '1 of 3 items, by the header content-range'],
    ['more pages than one', page({ total_pages: 2 }), {}, '1 of 2 pages, by total_pages'],
    ['two totals', page({ total_count: 3 }), {}, '1 of 3 items, by total_count'],
    ['a flag beside the flag', page({ has_more: true }), {}, says('has_more')],
    ['a link beside the flag', page({ links: { next: 'http://service/?page=2' } }), {}, says('links.next')],
    ['a flag inside of v2', { data: one, next: null, pagination: { style: 'cursor', has_more: true } }, {}, says('pagination.has_more')],
    ['a link inside of v2', { data: one, next: null, links: { next: 'http://service/?page=2' } }, {}, says('links.next')],
    ['a total inside of v2', { data: one, next: null, meta: { total: 3 } }, {}, '1 of 3 items, by meta.total'],
    ['a total as text', { data: one, next: null, meta: { total: '3' } }, {}, '1 of 3 items, by meta.total'],
    ['the total of v1 in v2', { data: one, next: null, total_results: 3 }, {}, '1 of 3 items, by total_results'],
  ])('%s', async (_, body, headers, missing) => {
    expect(await readFrom([{ body, headers }])).toMatchObject({ status: 'partial', missing, value: [{ group: 'g1' }] })
  })
})

describe('a list is complete', () => {
  test.each<[string, unknown, Headers]>([
    ['as Plane sends it', page({ grouped_by: null, sub_grouped_by: null, total_count: 1 }), {}],
    ['as the specification has it', page({ extra_stats: { total: 9, next: 'x' } }), {}],
    ['with an estimate of no page', page({ total_pages: 0 }), {}],
    [
      'with a cursor that a flag beside it denies',
      { data: one, next: null, pagination: { next_cursor: 'x', next_page_results: false } },
      {},
    ],
    ['of v2 with all its fields', { data: one, next: null, previous: null, total_count: 1, pagination: { style: 'offset' } }, {}],
    ['with links that lead to no next page', { data: one, next: null, links: { next: null, self: 'x' }, meta: null }, {}],
    [
      'with headers that say that this is all',
      one,
      { 'x-total-count': '1', 'x-total-pages': '1', 'x-next-page': '', 'content-range': 'items 0-0/1' },
    ],
    ['with a link to another page', one, { link: '<http://service/?page=1>; rel="last"; title="rel=next"' }],
    ['with a range of unknown length', one, { 'content-range': 'items 0-0/*' }],
    ['with a range of bytes', one, { 'content-range': 'bytes 0-98/99' }],
    ['with numbers that are none', { data: one, next: null, meta: { total: -1, total_pages: 'many' } }, { 'x-total-count': 'many' }],
  ])('%s', async (_, body, headers) => {
    expect(await readFrom([{ body, headers }])).toMatchObject({ status: 'complete', value: [{ group: 'g1' }] })
  })

  test('with signs on the pages that its cursors lead to', async () => {
    const whole = { total_pages: 2, total_count: 2, total_results: 2 }
    const headers = { 'x-total-count': '2', 'x-total-pages': '2' }
    const pages = [
      {
        body: page({ ...whole, next_cursor: '1:1:0', next_page_results: true, has_more: true }),
        headers: { ...headers, 'content-range': 'items 0-0/2', link: '<http://service/?page=2>; rel="next"', 'x-next-page': '2' },
      },
      { body: page({ ...whole, results: [row(2)], next_cursor: '1:2:0' }), headers: { ...headers, 'content-range': 'items 1-1/2' } },
    ]
    expect(await readFrom(pages)).toMatchObject({ status: 'complete', value: [{ group: 'g1' }, { group: 'g2' }] })
  })
})
