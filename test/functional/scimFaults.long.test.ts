import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { scimGroups, scimReading } from './scimWorld.ts'
import { type ScimFault, scimError, scimJson } from './standIns/scim.ts'

const some = scimGroups(25)

/** Answers the requests for groups from the `from`th to the `to`th. */
const onPage =
  (from: number, to: number, answer: (response: ServerResponse) => unknown): ScimFault =>
  ({ key, nth }, response) => {
    if (key !== 'groups' || nth < from || nth > to) return false
    answer(response)
    return true
  }
const ever = Number.POSITIVE_INFINITY
const type = (name: string) => ({ 'content-type': name })
const bomb = gzipSync(Buffer.alloc(20_000_000, 0x20))

type Case = readonly [name: string, answer: (response: ServerResponse) => unknown, why: string]
/** Faults that may be over soon. */
const passing: readonly Case[] = [
  ['500', (response) => scimError(response, 500), ': 500 ('],
  ['400 without a type', (response) => scimError(response, 400), ': 400 ('],
  ['503 of a proxy, in HTML', (response) => response.writeHead(503, type('text/html')).end('<html>'), ': 503 ('],
  ['a connection cut in the middle', (response) => cut(response), 'the connection ended before the answer was complete'],
  ['a reset', (response) => response.socket?.resetAndDestroy(), ''],
  ['an answer that stalls', (response) => response.writeHead(200).write('{"Resources":['), 'no complete answer within 1 s'],
  [
    'JSON that is cut off',
    (response) => response.writeHead(200, type('application/scim+json')).end('{"totalResults":25,"Resou'),
    'not whole JSON',
  ],
  ['HTML', (response) => response.writeHead(200, type('text/html')).end('<html>'), 'not whole JSON (text/html)'],
  ['200 with nothing', (response) => response.writeHead(200).end(), 'its body (0 characters) is not whole JSON'],
  ['bytes that are not UTF-8', (response) => response.writeHead(200).end(Buffer.from('{"totalResults":0}\xff', 'latin1')), 'not UTF-8'],
  [
    'a compressed answer that would be 20 MB',
    (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    'compressed (content-encoding: gzip)',
  ],
]
/** Faults that the next attempt would meet again. */
const lasting: readonly Case[] = [
  ['a redirect', (response) => response.writeHead(302, { location: 'http://192.0.2.1/' }).end(), ': 302 ('],
  ['a part, 206', (response) => scimJson(response, 206, { totalResults: 25, Resources: [] }), ': 206 ('],
  ['another shape', (response) => scimJson(response, 200, []), 'an unexpected shape'],
  ['an empty object', (response) => scimJson(response, 200, {}), 'Resources: must be a list'],
  ['a total without groups', (response) => scimJson(response, 200, { totalResults: 25 }), 'Resources: must be a list'],
  [
    'an id that is a number',
    (response) => scimJson(response, 200, { totalResults: 1, Resources: [{ id: 7 }] }),
    'Resources.0.id: must be a text',
  ],
  ['a very large answer', (response) => response.writeHead(200).end('['.repeat(300_000)), 'more than 200000 bytes'],
]

const modes = [
  ['index', {}],
  ['cursor', { cursors: true }],
] as const
const pages = [
  ['first', 1],
  ['middle', 2],
  ['last', 3],
] as const
const places = modes.flatMap(([mode, oddities]) => pages.map(([page, nth]) => ({ mode, oddities, page, nth })))

describe.each(places)('on the $page page by $mode', ({ oddities, nth }) => {
  test.each(passing)('%s, once: asked again, complete', async (_, answer) => {
    const { result, names } = await scimReading(some, onPage(nth, nth, answer), { oddities, requestMs: 1_000 })
    expect(result).toMatchObject({ status: 'complete' })
    expect(names).toHaveLength(25)
  })

  test.each(passing)('%s, for ever: failed after three attempts', async (_, answer, why) => {
    const { result, asked } = await scimReading(some, onPage(nth, ever, answer), { oddities, requestMs: 1_000 })
    expect(result).toMatchObject({ status: 'failed', why: expect.stringContaining(why) })
    expect(result).toMatchObject({ why: expect.stringContaining('/scim/v2/Groups') })
    expect(asked).toHaveLength(nth + 2)
  })

  test.each(lasting)('%s: failed at once', async (_, answer, why) => {
    const { result, asked } = await scimReading(some, onPage(nth, ever, answer), { oddities })
    expect(result).toMatchObject({ status: 'failed', why: expect.stringContaining(why) })
    expect(asked).toHaveLength(nth)
  })
})

describe('errors of SCIM', () => {
  test.each([
    ['invalidFilter', 'does not accept the filter', 'groups.filter'],
    ['tooMany', 'does not list so many groups', 'groups.filter'],
    ['invalidCount', 'this number of groups in a page', 'lower pageSize'],
    ['expiredCursor', 'the cursor of the next page has expired', 'raise pageSize'],
    ['invalidCursor', 'does not know the cursor', 'raise pageSize'],
  ])('400 %s', async (scimType, why, cure) => {
    const refused = onPage(2, ever, (response) => scimError(response, 400, scimType))
    const { result, asked } = await scimReading(some, refused, { oddities: { cursors: true } })
    expect(result).toMatchObject({ status: 'failed', why: expect.stringContaining(why), cure: expect.stringContaining(cure) })
    expect(asked).toHaveLength(2)
  })

  test('400 with words about the filter, and without a scimType', async () => {
    const detail = 'Invalid filter/search query: Parsing error at: xx'
    const refused = onPage(1, ever, (response) => response.writeHead(400).end(JSON.stringify({ schemas: [], detail, status: 400 })))
    const { result, asked } = await scimReading(some, refused)
    expect(result).toMatchObject({ why: expect.stringContaining(detail), cure: expect.stringContaining('check groups.filter') })
    expect(result).toMatchObject({ status: 'failed', why: expect.stringContaining('does not accept the filter') })
    expect(asked).toHaveLength(1)
  })

  test('404: the address is named', async () => {
    const { result } = await scimReading(some, ({ key }, response) => key !== 'token' && (scimError(response, 404), true))
    expect(result).toMatchObject({
      status: 'failed',
      why: expect.stringContaining('/scim/v2/Groups: 404'),
      cure: expect.stringContaining('/scim/v2'),
    })
  })

  test('429 without Retry-After: asked again', async () => {
    const { result } = await scimReading(
      some,
      onPage(2, 2, (response) => scimError(response, 429)),
    )
    expect(result.status).toBe('complete')
  })

  test('429 with Retry-After: asked again after that time', async () => {
    const throttled = onPage(2, 2, (response) => scimError(response, 429, undefined, { 'retry-after': '2' }))
    const { result, waits } = await scimReading(some, throttled)
    expect(result.status).toBe('complete')
    expect(Math.max(...waits)).toBeGreaterThan(1_900)
  })

  test('429 with a Retry-After behind the end of the reading: failed at once', async () => {
    const throttled = onPage(2, ever, (response) => scimError(response, 429, undefined, { 'retry-after': '600' }))
    const { result, waits } = await scimReading(some, throttled)
    expect(result).toMatchObject({ status: 'failed', why: expect.stringContaining('the next request is due in 10 m') })
    expect(waits).toEqual([])
  })

  test.each([
    ['HTML', (response: ServerResponse) => response.writeHead(200, type('text/html')).end('<html>')],
    ['403', (response: ServerResponse) => scimError(response, 403)],
    ['501', (response: ServerResponse) => scimError(response, 501)],
  ])('%s instead of a configuration: read by index', async (_, answer) => {
    const { result } = await scimReading(some, ({ key }, response) => key === 'config' && (answer(response), true))
    expect(result.status).toBe('complete')
  })
})

function cut(response: ServerResponse): void {
  response.writeHead(200, { 'content-length': 1_000 })
  response.write('{"totalResults":')
  setTimeout(() => response.destroy(), 10)
}
