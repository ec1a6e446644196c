import { describe, expect, test } from 'vitest'
import type { GroupName } from '../../src/core/mapping.ts'
import { clientSecret, issuerClient, scimGroups, scimReading } from './scimWorld.ts'
import { scimError, scimJson } from './standIns/scim.ts'

const some = scimGroups(25)
const allNames = some.map(({ displayName }) => displayName)
const queries = (asked: Awaited<ReturnType<typeof scimReading>>['asked']) => asked.map(({ query }) => decodeURIComponent(query.toString()))

describe('pages by index', () => {
  test('each page begins with the last group of the page before, and the end is looked at once more', async () => {
    const { result, names, asked } = await scimReading(some)
    expect(result.status).toBe('complete')
    expect(names).toEqual(allNames)
    expect(queries(asked)).toEqual([
      'startIndex=1&count=10&attributes=id,displayName',
      'startIndex=10&count=10&attributes=id,displayName',
      'startIndex=19&count=10&attributes=id,displayName',
      'startIndex=25&count=2&attributes=id,displayName',
    ])
  })

  test('a group has its id as its own id', async () => {
    const { value } = await scimReading(some)
    expect(value.get('g3' as GroupName)).toEqual([{ name: 'g3', id: 'id-3', place: '/Groups/id-3' }])
  })

  test('a server that sends fewer groups than asked for', async () => {
    const { result, names } = await scimReading(some, undefined, { oddities: { cap: 4 } })
    expect(result.status).toBe('complete')
    expect(names).toEqual(allNames)
  })

  test.each([0, 1, 2, 10, 11])('%i groups', async (count) => {
    const { result, names } = await scimReading(scimGroups(count))
    expect(result.status).toBe('complete')
    expect(names).toHaveLength(count)
  })

  test('a server that knows no pages: it sends all groups each time', async () => {
    const { result, names, asked } = await scimReading(some, undefined, { oddities: { ignores: ['startIndex', 'count'] } })
    expect(result.status).toBe('complete')
    expect(names).toEqual(allNames)
    expect(asked).toHaveLength(2)
  })

  test('a server without a configuration', async () => {
    const noConfiguration = await scimReading(some, ({ key }, response) => key === 'config' && (scimError(response, 404), true))
    expect(noConfiguration.result.status).toBe('complete')
  })
})

describe('pages by cursor', () => {
  test('if the configuration announces them: the other parameters stay the same, and the total is asked once more', async () => {
    const { result, names, asked } = await scimReading(some, undefined, { oddities: { cursors: true }, groups: { name: 'externalId' } })
    expect(result.status).toBe('complete')
    expect(names).toEqual(some.map(({ externalId }) => externalId))
    expect(queries(asked)).toEqual([
      'cursor=&count=10&attributes=id,externalId',
      'cursor=after-10&count=10&attributes=id,externalId',
      'cursor=after-20&count=10&attributes=id,externalId',
      'cursor=&count=1&attributes=id,externalId',
    ])
  })

  test('if an answer has a cursor that was not announced: from the first page on', async () => {
    const { result, names, asked } = await scimReading(some, undefined, { oddities: { cursors: 'unannounced' } })
    expect(result.status).toBe('complete')
    expect(names).toEqual(allNames)
    expect(queries(asked).slice(0, 2)).toEqual([
      'startIndex=1&count=10&attributes=id,displayName',
      'cursor=&count=10&attributes=id,displayName',
    ])
  })

  test('a page is not larger than the configuration allows', async () => {
    const { result, asked } = await scimReading(some, undefined, { oddities: { cursors: true, cap: 7 } })
    expect(result.status).toBe('complete')
    expect(asked[0]?.query.get('count')).toBe('7')
  })
})

