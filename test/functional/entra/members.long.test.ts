import { describe, expect, test } from 'vitest'
import type { EntraPeople } from '../../../src/directories/entra/members.ts'
import { json } from '../keycloak-fake.ts'
import { clientId, entraStandIn, type Fault, graphError, type Tenant } from '../standIns/entra.ts'
import { idOf, inside, type TenantMember, user } from '../standIns/entraMembers.ts'
import { membersOf } from '../standIns/membersWorld.ts'
import { always, directory, first, groups, never, type Part } from './world.ts'

type Members = Readonly<Record<number, readonly TenantMember[]>>

const byId = (members: Members) => Object.fromEntries(Object.entries(members).map(([n, list]) => [idOf(Number(n)), list]))
const mail = (...numbers: readonly number[]) => numbers.map((n) => `person-${n}@example.com`)

/** Reads the members of the groups with these numbers, which are those with members if none are given. */
async function read(members: Members, people: Partial<EntraPeople> = {}, more: More = {}) {
  const wanted = more.wanted ?? Object.keys(members).map(Number)
  const tenant = { groups: groups(60), members: byId(members), ...more.tenant }
  await using server = await entraStandIn(tenant, more.fault ?? never)
  const corp = directory(server.url, { ...more.part, people: { identity: 'mail', nested: false, ...people } })
  const ids = Array.from({ length: 300 }, (_, n) => [`person-${n}@`, idOf(1_000 + n)]).flat()
  const told = await membersOf(corp, wanted.map(idOf), ids, { ...(more.signal && { signal: more.signal }) })
  return { ...told, asked: server.asked, requests: server.requests }
}
type More = {
  readonly wanted?: readonly number[]
  readonly tenant?: Partial<Tenant>
  readonly fault?: Fault
  readonly part?: Part
  readonly signal?: AbortSignal
}

describe('members of groups', () => {
  test('people are those who can sign in, guests too; what else is in a group is counted apart or not at all', async () => {
    const others = (['device', 'servicePrincipal', 'orgContact'] as const).map((type, n) => ({ id: idOf(200 + n), type }))
    const guest = user(103, { userPrincipalName: 'person-103_partner.example#EXT#@contoso.example' })
    const { status, people, notCounted, requests } = await read({
      1: [user(101), user(102, { accountEnabled: false }), guest, inside(2), ...others],
      2: [user(101)],
    })
    expect(status).toBe('complete')
    expect(people).toEqual({ [idOf(1)]: mail(101, 103), [idOf(2)]: mail(101) })
    expect(notCounted).toEqual({ [idOf(1)]: { disabled: 1, groups: 1 }, [idOf(2)]: undefined })
    const asked = requests.find(({ url }) => url.pathname === `/v1.0/groups/${idOf(1)}/members`)
    expect(Object.fromEntries(asked?.url.searchParams ?? [])).toEqual({
      $select: 'id,mail,userPrincipalName,accountEnabled,visibility',
      $top: '5',
    })
    expect(requests.filter(({ headers }) => 'consistencylevel' in headers)).toEqual([])
  })

  test.each([
    ['mail', ['\u000000000000-0000-4000-8000-000000000102', 'person-101@example.com']],
    ['userPrincipalName', ['person-101@contoso.example', 'person-102@contoso.example']],
    ['id', [idOf(101), idOf(102)]],
  ] as const)('a person is known by %s, and by the id without one', async (identity, expected) => {
    const { id, type, userPrincipalName = '', accountEnabled = true } = user(102)
    const { people } = await read({ 1: [user(101), { id, type, userPrincipalName, accountEnabled }] }, { identity })
    expect(people).toEqual({ [idOf(1)]: expected })
  })

  test('nested: Graph itself gives the members of groups inside, each once, and circles end', async () => {
    const { status, people, notCounted, asked } = await read(
      { 1: [user(101), inside(2)], 2: [user(101), user(102), inside(3)], 3: [user(103), inside(1)] },
      { nested: true },
      { wanted: [1] },
    )
    expect({ status, people, notCounted }).toEqual({
      status: 'complete',
      people: { [idOf(1)]: mail(101, 102, 103) },
      notCounted: { [idOf(1)]: undefined },
    })
    expect(asked).toEqual(['token', 'transitiveMembers'])
  })

  test('several pages are read, and an empty one before the last is no end', async () => {
    const many = Array.from({ length: 23 }, (_, n) => user(100 + n))
    const fault: Fault = (key, _, response, url) => {
      if (key !== 'members 2' || url.searchParams.has('again')) return false
      url.searchParams.set('again', '1')
      json(response, 200, { value: [], '@odata.nextLink': url.href })
      return true
    }
    const { status, people, asked } = await read({ 1: many }, {}, { fault })
    expect(status).toBe('complete')
    expect(people[idOf(1)]).toHaveLength(23)
    expect(asked.filter((key) => key.startsWith('members'))).toHaveLength(6)
  })

  test('an empty group has no people', async () => {
    const { status, people, asked } = await read({ 1: [] })
    expect({ status, people }).toEqual({ status: 'complete', people: { [idOf(1)]: [] } })
    expect(asked).toEqual(['token', 'members', 'group'])
  })

  test.each([
    ['nothing', {}],
    ['another group', { id: idOf(2), visibility: 'Public' }],
  ])('a group with no members is unknown if the answer about it is %s', async (_, body) => {
    const fault: Fault = (key, _nth, response) => {
      if (key !== 'group') return false
      json(response, 200, body)
      return true
    }
    const { status, people, why } = await read({ 1: [], 2: [user(101)] }, {}, { fault })
    expect({ status, people }).toEqual({ status: 'partial', people: { [idOf(2)]: mail(101) } })
    expect(why).toContain('Graph answered 200, but not with the requested group')
  })

  test('sixty groups are read with one token, as many at a time as there are connections', async () => {
    let running = 0
    let most = 0
    const fault: Fault = (key, _, response, url) => {
      if (key !== 'members') return false
      most = Math.max(most, ++running)
      const id = idOf(1_000 + Number(url.pathname.split('/')[3]?.slice(-3)))
      setTimeout(() => {
        running--
        json(response, 200, { value: [{ '@odata.type': '#microsoft.graph.user', id, accountEnabled: true, mail: `${id}@x.example` }] })
      }, 20)
      return true
    }
    const numbers = Array.from({ length: 60 }, (_, n) => n)
    const { status, people, asked } = await read({}, {}, { wanted: numbers, fault })
    expect({ status, groups: Object.keys(people).length, tokens: asked.filter((key) => key === 'token').length }).toEqual({
      status: 'complete',
      groups: 60,
      tokens: 1,
    })
    expect(most).toBe(4)
  })
})

