import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exactly } from '../../../src/core/bounds.ts'
import type { Group } from '../../../src/core/group.ts'
import type { GroupName } from '../../../src/core/mapping.ts'
import type { Memberships } from '../../../src/core/people/members.ts'
import { noDeadline } from '../../../src/directories/deadline.ts'
import { type KeycloakSettings, keycloak } from '../../../src/directories/keycloak/read.ts'
import { openPlace } from '../process/program.ts'
import { callsTo } from './calls.ts'
import { type Keycloak, startKeycloak } from './keycloak.ts'
import { makeAccount, realm, secret } from './keycloakRealm.ts'

const clientId = 'app/x y'
const ofClient = { roles: { clientRoles: clientId } } as const
const ofRealm = { roles: 'realmRoles' } as const

let server: Keycloak
const admin = async (method: string, path: string, body?: unknown) => server.admin(method, `/${realm}${path}`, body)
const first = async (path: string) => ((await admin('GET', path)).json as { readonly id: string }[])[0]?.id ?? ''

const accounts = [
  ['view-realm'],
  ['view-clients', 'view-users'],
  ['view-realm', 'view-users'],
  ['view-realm', 'query-users', 'query-groups'],
  ['view-clients', 'view-realm', 'view-users'],
]
const accountOf = (...roles: readonly string[]) => roles.join(' and ')

/**
 * /Crew has twelve enabled people, a disabled one and a service account. /Mixed has this account and a person with a name like that of one. p0 is also in /Crew/night, with owl, and in /Other. owl has no mail address.
 * Roles: `lead` is given to p1, to the group /Crew, and by the composite roles `chief` (p2) and `boss` (p3), which contain each other in a circle. The role
 * `r/1` of a client is given to p4, and by `chief`.
 */
beforeAll(async () => {
  server = await startKeycloak()
  const { id: crew } = await admin('POST', '/groups', { name: 'Crew' })
  await admin('POST', `/groups/${crew}/children`, { name: 'night' })
  await admin('POST', '/groups', { name: 'Other' })
  const { id: mixed } = await admin('POST', '/groups', { name: 'Mixed' })
  const people = Array.from({ length: 12 }, (_, n) => ({
    username: `p${n}`,
    email: `P${n}@example.org`,
    enabled: true,
    groups: n === 0 ? ['/Crew', '/Crew/night', '/Other'] : ['/Crew'],
  }))
  const users = [
    ...people,
    { username: 'gone', email: 'gone@example.org', enabled: false, groups: ['/Crew'] },
    { username: 'owl', enabled: true, groups: ['/Crew/night'] },
    { username: 'service-account-eve', enabled: true, groups: ['/Mixed'] },
  ]
  await admin('POST', '/partialImport', { ifResourceExists: 'FAIL', users })
  const service = (await admin('GET', `/clients/${await first('/clients?clientId=none')}/service-account-user`)).json as { id: string }
  for (const group of [crew, mixed]) await admin('PUT', `/users/${service.id}/groups/${group}`)

  for (const name of ['lead', '..', 'idle']) await admin('POST', '/roles', { name })
  await admin('POST', '/roles', { name: 'chief', composite: true, composites: { realm: ['lead'] } })
  await admin('POST', '/roles', { name: 'boss', composite: true, composites: { realm: ['chief'] } })
  const { id: app } = await admin('POST', '/clients', { clientId, publicClient: true })
  for (const name of ['r/1', 'r2']) await admin('POST', `/clients/${app}/roles`, { name })
  const role = async (path: string) => (await admin('GET', path)).json
  const lead = await role('/roles/lead')
  const ofApp = await role(`/clients/${app}/roles/r%2F1`)
  await admin('POST', '/roles/chief/composites', [await role('/roles/boss'), ofApp])
  await admin('POST', `/groups/${crew}/role-mappings/realm`, [lead])
  const given: readonly (readonly [string, unknown])[] = [
    ['p1', lead],
    ['p2', await role('/roles/chief')],
    ['p3', await role('/roles/boss')],
  ]
  for (const [name, one] of given)
    await admin('POST', `/users/${await first(`/users?username=${name}&exact=true`)}/role-mappings/realm`, [one])
  await admin('POST', `/users/${await first('/users?username=p4&exact=true')}/role-mappings/clients/${app}`, [ofApp])
  for (const roles of accounts) await makeAccount(server.admin, roles, { clientId: accountOf(...roles), secret })
}, 400_000)
afterAll(() => server[Symbol.asyncDispose]())