describe('attributes', () => {
  const withMembers = some.map((group) => ({ ...group, members: 3 }))

  test('a server that ignores "attributes" is asked to leave out the members in the other way, never in both', async () => {
    const { result, asked } = await scimReading(withMembers, undefined, { oddities: { ignores: ['attributes'] } })
    expect(result.status).toBe('complete')
    expect(asked.filter(({ query }) => query.has('attributes'))).toHaveLength(1)
    expect(asked.filter(({ query }) => query.has('attributes') && query.has('excludedAttributes'))).toEqual([])
    expect(asked.slice(1).every(({ query }) => query.get('excludedAttributes') === 'members')).toBe(true)
  })

  test('a server that ignores both is read all the same', async () => {
    const { result, names } = await scimReading(withMembers, undefined, { oddities: { ignores: ['attributes', 'excludedAttributes'] } })
    expect(result.status).toBe('complete')
    expect(names).toEqual(allNames)
  })

  test('a filter is sent as it is', async () => {
    const { result, names, asked } = await scimReading(some, undefined, { groups: { filter: 'displayName sw "g2"' } })
    expect(result.status).toBe('complete')
    expect(names).toEqual(['g2', 'g20', 'g21', 'g22', 'g23', 'g24'])
    expect(asked.every(({ query }) => query.get('filter') === 'displayName sw "g2"')).toBe(true)
  })

  test('a server that says that it has no filters', async () => {
    const { result } = await scimReading(
      some,
      ({ key }, response) => key === 'config' && (scimJson(response, 200, { filter: { supported: false } }), true),
      { groups: { filter: 'displayName pr' } },
    )
    expect(result).toMatchObject({ status: 'failed', why: expect.stringContaining('supports no filters'), cure: 'remove groups.filter' })
  })

  test('two groups of one name stay two groups', async () => {
    const { result, value } = await scimReading([...some, { id: 'other', displayName: 'g1' }])
    expect(result.status).toBe('complete')
    expect(value.get('g1' as GroupName)).toMatchObject([{ id: 'id-1' }, { id: 'other' }])
  })
})

describe('credentials', () => {
  test('a client requests a token at its issuer, and uses it for all requests', async () => {
    const { result, requests } = await scimReading(some, undefined, {
      credential: (origin) => ({ ...issuerClient(origin), scopes: ['groups:read', 'more'] }),
    })
    expect(result.status).toBe('complete')
    expect(requests.filter(({ key }) => key === 'token').map(({ body }) => new URLSearchParams(body).get('scope'))).toEqual([
      'groups:read more',
    ])
  })

  test('or at a token endpoint without metadata', async () => {
    const { result, requests } = await scimReading(some, undefined, {
      credential: (origin) => ({
        client: { id: 'reader', secret: async () => clientSecret },
        server: { tokenAddress: new URL(`${origin}/oauth/token`) },
        scopes: [],
      }),
    })
    expect(result.status).toBe('complete')
    expect(requests[0]?.path).toBe('/oauth/token')
  })

  test('the type of SCIM is asked for', async () => {
    const { requests } = await scimReading(some)
    expect(new Set(requests.map(({ accept }) => accept))).toEqual(new Set(['application/scim+json, application/json;q=0.9']))
  })

  test.each([401, 403])('%i in the middle, once: asked again with a new token', async (status) => {
    const refusedOnce = await scimReading(
      some,
      ({ key, nth }, response) => key === 'groups' && nth === 2 && (scimError(response, status), true),
      {
        credential: issuerClient,
      },
    )
    expect(refusedOnce.result.status).toBe('complete')
    expect(refusedOnce.requests.filter(({ key }) => key === 'token')).toHaveLength(2)
  })

  test.each([
    [401, undefined, 'the token is refused', 'check that the token is for this server'],
    [403, undefined, 'the token may not read groups', 'the right to read groups'],
    [401, issuerClient, 'the token of client "reader" is refused', 'check that the token is for this server'],
  ] as const)('%i for ever', async (status, credential, why, cure) => {
    const revoked = await scimReading(some, ({ key }, response) => key === 'groups' && (scimError(response, status), true), {
      ...(credential === undefined ? {} : { credential }),
    })
    expect(revoked.result).toMatchObject({ status: 'failed', why: expect.stringContaining(why), cure: expect.stringContaining(cure) })
  })

  test('a token that cannot be read', async () => {
    const { result, requests } = await scimReading(some, undefined, {
      credential: () => ({ token: () => Promise.reject(new Error('the file /run/token does not exist')) }),
    })
    expect(result).toMatchObject({ status: 'failed', why: 'the token: the file /run/token does not exist' })
    expect(requests).toEqual([])
  })
})
