import { describe, expect, test } from 'vitest'
import { membersOf } from '../standIns/membersWorld.ts'
import { everyone, group, type OktaFault, oktaStandIn, problem } from '../standIns/okta.ts'
import { type OktaUser, user } from '../standIns/oktaMembers.ts'
import { movingClock, readerOf, reading, usual } from '../standIns/oktaReading.ts'

/** Okta sends its links in several headers of one name. A gateway that keeps headers by their names keeps one of them. */
const keeping =
  (at: number): OktaFault =>
  ({ response }) => {
    const setHeader = response.setHeader.bind(response)
    response.setHeader = (name, value) => setHeader(name, name === 'link' && Array.isArray(value) ? String(value.at(at)) : value)
    return false
  }
const lost = 'its header Link has no link to a next page: a gateway may keep only one of the headers of this name'

describe('a gateway that keeps one of several headers Link', () => {
  test('the first one: the first page is not the whole list', async () => {
    expect((await reading({ fault: keeping(0) })).result).toMatchObject({ status: 'partial', missing: expect.stringContaining(lost) })
  })

  test('the last one: each link to a next page is there', async () => {
    const { result, names } = await reading({ fault: keeping(-1) })
    expect([result.status, names]).toEqual(['complete', ['Everyone', 'a', 'b', 'c', 'd', 'e', 'f']])
  })

  test.each([1, 2, 3])('one request finds it, if there are %i groups on one page', async (count) => {
    const { result, asked } = await reading({ groups: usual.slice(0, count) })
    expect(result.status).toBe('complete')
    expect(asked).toEqual(['token', 'page 1', ...(count === 1 ? [] : ['page 1'])])
  })

  async function members(users: Readonly<Record<string, readonly OktaUser[]>>, fault?: OktaFault) {
    const { now, clock } = movingClock()
    const ids = Object.keys(users)
    const groups = [everyone, ...ids.map((id) => group(id, id))]
    await using server = await oktaStandIn({ groups, users, now, ...(fault && { fault }) })
    const settings = { people: { identity: 'email' } } as const
    const { reader } = readerOf(server, { settings, deadlineMs: 2_000, bytesMax: 100_000 }, clock)
    const told = await membersOf(reader, ids, ['person-', 'login-', '00u'])
    return { ...told, asked: server.asked.filter((key) => key !== 'token') }
  }
  const people = (count: number) => Array.from({ length: count }, (_, n) => user(n))

  test('the members of no group are known', async () => {
    const { status, people: found, why } = await members({ a: people(8), b: people(1) }, keeping(0))
    expect([status, found]).toEqual(['partial', {}])
    expect(why).toContain(lost)
  })

  test('one request finds it for all groups, and none is needed if a list has a next page, or no list has two people', async () => {
    expect((await members({ a: people(2), b: people(1), c: people(2) })).asked).toHaveLength(4)
    expect((await members({ a: people(4), b: people(1) })).asked).toEqual(['users 1', 'users 1', 'users 2'])
    expect((await members({ a: people(1), b: [] })).asked).toHaveLength(2)
  })

  test('a group that was deleted after its members were read spoils nothing', async () => {
    const gone: OktaFault = ({ key, nth, response }) => key === 'users 1' && nth > 1 && problem(response, 404, 'E0000007') === undefined
    expect((await members({ a: people(2) }, gone)).status).toBe('complete')
  })
})
