import { expect, test } from 'vitest'
import { keycloak } from '../../src/directories/keycloak/read.ts'
import type { RolesFrom } from '../../src/directories/keycloak/refusal.ts'
import { type Fault, fakeKeycloak, json } from './keycloak-fake.ts'
import { httpEnvironment } from './standIns/httpEnvironment.ts'

type Given = { readonly roles?: RolesFrom; readonly fault?: Fault; readonly names?: readonly string[]; readonly groupsMax?: number }
const names = (count: number) => Array.from({ length: count }, (_, index) => `role-${String(index).padStart(3, '0')}`)

async function read({ roles = 'realmRoles', fault = () => false, names: realm = names(12), groupsMax = 1_000 }: Given = {}) {
  await using server = await fakeKeycloak([], fault, { realm, clients: { 'plane/x y': realm } })
  const directory = keycloak(
    {
      url: server.url,
      realm: 't',
      client: { id: 'reader', secret: async () => 'a-secret' },
      groups: { roles, name: 'path', slashes: 'plain', members: false },
      limits: { pageSize: 5, groupsMax, attemptsMax: 2 },
    },
    httpEnvironment(),
  )
  const reading = await directory.read(AbortSignal.timeout(20_000))
  return { reading, asked: server.asked }
}
const namesIn = async (given: Given) => {
  const { reading } = await read(given)
  return reading.status === 'failed' ? reading : { [reading.status]: [...reading.value.values()].flat().length }
}

test.each<[RolesFrom, string]>([
  ['realmRoles', 'role role-007'],
  [{ clientRoles: 'plane/x y' }, 'role role-007 of client plane/x y'],
])('the roles of %j are read on several pages, by name and with their ids', async (roles, place) => {
  const { reading } = await read({ roles })
  expect(reading.status).toBe('complete')
  if (reading.status !== 'complete') return
  expect([...reading.value.keys()]).toEqual(names(12))
  expect(reading.value.get('role-007' as never)).toEqual([{ name: 'role-007', id: 'id of role-007', place }])
  expect(JSON.stringify([...reading.value])).not.toContain('secret')
})

/** Answers one request of the list with these names. `nth`: from 1. */
const once =
  (nth: number, rows: readonly string[]): Fault =>
  (key, asked, response) =>
    key === 'roles' && asked === nth
      ? json(
          response,
          200,
          rows.map((name) => ({ id: `id of ${name}`, name })),
        )
      : false

test('an empty answer is not believed at once', async () => {
  expect(await namesIn({ fault: once(1, []) })).toEqual({ complete: 12 })
})

test('roles behind a gateway that gives smaller pages than it is asked for are read to the end', async () => {
  const capped: Fault = (key, _, response, query) => {
    if (key !== 'roles') return false
    const from = Number(query.get('first'))
    const rows = names(12).slice(from, from + Math.min(4, Number(query.get('max'))))
    return json(
      response,
      200,
      rows.map((name) => ({ id: `id of ${name}`, name })),
    )
  }
  expect(await namesIn({ fault: capped })).toEqual({ complete: 12 })
})

test('two readings that differ are partial', async () => {
  const renamed = names(10)
    .slice(4)
    .map((name) => name.replace('5', '5x'))
  expect((await read({ fault: once(2, renamed) })).reading).toMatchObject({
    status: 'partial',
    missing: 'the roles were read twice, and the answers differ (12 and 12 roles): they changed meanwhile',
  })
})

test('a role that comes twice is partial', async () => {
  expect(await namesIn({ names: [...names(6), 'role-001'] })).toMatchObject({ partial: expect.any(Number) })
})

test('more roles than groupsMax are refused', async () => {
  expect(await namesIn({ groupsMax: 11 })).toMatchObject({
    status: 'failed',
    why: expect.stringContaining('more roles than groupsMax (11)'),
  })
  expect(await namesIn({ groupsMax: 12 })).toEqual({ complete: 12 })
})

test.each<[RolesFrom, string]>([
  ['realmRoles', 'view-realm'],
  [{ clientRoles: 'plane/x y' }, 'view-clients'],
])('an account without the right for %j: the role that it needs', async (roles, role) => {
  const fault: Fault = (key, _nth, response) => key.includes('roles') && json(response, 403, { error: 'HTTP 403 Forbidden' })
  expect(await namesIn({ roles, fault })).toMatchObject({
    why: expect.stringContaining('the account of client "reader" may not read roles'),
    cure: expect.stringContaining(`the role ${role} of the client realm-management`),
  })
})

test('a client that is not there, or that the account may not see', async () => {
  expect(await namesIn({ roles: { clientRoles: 'nobody' } })).toMatchObject({
    why: expect.stringContaining('the realm t has no client "nobody", or the account of client "reader" may not see it'),
    cure: expect.stringContaining('check groups.from.clientRoles, and give the service account of client "reader" the role view-clients'),
  })
})
