import { describe, expect, test } from 'vitest'
import type { GroupIndex } from '../../src/core/group.ts'
import type { GroupName } from '../../src/core/mapping.ts'
import { type KeycloakSettings, keycloak } from '../../src/directories/keycloak/read.ts'
import { valuesMax } from '../../src/http/json.ts'
import { people } from '../unit/bounds.ts'
import { always, type Branch, type Fault, fakeKeycloak, first, json } from './keycloak-fake.ts'
import { httpEnvironment } from './standIns/httpEnvironment.ts'

const secret = 'the-secret-of-the-reader'
const names = (prefix: string, count: number): Branch[] => Array.from({ length: count }, (_, i) => ({ name: `${prefix}${i}` }))
const usual: readonly Branch[] = [
  { name: 'Team', groups: [{ name: 'dev', groups: [{ name: 'leaf', people: 3 }] }, { name: 'ops' }] },
  { name: 'Wide', groups: names('w', 25) },
  ...names('g', 12),
]
const usualTotal = 4 + 26 + 12

const at = (index: GroupIndex, name: string) => index.get(name as GroupName)

type Part = {
  readonly groups?: Partial<KeycloakSettings['groups']>
  readonly limits?: Partial<KeycloakSettings['limits']>
  readonly signal?: AbortSignal
  readonly issuer?: URL
  readonly deadlineMs?: number
  readonly bytesMax?: number
}

function directory(url: URL, { groups, limits, issuer, deadlineMs = 2_000, bytesMax = 100_000 }: Part = {}) {
  const settings: KeycloakSettings = {
    url,
    realm: 't',
    ...(issuer === undefined ? {} : { issuer }),
    client: { id: 'reader', secret: async () => secret },
    groups: { name: 'path', slashes: 'plain', members: false, ...groups },
    limits: { pageSize: 5, groupsMax: 1_000, attemptsMax: 3, ...limits },
  }
  return keycloak(settings, httpEnvironment({ deadlineMs, bytesMax }))
}

async function reading(groups: readonly Branch[], fault: Fault, part: Part = {}) {
  await using server = await fakeKeycloak(groups, fault)
  const result = await directory(server.url, part).read(part.signal ?? AbortSignal.timeout(20_000))
  expect(JSON.stringify(result)).not.toContain(secret)
  const value = result.status === 'failed' ? (new Map() as GroupIndex) : result.value
  return { result, value, total: [...value.values()].flat().length, asked: server.asked }
}

const none: Fault = () => false

