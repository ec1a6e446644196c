import { describe, expect, onTestFinished, test } from 'vitest'
import { dialectNames } from '../../src/sandbox/dialect.ts'
import { startSandbox } from '../../src/sandbox/server.ts'
import { client, never } from './planeWorld.ts'
import { json, rawServer } from './rawServer.ts'

const id = (n: number) => `0190f0a0-0000-4000-a000-${String(n).padStart(12, '0')}`
const row = (n: number, role = 'member') => ({ id: id(n), idp_group_name: `g${n}`, role })

describe.each(dialectNames)('mappings in pages, dialect %s', (dialect) => {
  async function read(rows: number, ...faults: readonly string[]) {
    const workspaceMappings = Array.from({ length: rows }, (_, index) => ({ idp_group_name: `g${index}`, role: 'member' }))
    const sandbox = await startSandbox({
      dialect,
      state: {
        keys: [{ value: 'sandbox-key' }],
        limit: { requests: 1_000, windowMs: 60_000 },
        workspaces: { acme: { workspaceMappings } },
      },
      faults: faults.map((fault) => `GET workspace-mappings/: ${fault}`),
    })
    onTestFinished(() => sandbox.close())
    const reading = await client(sandbox.url).reader.mappings('workspaceRoles', never)
    return { reading, queries: sandbox.requests.map(({ query }) => new URLSearchParams(query).toString()) }
  }

  test.each<[string, number, string, number]>([
    ['the largest size, where the service gives it', 250, 'envelope of 20 up to 100', 1 + 3 + 3],
    ['the largest size, where one page is then enough', 25, 'envelope of 20 up to 100', 2],
    ['the size that the service gives at most', 250, 'envelope of 20 up to 50', 1 + 5 + 5],
    ['its own size, where the service ignores ours', 50, 'envelope of 20', 1 + 3 + 3],
    // The service refuses `per_page` with the largest size, and then `per_page` in the request with the first cursor. After that the client sends the cursor alone.
    ['its own size, where the service refuses any', 50, 'envelope of 20 without per_page', 1 + 1 + (1 + 2) + 3],
  ])('%s', async (_, rows, fault, calls) => {
    const { reading, queries } = await read(rows, fault)
    expect(reading).toMatchObject({ status: 'complete', value: { length: rows } })
    expect(queries).toHaveLength(calls)
  })

  test('a row that is on two pages counts once, and the list proves nothing', async () => {
    const { reading } = await read(50, 'envelope of 10', 'list repeats')
    expect(reading).toMatchObject({ status: 'partial', missing: 'an item that came twice' })
    const ids = 'value' in reading ? reading.value.map((one) => one.id) : []
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toHaveLength(46)
  })
})

type Envelope = { readonly results: readonly unknown[] } & Readonly<Record<string, unknown>>

/** A service that answers by the page size and the cursor of the request. */
async function readFrom(answer: (perPage: string | null, cursor: string | null) => Envelope | number | string) {
  await using server = await rawServer(({ url = '' }, response) => {
    const { searchParams } = new URL(url, 'http://service')
    const body = answer(searchParams.get('per_page'), searchParams.get('cursor'))
    if (typeof body === 'number') json(response, body, { detail: 'no' })
    else if (typeof body === 'string') response.writeHead(200, { 'content-type': 'text/html' }).end(body)
    else json(response, 200, body)
  })
  const reading = await client(server.url).reader.mappings('workspaceRoles', never)
  return { reading, queries: server.requests.map(({ url }) => decodeURIComponent(new URL(url, server.url).search)) }
}

const firstOfTwo = { results: [row(1)], next_cursor: '1:1:0', next_page_results: true, total_results: 2 }
const lastOfTwo = { results: [row(2)], next_cursor: '1:2:0', next_page_results: false, total_results: 2 }

test.each<[string, Envelope | number | string]>([
  ['a refusal', 400],
  ['a refusal, as by a firewall', 403],
  ['a conflict', 409],
  ['a failure', 500],
  ['a web page', '<html></html>'],
  ['an empty list', { results: [], next_cursor: '100:1:0', next_page_results: false, total_results: 0 }],
  ['the first page as the last', { ...firstOfTwo, next_page_results: false, total_results: 1 }],
  ['a page that is shorter than its cursor tells', { ...firstOfTwo, next_cursor: '100:1:0' }],
  ['a page that says nothing about the next one', { results: [row(1)], next_cursor: '100:1:0' }],
])('a service that answers the largest size with %s is read in its own size', async (_, body) => {
  const { reading, queries } = await readFrom((perPage, cursor) =>
    perPage === '100' ? body : cursor === null ? firstOfTwo : cursor === '1:1:0' ? lastOfTwo : 404,
  )
  expect(reading).toMatchObject({ status: 'complete', value: [{ id: id(1) }, { id: id(2) }] })
  const walk = ['', '?per_page=1&cursor=1:1:0']
  const probes = queries.filter((query) => query === '?per_page=100')
  expect(queries).toEqual(['', ...probes, '?per_page=1&cursor=1:1:0', ...walk])
})

test('a refused key ends the reading, also where the largest size is asked for', async () => {
  const { reading } = await readFrom((perPage) => (perPage === null ? firstOfTwo : 401))
  expect(reading).toMatchObject({ status: 'failed' })
})

test('the row that is read last counts', async () => {
  const { reading } = await readFrom((_, cursor) =>
    cursor === null ? firstOfTwo : { ...lastOfTwo, results: [row(1, 'guest')], total_results: 2 },
  )
  expect(reading).toMatchObject({ status: 'partial', missing: 'an item that came twice', value: [{ id: id(1), role: 'guest' }] })
})

test('projects of a service that refuses a page size are read in its own', async () => {
  const project = (n: number) => ({ id: id(n), identifier: `P${n}`, name: `P${n}` })
  await using server = await rawServer(({ url = '' }, response) => {
    const { searchParams } = new URL(url, 'http://service')
    if (searchParams.has('per_page')) json(response, 400, { detail: 'no' })
    else if (searchParams.has('cursor')) json(response, 200, { ...lastOfTwo, results: [project(2)] })
    else json(response, 200, { ...firstOfTwo, results: [project(1)] })
  })
  const reading = await client(server.url).reader.projects(never)
  expect(reading).toMatchObject({ status: 'complete', value: [{ identifier: 'P1' }, { identifier: 'P2' }] })
  expect(server.requests).toHaveLength(4)
})