type Part = {
  readonly id?: string
  readonly groups?: Partial<KeycloakSettings['groups']>
  readonly people?: Partial<NonNullable<KeycloakSettings['people']>>
  readonly pageSize?: number
}

function directory({ id = 'view-users', groups, people, pageSize = 100 }: Part) {
  const asked: string[] = []
  const reader = keycloak(
    {
      url: server.url,
      realm,
      client: { id, secret: async () => secret },
      groups: { name: 'path', slashes: 'plain', members: false, ...groups },
      people: { identity: 'email', nested: false, ...people },
      limits: { pageSize, groupsMax: 10_000 },
    },
    callsTo(({ path }) => asked.push(path)),
  )
  return { reader, asked }
}

/** The groups with these names, by an account that sees them, and their members, by the account of `part`. */
async function membersOf(names: readonly string[], part: Part = {}) {
  const signal = AbortSignal.timeout(60_000)
  const seeing = part.groups?.roles === undefined ? 'view-users' : accountOf('view-clients', 'view-realm', 'view-users')
  const listed = await directory({ ...part, id: seeing }).reader.read(signal)
  if (listed.status !== 'complete') throw new Error(`the groups were not read: ${JSON.stringify(listed)}`)
  const groups = names.map((name): Group => {
    const [group] = listed.value.get(name as GroupName) ?? []
    return group ?? { name: name as GroupName, id: `no ${name}`, place: name }
  })
  const { reader, asked } = directory({ ...part, id: part.id ?? seeing })
  if (reader.members === undefined) throw new Error('there is no reader of members')
  const reading = await reader.members(groups, 0, signal, noDeadline)
  const memberships: Memberships = reading.status === 'failed' ? new Map() : reading.value
  const people = Object.fromEntries(
    groups.flatMap(({ id, name }) => {
      const members = memberships.get(id)
      return members === undefined ? [] : [[name, members.people.toSorted()]]
    }),
  )
  const notCounted = groups.map(({ id }) => memberships.get(id)?.notCounted)
  return { reading, people, notCounted, asked }
}

const mails = (...numbers: readonly number[]) => numbers.map((n) => `p${n}@example.org`).toSorted()
const crew = mails(...Array.from({ length: 12 }, (_, n) => n))
const owl = expect.stringMatching(/^\0[0-9a-f-]{36}$/)

