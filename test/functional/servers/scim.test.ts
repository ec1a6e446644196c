import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ScimSettings } from '../../../src/directories/scim/read.ts'
import { startDjangoScim } from './djangoScimServer.ts'
import { scimServers } from './scimmyServer.ts'
import { type ScimServer, scimReader } from './scimServer.ts'

const names = Array.from({ length: 250 }, (_, n) => `group ${n}`)
const sorted = (list: Iterable<string>) => [...list].toSorted()

/**
 * Reads the groups, 40 in a page. `before`: called before each request for groups, which are counted from 1. A server that ignores `attributes` is
 * asked for its first page twice, which counts once.
 */
async function read(server: ScimServer, more: Partial<ScimSettings> = {}, before: (nth: number) => Promise<unknown> = async () => {}) {
  const pages: string[] = []
  const reader = scimReader(server, more, async ({ path, query = {} }) => {
    if (path !== '/Groups') return
    const { startIndex, cursor } = query
    const page = JSON.stringify({ startIndex, cursor })
    if (page !== pages.at(-1)) await before(pages.push(page))
  })
  const reading = await reader.read(new AbortController().signal)
  return { reading, pages, found: reading.status === 'failed' ? [] : sorted(reading.value.keys()) }
}

describe.each([...scimServers, ['django-scim2', 'index', startDjangoScim] as const])('%s with pages by %s', (_, paging, start) => {
  let server: ScimServer
  beforeAll(async () => {
    server = await start()
    for (const name of names) await server.add(name)
  })
  afterAll(() => server?.[Symbol.asyncDispose]())

  test('250 groups, each once', async () => {
    const { reading, found, pages } = await read(server)
    expect(reading.status).toBe('complete')
    expect(found).toEqual(sorted(names))
    expect(pages.length).toBeGreaterThan(6)
    expect(pages.every((page) => page.includes(paging === 'cursor' ? '"cursor"' : '"startIndex"'))).toBe(true)
  })

  test('a filter, and the attribute externalId', async () => {
    const { reading, found } = await read(server, { groups: { name: 'externalId', filter: 'displayName sw "group 24"' } })
    expect(reading.status).toBe('complete')
    expect(found).toEqual(sorted(names.filter((name) => name.startsWith('group 24')).map((name) => `x-${name}`)))
  })

  test('a filter that the server does not accept', async () => {
    const { reading } = await read(server, { groups: { name: 'displayName', filter: 'displayName xx "a"' } })
    expect(reading).toMatchObject({ status: 'failed', why: expect.stringContaining('the server does not accept the filter') })
  })

  test('another token', async () => {
    const { reading } = await read(server, { credential: { token: async () => 'another' } })
    expect(reading).toMatchObject({ status: 'failed', why: expect.stringContaining('the token is refused') })
  })

  test('another address', async () => {
    const { reading } = await read(server, { url: new URL('/scim', server.url) })
    expect(reading).toMatchObject({ status: 'failed', cure: expect.stringContaining('check url') })
  })

  test.each([2, 4, 7])('a group that is added or removed before request %i makes the reading partial', async (nth) => {
    let id = ''
    const added = await read(server, {}, async (at) => at === nth && (id = await server.add('late')))
    expect(added.reading).toMatchObject({ status: 'partial', missing: expect.stringContaining('changed while it was read') })
    const between = await read(server)
    expect(between.reading.status).toBe('complete')
    expect(between.found).toContain('late')
    const removed = await read(server, {}, async (at) => at === nth && (await server.remove(id)))
    expect(removed.reading).toMatchObject({ status: 'partial', missing: expect.stringContaining('changed while it was read') })
    expect((await read(server)).found).toEqual(sorted(names))
  })

  test('a server that is killed in the middle', async () => {
    const { reading } = await read(server, {}, async (at) => at === 3 && (await server.kill()))
    expect(reading).toMatchObject({ status: 'failed', why: expect.stringContaining('/Groups') })
  })
})
