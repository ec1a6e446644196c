import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noDeadline } from '../../../src/directories/deadline.ts'
import { keycloak } from '../../../src/directories/keycloak/read.ts'
import { connectOrigin } from '../../../src/http/origin.ts'
import { openPlace, type Place } from '../process/program.ts'
import { type Keycloak, startKeycloak } from './keycloak.ts'
import { federate, federatedRealm as realm } from './keycloakFederation.ts'
import { secret } from './keycloakRealm.ts'
import { membersIn } from './ldapReadings.ts'
import { type Slapd, startSlapd } from './slapd.ts'

/**
 * People and groups of a real slapd, federated into a real Keycloak. A person's token, the reader of Keycloak, the reader of LDAP and `who` must all name
 * the same groups.
 */

const suffix = 'dc=example,dc=org'
const people = `ou=people,${suffix}`
const entry = (dn: string, ...lines: readonly string[]) =>
  [`dn: ${dn}`, ...lines]
    .map((line) => line.replace(/^(\w+): (.*[^ -~].*)$/, (_, name, value) => `${name}:: ${Buffer.from(value).toString('base64')}`))
    .join('\n')
    .concat('\n')
const at = (uid: string) => `uid=${uid},${people}`
const person = (uid: string) =>
  entry(
    at(uid),
    'objectClass: inetOrgPerson',
    `uid: ${uid}`,
    `cn: ${uid}`,
    'sn: Example',
    `mail: ${uid.toUpperCase()}@Example.org`,
    `userPassword: ${secret}`,
  )
const team = (cn: string) => `cn=${cn},ou=groups,${suffix}`
const group = (cn: string, ...members: readonly string[]) =>
  entry(team(cn), 'objectClass: groupOfNames', `cn: ${cn}`, ...members.map((member) => `member: ${member}`))

/** `crew` has the group `night` inside, so Keycloak makes /crew/night of it. */
const memberships = {
  kim: ['R&D (core)', 'crew', 'devs'],
  lee: ['devs'],
  max: ['night'],
  zoe: ['Größe', 'crew', 'night'],
  nobody: [],
} as const
type Uid = keyof typeof memberships
const uids = Object.keys(memberships) as Uid[]
const names = ['R&D (core)', 'Größe', 'crew', 'devs', 'night'] as const
const holding = (name: (typeof names)[number]) => uids.filter((uid) => (memberships[uid] as readonly string[]).includes(name))
const ldif = [
  entry(people, 'objectClass: organizationalUnit', 'ou: people'),
  ...uids.map(person),
  ...names.map((name) => group(name, ...holding(name).map(at), ...(name === 'crew' ? [team('night')] : []))),
].join('\n')

let slapd: Slapd
let server: Keycloak
beforeAll(async () => {
  slapd = await startSlapd({ groups: 0, members: 0, ldif })
  server = await startKeycloak()
  await federate(server.admin, slapd, people)
}, 400_000)
afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
  await slapd?.[Symbol.asyncDispose]()
})

type Claims = { readonly groups?: readonly string[]; readonly bare?: readonly string[] }
/** The claims of a person's token: `groups` has full paths, `bare` has names. An empty claim is left out. */
async function claimsOf(uid: string): Promise<{ readonly paths: readonly string[]; readonly bare: readonly string[] }> {
  const form = new URLSearchParams({ grant_type: 'password', client_id: 'login', username: uid, password: secret })
  const answer = await fetch(new URL(`/realms/${realm}/protocol/openid-connect/token`, server.url), { method: 'POST', body: form })
  const body = (await answer.json()) as { readonly access_token?: string }
  expect(answer.status, JSON.stringify(body)).toBe(200)
  const { groups = [], bare = [] } = JSON.parse(Buffer.from(body.access_token?.split('.')[1] ?? '', 'base64url').toString('utf8')) as Claims
  return { paths: groups.toSorted(), bare: bare.toSorted() }
}

/** The groups of each person: the names that a reader has for groups with this member. */
const byPerson = (known: Readonly<Record<string, readonly string[]>>) =>
  Object.fromEntries(
    uids.map((uid) => [
      uid,
      Object.keys(known)
        .filter((name) => known[name]?.some((mail) => mail.toLowerCase() === `${uid}@example.org`))
        .toSorted(),
    ]),
  )

