import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { json } from '../keycloak-fake.ts'
import { type Fault } from '../standIns/entra.ts'
import { idOf } from '../standIns/entraMembers.ts'
import { always, first, never, reading, usual } from './world.ts'

describe('a reading that proves nothing', () => {
  const listed = (ids: readonly string[], more: object) => ({
    ...more,
    value: ids.map((id) => ({
      id,
      displayName: 'x',
      onPremisesSamAccountName: null,
      onPremisesDomainName: null,
      onPremisesNetBiosName: null,
      securityEnabled: true,
    })),
  })

  test.each([
    ['the link of the first page is left out', 'groups', 5],
    ['the link of a middle page is left out', 'groups 3', 15],
  ])('%s: the total differs', async (_, page, seen) => {
    const cutOff = (response: Parameters<Fault>[2], url: URL) => {
      const at = Number(url.searchParams.get('$skiptoken') ?? 0)
      json(
        response,
        200,
        listed(
          [0, 1, 2, 3, 4].map((n) => idOf(at + n)),
          at === 0 ? { '@odata.count': 25 } : {},
        ),
      )
    }
    const { result } = await reading(usual, first(page, always, cutOff))
    expect(result).toMatchObject({ status: 'partial', missing: expect.stringContaining(`Graph counted 25 groups and listed ${seen}`) })
    // Without the check the cut list would be complete.
    expect(JSON.stringify(result)).not.toContain('checkTotal')
    expect(result).toMatchObject({ missing: expect.stringContaining('check that no gateway changes @odata.nextLink') })
  })

  test.each([
    ['nothing', {}, 'failed', 'unexpected shape (value'],
    ['no rows, and a count', { '@odata.count': 25, value: [] }, 'partial', 'Graph counted 25 groups and listed 0'],
    ['an error with 200', { error: { code: 'x' } }, 'failed', 'unexpected shape (value'],
    ['a list without a count', listed([idOf(1)], {}), 'partial', 'Graph did not say how many groups there are'],
    ['a group without an id', { '@odata.count': 1, value: [{ displayName: 'x' }] }, 'failed', 'unexpected shape (value.0.id'],
    ['half an id', listed(['00000000-0000'], { '@odata.count': 1 }), 'failed', 'unexpected shape (value.0.id'],
    ['half a group', { '@odata.count': 1, value: [{ id: idOf(1), displayName: 'x' }] }, 'failed', 'unexpected shape (value.0.onPremises'],
    ['a group twice', listed([idOf(1), idOf(1)], { '@odata.count': 2 }), 'partial', 'came twice'],
  ])('200 with %s', async (_, answer, status, sentence) => {
    const { result } = await reading(
      usual,
      first('groups', always, (response) => json(response, 200, answer)),
    )
    expect(result.status).toBe(status)
    expect(JSON.stringify(result)).toContain(sentence)
  })

  const whole: Readonly<Record<string, unknown>> = listed([idOf(1)], {}).value[0] ?? {}
  test.each(Object.keys(whole))('200 with a group without the property %s', async (property) => {
    const { [property]: _, ...half } = whole
    const cut = first('groups', always, (response) => json(response, 200, { '@odata.count': 1, value: [half] }))
    expect((await reading(usual, cut)).result).toMatchObject({
      status: 'failed',
      why: expect.stringContaining(`unexpected shape (value.0.${property}`),
      cure: expect.any(String),
    })
  })

  test('a tenant without any group is complete and empty: to believe it is for others', async () => {
    expect((await reading({ groups: [] })).result).toMatchObject({ status: 'complete' })
  })

  test('without the check of the total a list without a count is complete, and no header asks for it', async () => {
    const { result, requests } = await reading(usual, never, { limits: { checkTotal: false } })
    expect(result.status).toBe('complete')
    expect(requests[1]?.url.searchParams.has('$count')).toBe(false)
    expect(requests[1]?.headers).not.toHaveProperty('consistencylevel')
  })

  test('a page that repeats rows of the one before', async () => {
    const repeat = first('groups 3', always, (response) => json(response, 200, listed([idOf(7), idOf(8)], {})))
    expect((await reading(usual, repeat)).result).toMatchObject({
      status: 'partial',
      missing: expect.stringContaining(`${idOf(7)} came twice`),
    })
  })

  test('a link that was followed before', async () => {
    const loop = first('groups 2', always, (response, url) => json(response, 200, listed([idOf(99)], { '@odata.nextLink': url.href })))
    const { result, asked } = await reading(usual, loop)
    expect(result).toMatchObject({ status: 'failed', why: expect.stringContaining('leads to a page that was read before') })
    expect(asked.filter((key) => key === 'groups 2')).toHaveLength(1)
  })

  test('empty pages without end', async () => {
    const endless: Fault = (key, nth, response, url) => {
      if (!key.startsWith('groups')) return false
      const next = new URL(`/v1.0/groups?$top=5&$skiptoken=${5 * (Number(url.searchParams.get('$skiptoken') ?? 0) / 5 + nth)}`, url)
      return json(response, 200, { '@odata.count': 25, value: [], '@odata.nextLink': next.href })
    }
    const { result, asked } = await reading(usual, endless, { limits: { pagesMax: 50 } })
    expect(result).toMatchObject({ status: 'partial', missing: 'there are more than 50 pages' })
    expect(asked.length).toBeLessThan(60)
  })

  test('more groups than groupsMax end the reading before all are read', async () => {
    const { result, asked } = await reading(usual, never, { limits: { groupsMax: 12 } })
    expect(result).toMatchObject({
      status: 'failed',
      why: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/: there are more groups than groupsMax \(12\)$/),
      cure: 'raise groupsMax',
    })
    expect(asked).toHaveLength(4)
    expect((await reading(usual, never, { limits: { groupsMax: 25 } })).result.status).toBe('complete')
  })

  test('too many requests', async () => {
    const { result } = await reading(usual, never, { limits: { requestsMax: 3 } })
    expect(result).toMatchObject({ status: 'failed', why: expect.stringContaining('not read after 3 requests') })
  })

  test.each([
    ['a next link to another host', { '@odata.nextLink': 'https://graph.example.org/v1.0/groups?$skiptoken=1' }, 'leads to another host'],
    ['a next link out of the API', { '@odata.nextLink': 'http://HOST/beta/groups?$skiptoken=1' }, 'leads out of /v1.0/'],
  ])('%s is not followed', async (_, more, sentence) => {
    const elsewhere = first('groups', always, (response, url) => {
      const body = JSON.stringify(listed([idOf(1)], { '@odata.count': 25, ...more })).replace('HOST', url.host)
      response.writeHead(200, { 'content-type': 'application/json' }).end(body)
    })
    expect((await reading(usual, elsewhere)).result).toMatchObject({ status: 'failed', why: expect.stringContaining(sentence) })
  })

  test.each([
    ['a redirect', (response: Parameters<Fault>[2]) => response.writeHead(302, { location: 'http://192.0.2.1/' }).end(), '302'],
    ['206', (response: Parameters<Fault>[2]) => json(response, 206, listed([idOf(1)], { '@odata.count': 1 })), '206'],
    [
      'a bomb of gzip',
      (response: Parameters<Fault>[2]) =>
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50_000_000, ' '))),
      /compressed \(content-encoding: gzip\)/,
    ],
    ['a very large answer', (response: Parameters<Fault>[2]) => response.writeHead(200).end('['.repeat(200_000)), 'more than 100000 bytes'],
  ])('%s', async (_, answer, why) => {
    const { result } = await reading(usual, first('groups', always, answer))
    expect(result).toMatchObject({ status: 'failed', why: expect.stringMatching(why) })
  })
})