describe('a realm that answers', () => {
  test('is complete, page after page, level after level', async () => {
    const { result, value, total } = await reading(usual, none)
    expect(result.status).toBe('complete')
    expect(total).toBe(usualTotal)
    expect(at(value, '/Team/dev/leaf')).toEqual([{ name: '/Team/dev/leaf', id: '/Team/dev/leaf', place: '/Team/dev/leaf' }])
  })

  test('below one group, whose name others begin with', async () => {
    const tree = [{ name: 'Team', groups: [{ name: 'dev' }] }, { name: 'Teams' }]
    const { result, value } = await reading(tree, none, { groups: { under: '/Team' } })
    expect(result.status).toBe('complete')
    expect([...value.keys()]).toEqual(['/Team', '/Team/dev'])
  })

  test('people whose names begin like those of accounts of clients count, and the accounts do not', async () => {
    const tree = [
      { name: 'a', people: 3, services: ['service-account-app'], named: ['service-account-eve'] },
      { name: 'b', people: 3 },
    ]
    const peopleWith = async (fault: Fault) => {
      const { result, value } = await reading(tree, fault, { groups: { members: true } })
      expect(result.status).toBe('complete')
      return [...value.values()].flat().map(({ size }) => size)
    }
    expect(await peopleWith(none)).toEqual([people(3), people(2)])
    expect(
      await peopleWith(first('users', Number.POSITIVE_INFINITY, (response) => json(response, 403, {}))),
      'the number is unknown',
    ).toEqual([undefined, people(2)])
  })

  test('behind a gateway that cuts the lists of members: no number is better than one that is too small', async () => {
    const cut: Fault = (key, _, __, query) => {
      if (key.startsWith('members')) query.set('max', `${Math.min(2, Number(query.get('max')))}`)
      return false
    }
    const { result, value } = await reading(
      [
        { name: 'a', people: 4 },
        { name: 'b', people: 2 },
      ],
      cut,
      { groups: { members: true } },
    )
    expect(result.status).toBe('complete')
    expect([...value.values()].flat().map(({ size }) => size)).toEqual([undefined, undefined])
  })

  test('asks for children only where there are some', async () => {
    const { asked } = await reading(usual, none)
    const parents = new Set(asked.flatMap((key) => /^children (.*)/.exec(key)?.[1] ?? []))
    expect([...parents].toSorted()).toEqual(['/Team', '/Team/dev', '/Wide'])
  })

  test('asks each list with first and max', async () => {
    const queries: string[] = []
    await reading(usual, (key, _, __, query) => {
      if (/groups|children/.test(key)) queries.push(query.toString())
      return false
    })
    expect(queries.filter((query) => !/first=\d+&max=\d+/.test(query))).toEqual([])
  })

  test('bare names that are equal stay two groups', async () => {
    const tree = [
      { name: 'a', groups: [{ name: 'same' }] },
      { name: 'b', groups: [{ name: 'same' }] },
    ]
    const { value } = await reading(tree, none, { groups: { name: 'name' } })
    expect(at(value, 'same')).toMatchObject([{ place: '/a/same' }, { place: '/b/same' }])
  })

  test('a slash in a name makes the path ambiguous, not one of the groups vanish', async () => {
    const { result, value } = await reading([{ name: 'a', groups: [{ name: 'b' }] }, { name: 'a/b' }], none)
    expect(result.status).toBe('partial') // the ids of the fake are its paths, so two groups have the same id
    expect(value.has('/a/b' as GroupName)).toBe(true)
  })

  test('an empty realm is complete and empty: to believe it is for others', async () => {
    const { result, total } = await reading([], none)
    expect(result.status).toBe('complete')
    expect(total).toBe(0)
  })

  test('people are the enabled direct members', async () => {
    const { value } = await reading(usual, none, { groups: { members: true }, limits: { pageSize: 2 } })
    expect(at(value, '/Team/dev/leaf')).toMatchObject([{ size: people(2) }])
    expect(at(value, '/Team/ops')?.[0]).not.toHaveProperty('size')
  })

  test('the members of an empty group are asked for once, and their number stays unknown', async () => {
    const { result, asked, value } = await reading(usual, none, { groups: { members: true } })
    expect(result.status).toBe('complete')
    expect(asked.filter((key) => key === 'members /Team/ops')).toHaveLength(1)
    expect([...value.values()].flat().flatMap(({ size }) => size ?? [])).toEqual([people(2)])
  })
})