/** The people of each group of Keycloak, by the name of the group. */
async function readKeycloak(name: 'path' | 'name') {
  const reader = keycloak(
    {
      url: server.url,
      realm,
      client: { id: 'view-users', secret: async () => secret },
      groups: { name, slashes: 'plain', members: false },
      people: { identity: 'email', nested: false },
      limits: { pageSize: 100, groupsMax: 10_000 },
    },
    {
      connect: (url) => connectOrigin(url, { deadlineMs: 20_000, bytesMax: 4_194_304, idleMs: 2_000, connections: 4, now: Date.now }),
      now: Date.now,
      wall: Date.now,
      wait: (ms, signal) => sleep(ms, undefined, { signal }),
      random: Math.random,
    },
  )
  const signal = AbortSignal.timeout(120_000)
  const read = await reader.read(signal)
  if (read.status !== 'complete') throw new Error(JSON.stringify(read))
  const groups = [...read.value.values()].flat()
  expect(groups).toHaveLength(names.length)
  const found = await reader.members?.(groups, 0, signal, noDeadline)
  if (found?.status !== 'complete') throw new Error(JSON.stringify(found))
  return Object.fromEntries(groups.map(({ id, name }) => [name, found.value.get(id)?.people ?? []]))
}

const readSlapd = (nested: boolean) =>
  membersIn({
    addresses: [slapd.ldap],
    bind: { dn: slapd.reader.dn, password: async () => slapd.reader.password },
    groups: { base: slapd.groupsBase },
    people: { base: people, nested },
  })

describe('the claim of each person', () => {
  const expected = (path: (cn: string) => string) =>
    Object.fromEntries(uids.map((uid) => [uid, memberships[uid].map((cn) => path(cn)).toSorted()]))

  test('with full paths has the names that the reader of Keycloak has by path', async () => {
    const claims = Object.fromEntries(await Promise.all(uids.map(async (uid) => [uid, (await claimsOf(uid)).paths])))
    expect(claims).toEqual(expected((cn) => (cn === 'night' ? '/crew/night' : `/${cn}`)))
    expect(byPerson(await readKeycloak('path'))).toEqual(claims)
  })

  test('with bare names has the names that the readers of Keycloak and of LDAP have', async () => {
    const claims = Object.fromEntries(await Promise.all(uids.map(async (uid) => [uid, (await claimsOf(uid)).bare])))
    expect(claims).toEqual(expected((cn) => cn))
    expect(byPerson(await readKeycloak('name'))).toEqual(claims)
    expect(byPerson((await readSlapd(false)).known)).toEqual(claims)
  })

  test('has no group above the own one, so people.nested of LDAP would say more than the claim', async () => {
    const nested = byPerson((await readSlapd(true)).known)
    expect(nested['max']).toEqual(['crew', 'night'])
    expect((await claimsOf('max')).bare).toEqual(['night'])
  })
})

describe('`who` gives each person the roles that the groups of the claim give', () => {
  const declared = (name: (cn: string) => string) => ({
    version: 1,
    workspaces: {
      acme: { projectRoles: names.map((cn, n) => ({ group: name(cn), project: n % 2 === 0 ? 'ENG' : 'OPS', role: 'member' })) },
    },
  })
  const ofKeycloak = (name: 'path' | 'name') => ({
    kind: 'keycloak',
    url: server.url.href,
    realm,
    client: { id: 'view-users', secret: { env: 'SECRET' } },
    groups: { name },
    people: {},
  })
  const ofLdap = () => ({
    kind: 'ldap',
    addresses: [slapd.ldap],
    bind: { dn: slapd.reader.dn, password: { env: 'SECRET' } },
    groups: { base: slapd.groupsBase, filter: '(objectClass=groupOfNames)', member: 'member' },
    people: { base: people },
  })

  async function groupsOf(place: Place, uid: string, password: string) {
    const { code, out, err } = await place.run(['who', `${uid}@example.org`, '--format', 'json'], { env: { SECRET: password } })
    expect(code, out + err).toBe(0)
    const { workspaces } = JSON.parse(out) as { workspaces: { groups: string[]; unknown: string[]; roles: { after: string }[] }[] }
    expect(workspaces[0]?.unknown).toEqual([])
    const groups = workspaces[0]?.groups.toSorted() ?? []
    const projects = new Set(memberships[uid as Uid].map((cn) => names.indexOf(cn) % 2))
    expect(workspaces[0]?.roles.map(({ after }) => after)).toEqual([...projects].map(() => 'member'))
    return groups
  }

  test.each<[string, () => object, 'paths' | 'bare', (cn: string) => string, () => string]>([
    ['Keycloak, by path', () => ofKeycloak('path'), 'paths', (cn: string) => (cn === 'night' ? '/crew/night' : `/${cn}`), () => secret],
    ['Keycloak, by name', () => ofKeycloak('name'), 'bare', (cn: string) => cn, () => secret],
    ['LDAP', ofLdap, 'bare', (cn: string) => cn, () => slapd.reader.password],
  ])('with the directory %s', async (_, directory, form, name, password) => {
    const settings = { directories: { corp: directory() } }
    await using place = await openPlace({ declaration: declared(name), groups: [], settings })
    for (const uid of ['kim', 'max', 'zoe']) expect(await groupsOf(place, uid, password()), uid).toEqual((await claimsOf(uid))[form])
  })
})