describe('members that are not known', () => {
  const two: Members = { 1: [user(101)], 2: [user(102)] }
  const ofSecond = (answer: (response: Parameters<Fault>[2]) => unknown): Fault =>
    first('members', always, (response, url) => {
      if (url.pathname.includes(idOf(2))) answer(response)
      else json(response, 200, { value: [{ '@odata.type': '#microsoft.graph.user', id: idOf(101), accountEnabled: true, mail: null }] })
    })

  test.each<[string, Fault, string]>([
    [
      'a group that is gone',
      ofSecond((response) => graphError(response, 404, 'Request_ResourceNotFound')),
      '404, the group is not there any more',
    ],
    ['a group that is refused', ofSecond((response) => graphError(response, 403, 'Authorization_RequestDenied')), 'probably hides its own'],
    [
      'a member that comes twice',
      ofSecond((response) =>
        json(response, 200, { value: [102, 102].map((n) => ({ ...user(n), '@odata.type': '#microsoft.graph.user' })) }),
      ),
      'a member came twice: the list changed while it was read',
    ],
  ])('%s is left out, and the other group is known', async (_, fault, why) => {
    const told = await read(two, {}, { fault })
    expect(told).toMatchObject({ status: 'partial', people: { [idOf(1)]: [`\u0000${idOf(101)}`] } })
    expect(told.why).toContain(`/v1.0/groups/${idOf(2)}/members: `)
    expect(told.why).toContain(why)
  })

  test('a group of more than 100,000 members is left out, and is not read to its end', async () => {
    let pages = 0
    const fault: Fault = (key, _, response, url) => {
      if (!key.startsWith('members') || !url.pathname.includes(idOf(2))) return false
      const rows = Array.from({ length: 2_000 }, (_, n) => ({
        ...user(10_000 + 2_000 * pages + n),
        '@odata.type': '#microsoft.graph.user',
      }))
      url.searchParams.set('$skiptoken', `${++pages}`)
      json(response, 200, { value: rows, '@odata.nextLink': url.href })
      return true
    }
    const told = await read(two, {}, { fault, part: { bytesMax: 1_000_000 } })
    expect(told).toMatchObject({
      status: 'partial',
      people: { [idOf(1)]: mail(101) },
      why: expect.stringContaining('more than 100,000 members'),
    })
    expect(pages).toBe(51)
  })

  test.each(['microsoft.graph.user', '#Microsoft.Graph.User'])('a user of the type %s is a person', async (type) => {
    const fault = first('members', always, (response) =>
      json(response, 200, { value: [{ '@odata.type': type, id: idOf(101), accountEnabled: true, mail: 'ann@x.example' }] }),
    )
    expect(await read({ 1: [] }, {}, { fault })).toMatchObject({ status: 'complete', people: { [idOf(1)]: ['ann@x.example'] } })
  })

  test('the limit on requests of a reading of groups does not count for members', async () => {
    const members = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [n, [user(100 + n)]]))
    expect(await read(members, {}, { part: { limits: { requestsMax: 3 } } })).toMatchObject({ status: 'complete' })
  })

  test.each([
    ['no right to read users', ['GroupMember.Read.All']],
    ['a right that does not show whether an account is enabled', ['GroupMember.Read.All', 'User.ReadBasic.All']],
  ])('%s: nobody is counted, and the failure names the right', async (_, permissions) => {
    const told = await read({ ...two, 3: [user(103)] }, {}, { tenant: { permissions } })
    expect(told).toMatchObject({ status: 'failed', people: {} })
    expect(told.why).toContain('Graph does not show whether the users in this group are enabled')
    expect(told.cure).toContain(`"${clientId}" the application permissions GroupMember.Read.All and User.Read.All`)
  })

  test('without the right no more groups are asked than may be asked at a time', async () => {
    const numbers = Array.from({ length: 60 }, (_, n) => n)
    const members = Object.fromEntries(numbers.map((n) => [n, [user(100 + n)]]))
    const { status, asked } = await read(members, {}, { tenant: { permissions: [] } })
    expect(status).toBe('failed')
    expect(asked.filter((key) => key === 'members').length).toBeLessThanOrEqual(16)
  })

  test.each<[string, boolean, readonly TenantMember[], readonly string[], boolean]>([
    ['an answer without members proves nothing about a group that hides them', false, [user(101)], ['User.Read.All'], true],
    ['an answer with members does, with the right to see them', false, [user(101)], ['User.Read.All', 'Member.Read.Hidden'], false],
    [
      'a group inside that hides them may have others',
      true,
      [user(101), inside(2, { visibility: 'HiddenMembership' })],
      ['User.Read.All'],
      true,
    ],
  ])('%s', async (_, nested, members, permissions, mayHaveMore) => {
    const hidden = groups(4).map((group, n) => (n === (nested ? 2 : 1) ? { ...group, visibility: 'HiddenMembership' } : group))
    const told = await read({ 1: members, 3: [user(103)] }, { nested }, { tenant: { groups: hidden, permissions } })
    expect(told.status).toBe('complete')
    expect(told.people).toEqual({ [idOf(1)]: mayHaveMore && !nested ? [] : mail(101), [idOf(3)]: mail(103) })
    const more = expect.stringContaining('the application permission Member.Read.Hidden lets Graph show') as string
    expect(told.gaps).toEqual(mayHaveMore ? { [idOf(1)]: { more } } : {})
  })

  test.each<[string, object]>([
    ['a member without a type', { id: idOf(101), accountEnabled: true }],
    ['a member whose id is no id', { '@odata.type': '#microsoft.graph.user', id: '../101', accountEnabled: true }],
  ])('%s is no answer of Graph: the reading fails', async (_, row) => {
    const told = await read(two, {}, { fault: first('members', always, (response) => json(response, 200, { value: [row] })) })
    expect(told).toMatchObject({ status: 'failed', people: {} })
    expect(told.why).toContain('the answer has an unexpected shape')
  })

  test('a tenant that refuses the token, or that is gone, gives no members', async () => {
    const refused = await read(
      two,
      {},
      { fault: first('members', always, (response) => graphError(response, 401, 'InvalidAuthenticationToken')) },
    )
    expect(refused).toMatchObject({ status: 'failed', why: expect.stringContaining('401, the token is refused') })
    const cut = await read(
      two,
      {},
      { fault: first('members', always, (response) => response.destroy()), part: { limits: { attemptsMax: 1 } } },
    )
    expect(cut).toMatchObject({ status: 'failed', people: {} })
  })

  test('the end of the time ends the reading, without what is known so far', async () => {
    const signal = AbortSignal.timeout(200)
    const told = await read(two, {}, { fault: (key) => key === 'members', signal })
    expect(told).toMatchObject({ status: 'failed', people: {}, why: expect.stringContaining('given up while it was read') })
  })
})