describe('a failing database', () => {
  const transient: readonly [string, (response: Parameters<Fault>[2]) => unknown][] = [
    ['500', (response) => json(response, 500, { error: 'unknown_error' })],
    ['400 to a GET', (response) => json(response, 400, { error: 'Cannot parse the JSON' })],
    ['200 with the JSON cut off', (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('[{"id":"/Team","na')],
    ['a connection cut in the middle', (response) => cut(response)],
    ['503 of a proxy, in HTML', (response) => response.writeHead(503, { 'content-type': 'text/html' }).end('<html>')],
  ]
  test.each(
    transient.flatMap(([name, answer]) => ['count', 'groups', 'children /Wide', 'token'].map((key) => [name, key, answer] as const)),
  )('%s, once, for %s: asked again, complete', async (_, key, answer) => {
    const { result, total } = await reading(usual, first(key, 1, answer))
    expect(result).toMatchObject({ status: 'complete' })
    expect(total).toBe(usualTotal)
  })

  test.each(transient)('%s, for ever: failed after three attempts', async (_, answer) => {
    const { result, asked } = await reading(usual, first('groups', always, answer))
    expect(result).toMatchObject({ status: 'failed', why: expect.stringContaining('/groups') })
    expect(asked.filter((key) => key === 'groups')).toHaveLength(3)
  })

  test('a request that hangs meets its deadline', async () => {
    const { result } = await reading(
      usual,
      first('groups', always, () => {}),
      { deadlineMs: 100 },
    )
    expect(result).toMatchObject({ status: 'failed', why: expect.stringContaining('no complete answer within 0.1 s') })
  })

  const empty = (response: Parameters<Fault>[2]) => json(response, 200, [])
  test.each(['groups', 'children /Wide', 'children /Team'])(
    '200 [] at the wrong moment, once, for %s: asked again, complete',
    async (key) => {
      const { result, total } = await reading(usual, first(key, 1, empty))
      expect(result.status).toBe('complete')
      expect(total).toBe(usualTotal)
    },
  )

  test('200 [] for the second page, once', async () => {
    let left = 1
    const { result, total } = await reading(usual, (key, _, response, query) => {
      if (key !== 'children /Wide' || query.get('first') === '0' || left-- <= 0) return false
      return json(response, 200, [])
    })
    expect(result.status).toBe('complete')
    expect(total).toBe(usualTotal)
  })

  test('200 [] for children, for ever: not complete', async () => {
    const { result } = await reading(usual, first('children /Wide', always, empty))
    expect(result).toMatchObject({ status: 'partial', missing: expect.stringContaining(`17 of the realm's ${usualTotal} groups`) })
  })

  test('200 [] for members: no number, and not 0', async () => {
    const { value } = await reading(usual, first('members /Team/dev/leaf', 1, empty), { groups: { members: true } })
    expect(at(value, '/Team/dev/leaf')?.[0]).not.toHaveProperty('size')
  })

  test('members that cannot be had leave the reading complete, without numbers', async () => {
    const answer = first('members /Team', always, (response) => json(response, 500, {}))
    const { result, value } = await reading(usual, answer, { groups: { members: true }, limits: { concurrency: 1 } })
    expect(result.status).toBe('complete')
    expect(at(value, '/Team')?.[0]).not.toHaveProperty('size')
  })

  test('nobody listens', async () => {
    const server = await fakeKeycloak([])
    await server[Symbol.asyncDispose]()
    expect(await directory(server.url).read(AbortSignal.timeout(5_000))).toMatchObject({
      status: 'failed',
      why: expect.stringContaining('cannot connect'),
    })
  })
})

test('more values than any list has: refused before they are parsed', async () => {
  const flood = `[${'{},'.repeat(valuesMax / 2)}{}]`
  const { result } = await reading(
    usual,
    first('groups', always, (response) => response.writeHead(200).end(flood)),
    { bytesMax: 2 * flood.length },
  )
  expect(result).toMatchObject({ status: 'failed', why: expect.stringContaining('more than 4 million values, which no list') })
})

describe('a reading that proves nothing', () => {
  test('an empty list and a count: the missing role is named', async () => {
    const { result } = await reading(
      usual,
      first('groups', always, (response) => json(response, 200, [])),
    )
    expect(result).toMatchObject({
      status: 'failed',
      why: expect.stringContaining(`has ${usualTotal} groups`),
      cure: expect.stringContaining('view-users'),
    })
  })

  test('403: asked once more with a new token, because rights may have been granted, and the role is named', async () => {
    const { result, asked } = await reading(
      usual,
      first('count', always, (response) => json(response, 403, { error: 'HTTP 403 Forbidden' })),
    )
    expect(result).toMatchObject({ status: 'failed', why: expect.stringContaining('403'), cure: expect.stringContaining('view-users') })
    expect(asked).toEqual(['issuer', 'token', 'count', 'issuer', 'token', 'count'])
  })

  test('a count that differs afterwards', async () => {
    const { result } = await reading(usual, (key, nth, response) => key === 'count' && nth === 2 && json(response, 200, { count: 99 }))
    expect(result).toMatchObject({ status: 'partial', missing: expect.stringContaining(`had ${usualTotal} groups before and 99 after`) })
  })

  test('a list that moves between two pages, its total the same again', async () => {
    await using server = await fakeKeycloak([...names('a', 12)], (key, nth, response) => {
      if (key === 'groups' && nth === 2) server.grow({ name: '!new' })
      return key === 'count' && json(response, 200, { count: 12 })
    })
    const result = await directory(server.url).read(AbortSignal.timeout(5_000))
    expect(result).toMatchObject({ status: 'partial', missing: expect.stringContaining('changed while it was read') })
  })

  test('a server that answers every page with the first', async () => {
    const page = names('p', 5).map(({ name }) => ({ id: name, name, subGroupCount: 0 }))
    const { result, asked } = await reading(
      usual,
      first('groups', always, (response) => json(response, 200, page)),
    )
    expect(result.status).toBe('partial')
    expect(asked.filter((key) => key === 'groups')).toHaveLength(2)
  })

  test('a group inside itself', async () => {
    const self = [{ id: '/Team', name: 'Team', subGroupCount: 1 }]
    const { result, asked } = await reading(
      usual,
      first('children /Team', always, (response) => json(response, 200, self)),
    )
    expect(result).toMatchObject({ status: 'partial', missing: expect.stringContaining('/Team was found twice') })
    expect(asked.filter((key) => key === 'children /Team')).toHaveLength(1)
  })

  test.each([
    ['too deep', { depthMax: 2 }, 'partial', 'more than 2 deep'],
    ['too many requests', { requestsMax: 10 }, 'failed', 'after 10 requests'],
  ] as const)('%s', async (_, limits, status, sentence) => {
    const { result, asked } = await reading(usual, none, { limits })
    expect(result.status).toBe(status)
    expect(JSON.stringify(result)).toContain(sentence)
    expect(asked.length).toBeLessThan(20)
  })

  test('a realm that is too large costs one request', async () => {
    const { result, asked } = await reading(usual, none, { limits: { groupsMax: usualTotal - 1 } })
    expect(result).toMatchObject({
      status: 'failed',
      why: expect.stringContaining(`the realm t has ${usualTotal} groups, which are more than groupsMax (${usualTotal - 1})`),
      cure: 'raise groupsMax',
    })
    expect(asked).toEqual(['issuer', 'token', 'count'])
    expect((await reading(usual, none, { limits: { groupsMax: usualTotal } })).result.status).toBe('complete')
  })

  test('a realm whose count lies is read up to groupsMax, and not whole', async () => {
    const wide = Array.from({ length: 40 }, (_, n) => ({ name: `p${n}`, groups: names('c', 10) }))
    const lie: Fault = (key, _, response) => key === 'count' && json(response, 200, { count: 40 })
    const { result, asked } = await reading(wide, lie, { limits: { groupsMax: 60, concurrency: 1 } })
    expect(result).toMatchObject({ status: 'partial', missing: 'there are more than 60 groups: raise groupsMax' })
    expect(asked.filter((key) => key.startsWith('children')).length).toBeLessThan(15)
  })

  test('children that may not be read', async () => {
    const { result } = await reading(
      usual,
      first('children /Wide', always, (response) => json(response, 403, {})),
    )
    expect(result).toMatchObject({ status: 'failed', why: expect.stringContaining('403'), cure: expect.stringContaining('view-users') })
  })

  test('a group that vanishes before its children are asked', async () => {
    const { result } = await reading(
      usual,
      first('children /Wide', always, (response) => json(response, 404, { error: 'Could not find group by id' })),
    )
    expect(result).toMatchObject({ status: 'partial', missing: expect.stringContaining('/Wide vanished') })
  })

  test('404 for the groups, though the issuer gives a token: the address may need a path', async () => {
    const { result, asked } = await reading(
      usual,
      first('count', always, (response) => json(response, 404, { error: 'HTTP 404 Not Found' })),
    )
    expect(result).toMatchObject({
      status: 'failed',
      why: expect.stringContaining('404, the realm, or a group that was just listed, does not exist'),
      cure: 'check the realm t and the address, which may need a path, such as /auth',
    })
    expect(asked).toEqual(['issuer', 'token', 'count'])
  })

  test("Keycloak's own path is another: the setting is named", async () => {
    const { result } = await reading([{ name: 'a~/b' }, { name: 'c/d' }], none, { groups: { slashes: 'escaped' } })
    expect(result).toMatchObject({ status: 'partial', missing: expect.stringContaining('try slashes: plain') })
  })

  test.each(['plain', 'escaped'] as const)(
    'a group above that is renamed meanwhile is no reason for another setting (%s)',
    async (slashes) => {
      const tree = [{ name: 'a', groups: [{ name: 'c' }] }]
      const renamed = first('children /a', always, (response) =>
        json(response, 200, [{ id: '/a/c', name: 'c', path: '/x/c', subGroupCount: 0 }]),
      )
      const { result } = await reading(tree, renamed, { groups: { slashes } })
      expect(result).toMatchObject({ status: 'partial', missing: expect.stringContaining('"/x/c"') })
      expect(result).toMatchObject({ missing: expect.stringContaining('changed while it was read') })
      expect(JSON.stringify(result)).not.toContain('try slashes')
    },
  )

  test.each([
    ['HTML', (response: Parameters<Fault>[2]) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'), 'text/html'],
    ['another shape', (response: Parameters<Fault>[2]) => json(response, 200, [{ id: 7 }]), 'an unexpected shape'],
    ['a redirect', (response: Parameters<Fault>[2]) => response.writeHead(302, { location: 'http://192.0.2.1/' }).end(), '302'],
    [
      'an answer without end',
      (response: Parameters<Fault>[2]) => response.writeHead(200).end('['.repeat(200_000)),
      'more than 100000 bytes',
    ],
    [
      'many wrong rows',
      (response: Parameters<Fault>[2]) =>
        json(
          response,
          200,
          Array.from({ length: 20_000 }, () => ({})),
        ),
      '(0.id: must be a text',
    ],
  ])('%s', async (_, answer, why) => {
    const { result } = await reading(usual, first('groups', always, answer))
    expect(result).toMatchObject({ status: 'failed', why: expect.stringContaining(why) })
  })

  test('given up: at once, and said', async () => {
    const abort = new AbortController()
    const hang = first('groups', always, () => abort.abort())
    const { result } = await reading(usual, hang, { signal: abort.signal })
    expect(result).toMatchObject({ status: 'failed', why: expect.stringContaining('given up') })
  })

  test('plain http to another host, whoever gives the token: nothing is sent', async () => {
    const issuer = new URL('https://127.0.0.1:1/realms/t')
    expect(await directory(new URL('http://keycloak.example.org'), { issuer }).read(AbortSignal.timeout(5_000))).toMatchObject({
      status: 'failed',
      why: expect.stringContaining('without encryption'),
      cure: expect.stringContaining('https'),
    })
  })
})

describe('a token that is refused', () => {
  const unauthorized = (response: Parameters<Fault>[2]) => json(response, 401, { error: 'HTTP 401 Unauthorized' })

  test('once, in the middle: renewed once, complete', async () => {
    const { result, asked } = await reading(usual, first('children /Wide', 1, unauthorized))
    expect(result.status).toBe('complete')
    expect(asked.filter((key) => key === 'token')).toHaveLength(2)
  })

  test('for ever: failed after one renewal', async () => {
    const { result, asked } = await reading(usual, first('count', always, unauthorized))
    expect(result).toMatchObject({ status: 'failed', why: expect.stringContaining('401') })
    expect(asked.filter((key) => key === 'token')).toHaveLength(2)
  })

  test('the token serves the next reading too', async () => {
    await using server = await fakeKeycloak(usual)
    const corp = directory(server.url)
    await corp.read(AbortSignal.timeout(5_000))
    await corp.read(AbortSignal.timeout(5_000))
    expect(server.asked.filter((key) => key === 'token')).toHaveLength(1)
  })
})

function cut(response: Parameters<Fault>[2]): void {
  response.writeHead(200, { 'content-length': 1_000 })
  response.write('[{"id":')
  setTimeout(() => response.destroy(), 10)
}