describe('members of groups', () => {
  test('enabled people, by their mail address; the disabled one is counted apart, and the service account not at all', async () => {
    const { reading, people, notCounted, asked } = await membersOf(['/Crew', '/Other'])
    expect(reading.status).toBe('complete')
    expect(people).toEqual({ '/Crew': crew, '/Other': mails(0) })
    expect(notCounted).toEqual([{ disabled: 1, groups: 0 }, undefined])
    expect(asked.filter((path) => path.endsWith('/children'))).toEqual([])
  })

  test('a person whose name begins like that of a service account is a person', async () => {
    const { people, asked } = await membersOf(['/Mixed', '/Crew'], { people: { identity: 'username' } })
    expect(people['/Mixed']).toEqual(['service-account-eve'])
    expect(people['/Crew']).toHaveLength(12)
    // One search, and its end.
    expect(asked.filter((path) => path.endsWith('/users'))).toHaveLength(2)
  })

  test('in pages of 100, and of 7', async () => {
    for (const pageSize of [100, 7]) {
      const { people, notCounted } = await membersOf(['/Big'], { pageSize })
      expect(people['/Big']).toHaveLength(234)
      expect(notCounted).toEqual([{ disabled: 26, groups: 0 }])
    }
  })

  test('by the user name, by the id, and by the id if there is no mail address', async () => {
    expect((await membersOf(['/Crew/night'], { people: { identity: 'username' } })).people).toEqual({ '/Crew/night': ['owl', 'p0'] })
    expect((await membersOf(['/Crew/night'])).people).toEqual({ '/Crew/night': [owl, 'p0@example.org'] })
    const byId = (await membersOf(['/Crew/night'], { people: { identity: 'id' } })).people['/Crew/night']
    expect(byId).toContain(await first('/users?username=owl&exact=true'))
    expect(byId).toHaveLength(2)
  })

  test('nested: members of subgroups count, each once', async () => {
    const { people } = await membersOf(['/Crew', '/Crew/night'], { people: { nested: true, identity: 'username' } })
    expect(people['/Crew']).toEqual([...Array.from({ length: 12 }, (_, n) => `p${n}`), 'owl'].toSorted())
    expect(people['/Crew/night']).toEqual(['owl', 'p0'])
  })

  test("Keycloak's own claim has no group above a person's own", async () => {
    const groups = (await admin('GET', `/users/${await first('/users?username=anna&exact=true')}/groups`)).json as { path: string }[]
    expect(groups.map(({ path }) => path)).toContain('/Team 01/sub-1-1/leaf-1-1-1')
    expect((await login()).groups).not.toContain('/Team 01')
  })

  test('an empty group has no people, and a group that is gone leaves the others known', async () => {
    const { reading, people } = await membersOf(['/Empty', '/Gone', '/Other'])
    expect(people).toEqual({ '/Empty': [], '/Other': mails(0) })
    expect(reading).toMatchObject({ status: 'partial', missing: expect.stringContaining('404, the group does not exist any more') })
  })

  test('an account without rights: the role to give is named', async () => {
    expect((await membersOf(['/Crew'], { id: 'none' })).reading).toMatchObject({
      status: 'failed',
      why: expect.stringContaining('the account of client "none" may not read the members of this group'),
      cure: 'give the service account of client "none" the role view-users of the client realm-management',
    })
  })
})

