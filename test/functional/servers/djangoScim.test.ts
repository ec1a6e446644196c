import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { GroupName } from '../../../src/core/mapping.ts'
import { noDeadline } from '../../../src/directories/deadline.ts'
import type { ScimSettings } from '../../../src/directories/scim/read.ts'
import { startDjangoScim } from './djangoScimServer.ts'
import { groupsText, numbersBy } from './numbers.ts'
import { type ScimServer, scimReader, scimServerToken } from './scimServer.ts'

/** What django-scim2 does in another way than the servers of scimMembers.test.ts. Pages and filters are in scim.test.ts. */

const wide = Array.from({ length: 100 }, (_, n) => `user-${n}`)
let server: ScimServer
const ids = new Map<string, string>()
const idOf = (name: string) => ids.get(name) ?? ''

beforeAll(async () => {
  server = await startDjangoScim('no filters')
  for (const userName of ['ann', 'bob', 'off', 'bare', 'left', ...wide]) {
    const emails = [{ value: `${userName}@Example.org`, primary: true }]
    const id = await server.addUser({ userName, active: userName !== 'off', ...(userName === 'bare' ? {} : { emails }) })
    ids.set(userName, id)
  }
  const users = (...names: readonly string[]) => names.map((name) => ({ value: idOf(name) }))
  // A group and a user have the number 1, and so on.
  ids.set('night', await server.add('night', users('bob', 'ann')))
  ids.set('devs', await server.add('devs', users('ann', 'off', 'left', 'bare')))
  await server.add('wide', users(...wide))
  await server.add('empty')
  await server.removeUser(idOf('left'))
})
afterAll(() => server?.[Symbol.asyncDispose]())

async function membersOf(people: Partial<NonNullable<ScimSettings['people']>>) {
  const asked: string[] = []
  const reader = scimReader(server, { people: { identity: 'email', nested: false, ...people } }, ({ path }) => asked.push(path))
  const signal = AbortSignal.timeout(60_000)
  const listed = await reader.read(signal)
  if (listed.status !== 'complete' || reader.members === undefined) throw new Error(`not read: ${JSON.stringify(listed)}`)
  const groups = [...listed.value.values()].flat()
  asked.length = 0
  const reading = await reader.members(groups, 0, signal, noDeadline)
  if (reading.status === 'failed') throw new Error(reading.why)
  const of = (name: string) => reading.value.get(listed.value.get(name as GroupName)?.[0]?.id ?? '')
  const names = groups.map(({ name }) => name)
  return { status: reading.status, people: Object.fromEntries(names.map((name) => [name, of(name)?.people.toSorted()])), of, asked }
}

describe('members', () => {
  test('are enabled people, also if a group has the same id as a user', async () => {
    expect(idOf('night')).toBe(idOf('ann'))
    const { status, people, of } = await membersOf({})
    expect(status).toBe('complete')
    expect(people).toEqual({
      night: ['ann@example.org', 'bob@example.org'],
      devs: [`\u0000${idOf('bare')}`, 'ann@example.org'],
      wide: wide.map((name) => `${name}@example.org`).toSorted(),
      empty: [],
    })
    expect(of('devs')?.notCounted).toMatchObject({ disabled: 1, groups: 0 })
  })

  test('nested are the same: no member of it is a group', async () => {
    expect((await membersOf({ nested: true })).people).toEqual((await membersOf({})).people)
  })

  test('by their names, and by their ids; many people are read by pages of all users', async () => {
    const { people, asked } = await membersOf({ identity: 'userName' })
    expect(people).toMatchObject({ night: ['ann', 'bob'], devs: ['ann', 'bare'], wide: wide.toSorted() })
    expect(asked.filter((path) => path === '/Users').length).toBeGreaterThan(2)
    expect((await membersOf({ identity: 'id' })).people['night']).toEqual([idOf('ann'), idOf('bob')].toSorted())
  })
})

describe('the program as a process', () => {
  const corp = (more: object = {}) => ({
    kind: 'scim',
    url: server.url.href,
    token: { env: 'TOKEN' },
    people: { identity: 'email' },
    ...more,
  })
  const env = { TOKEN: scimServerToken }

  test('lists all groups, and a plan has the number of people of each; no output names a person', async () => {
    const { groups, plan, text } = await numbersBy(corp({ pageSize: 40 }), ['night', 'devs', 'wide', 'empty'], env)
    expect(Object.keys(groups).toSorted()).toEqual(['devs', 'empty', 'night', 'wide'])
    expect(plan).toEqual({ night: '2', devs: '2', wide: '100', empty: '0' })
    expect(text).not.toMatch(/@example|user-\d|\bbob\b/i)
  })

  test('says that the token is refused, with the status and the setting to look at', async () => {
    const text = await groupsText(corp(), { TOKEN: 'an-old-token' })
    expect(text).toMatch(/^1: .*\/ServiceProviderConfig: 401, the token is refused/)
    expect(text).toContain('check that the token is for this server and has not expired or been revoked')
    expect(text).not.toContain('an-old-token')
  })

  test('says that the server has no filters, if it says so itself', async () => {
    const text = await groupsText(corp({ groups: { filter: 'displayName eq "night"' } }), env)
    expect(text).toMatch(/^1: .*supports no filters/)
    expect(text).toContain('remove groups.filter')
  })

  test('believes no filter that finds nothing: django-scim2 answers so to an attribute that it does not know', async () => {
    await using filtering = await startDjangoScim('filters')
    await filtering.add('night')
    const directory = { ...corp({ groups: { filter: 'meta.resourceType eq "Group"' } }), url: filtering.url.href }
    expect(await groupsText(directory, env)).toMatch(/^1: .*found no group, which proves nothing/)
  })
})