describe('people with roles', () => {
  const nested = { nested: true, identity: 'username' } as const
  const rich = accountOf('view-realm', 'view-users')
  const names = Array.from({ length: 12 }, (_, n) => `p${n}`)

  test('nested: by itself, by groups above, and by composite roles in a circle', async () => {
    const { reading, people } = await membersOf(['lead', 'chief', 'boss', 'idle'], { id: rich, groups: ofRealm, people: nested })
    expect(reading.status).toBe('complete')
    expect(people).toEqual({ lead: [...names, 'owl'].toSorted(), chief: ['p2', 'p3'], boss: ['p2', 'p3'], idle: [] })
  })

  test('these are the people to whom Keycloak gives the role', async () => {
    const users = (await admin('GET', '/users?max=1000')).json as { id: string; username: string; enabled: boolean }[]
    const holders: Record<string, string[]> = { lead: [], chief: [], boss: [], offline_access: [] }
    for (const { id, username, enabled } of users.filter(({ username }) => !/^u\d/.test(username))) {
      const roles = (await admin('GET', `/users/${id}/role-mappings/realm/composite`)).json as { name: string }[]
      for (const { name } of roles) if (enabled) holders[name]?.push(username)
    }
    const { people } = await membersOf(Object.keys(holders), { id: rich, groups: ofRealm, people: nested })
    expect(people).toEqual(Object.fromEntries(Object.entries(holders).map(([name, holding]) => [name, holding.toSorted()])))
  })

  test('not nested: those who have the role by itself, and how many groups and composite roles give it, too', async () => {
    const { people, notCounted } = await membersOf(['lead'], { id: rich, groups: ofRealm, people: { identity: 'username' } })
    expect(people).toEqual({ lead: ['p1'] })
    expect(notCounted).toEqual([{ disabled: 0, groups: 2 }])
  })

  test('a role of a client, also by a composite role of the realm', async () => {
    const { reading, people } = await membersOf(['r/1', 'r2'], { groups: ofClient, people: nested })
    expect(reading.status).toBe('complete')
    expect(people).toEqual({ 'r/1': ['p2', 'p3', 'p4'], r2: [] })
  })

  test('a role whose name would mean another address is unknown', async () => {
    const { reading, people } = await membersOf(['..', 'idle'], { id: rich, groups: ofRealm, people: nested })
    expect(people).toEqual({ idle: [] })
    expect(reading).toMatchObject({ status: 'partial', missing: expect.stringContaining('no address can have its name, such as . or ..') })
  })

  test.each<[string, Partial<KeycloakSettings['groups']>, string, string]>([
    [accountOf('view-realm'), ofRealm, 'may not read the members of this role', 'the roles view-realm and view-users'],
    [accountOf('view-clients', 'view-users'), ofClient, 'may not read', 'the roles view-clients, view-realm and view-users'],
  ])('an account with %s alone, asked for %j: what is missing', async (id, groups, why, cure) => {
    const asked = groups === ofRealm ? 'lead' : 'r/1'
    expect((await membersOf([asked], { id, groups })).reading).toMatchObject({
      status: 'failed',
      why: expect.stringContaining(why),
      cure: expect.stringContaining(cure),
    })
  })

  test('query-users alone sees an empty list: failed, and not 0', async () => {
    const id = accountOf('view-realm', 'query-users', 'query-groups')
    expect((await membersOf(['chief'], { id, groups: ofRealm })).reading).toMatchObject({
      status: 'failed',
      why: expect.stringContaining('sees no users of the realm t1'),
      cure: expect.stringContaining('the roles view-realm and view-users'),
    })
  })
})

test('a plan says how many people its changes concern, and who they are stays unsaid', async () => {
  const declaration = {
    version: 1,
    workspaces: {
      acme: {
        projectRoles: [
          { group: '/Crew', project: 'ENG', role: 'member' },
          { group: '/Other', project: 'ENG', role: 'guest' },
          { group: '/Empty', project: 'ENG', role: 'guest' },
        ],
      },
    },
  }
  const settings = {
    directories: {
      corp: { kind: 'keycloak', url: server.url.href, realm, client: { id: 'view-users', secret: { env: 'CLIENT_SECRET' } }, people: {} },
    },
    log: { level: 'debug' },
  }
  await using place = await openPlace({ declaration, groups: [], settings })
  const env = { CLIENT_SECRET: secret }
  const json = await place.run(['plan', '--format', 'json'], { env })
  expect(json.code, json.err).toBe(0)
  const [workspace] = (JSON.parse(json.out) as { workspaces: { changes: { group: string; effect?: object }[] }[] }).workspaces
  const effects = Object.fromEntries((workspace?.changes ?? []).map(({ group, effect }) => [group, effect]))
  expect(effects).toMatchObject({
    '/Crew': { newly: exactly(12) },
    '/Other': { newly: exactly(1) },
    '/Empty': { newly: exactly(0) },
  })
  const text = await place.run(['plan'], { env })
  for (const output of [json.out, json.err, text.out, text.err]) expect(output).not.toMatch(/p\d+@|gone@|"p\d+"/)
  expect(json.err).toContain('/members')
})

async function login(): Promise<{ readonly groups: readonly string[] }> {
  const form = new URLSearchParams({ grant_type: 'password', client_id: 'login', username: 'anna', password: secret })
  const answer = await fetch(new URL(`/realms/${realm}/protocol/openid-connect/token`, server.url), { method: 'POST', body: form })
  const { access_token: token } = (await answer.json()) as { access_token: string }
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'))
}
