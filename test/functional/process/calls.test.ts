import { describe, expect, test } from 'vitest'
import { startFakeLdap } from '../directories/fakeLdap.ts'
import { fakeKeycloak } from '../keycloak-fake.ts'
import { openPlace, type PlaceOptions } from './program.ts'

const declaration = 'version: 1\nworkspaces: { acme: { projectRoles: [{ group: devs, project: ENG, role: member }] } }\n'
const debug = ['--log-level', 'debug', '--log-format', 'json']

type Line = Readonly<Record<string, unknown>> & { readonly event: string; readonly msg: string }
const linesOf = (err: string): readonly Line[] =>
  err
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line)
const callsOf = (err: string) => linesOf(err).filter(({ event }) => event === 'call')

/** A place whose sandbox says which requests it answered. */
async function place(more: Partial<PlaceOptions> = {}) {
  const heard: string[] = []
  const onAnswered = ({ method, status }: { readonly method: string; readonly status?: number }) => {
    heard.push(`${method} ${status ?? 'cut'}`)
  }
  const opened = await openPlace({ declaration, groups: ['devs'], ...more, sandbox: { onAnswered, ...more.sandbox } })
  return { ...opened, heard, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() }
}

describe('at debug', () => {
  test.each([['plan'], ['apply', '--yes'], ['export'], ['export', '--undeclared'], ['run', '--once']])(
    '%s %s has one line for each request to Plane',
    async (...args) => {
      await using here = await place()
      const { code, err } = await here.run([...args, ...debug])
      expect(code, err).toBe(0)
      const calls = callsOf(err)
      expect(here.heard.length).toBeGreaterThan(1)
      expect(calls.map(({ status }) => status)).toEqual(here.heard.map((one) => Number(one.split(' ')[1])))
      for (const call of calls) {
        expect(call).toMatchObject({ level: 'debug', workspace: 'acme', credential: 'default', attempt: 1 })
        expect(call.operation).toMatch(/^[a-z-]+\.[a-z-]+$/i)
        expect(call.tookMs).toBeGreaterThanOrEqual(0)
        expect(call.budgetBefore).toBeGreaterThan(call.budgetAfter as number)
      }
      expect((await here.run(args)).err).not.toContain('"call"')
    },
  )

  test('a repeated request has a line for each attempt, also one without an answer', async () => {
    await using here = await place({
      sandbox: { faults: ['GET project-mappings: 503, from the 1st, 1 times', 'GET project-mappings: cut off, from the 2nd, 1 times'] },
    })
    const { code, err } = await here.run(['plan', ...debug])
    expect(code, err).toBe(0)
    const calls = callsOf(err).filter(({ operation }) => operation === 'project-mappings.list')
    expect(calls.slice(0, 3).map(({ attempt, status, failure }) => [attempt, status ?? failure])).toEqual([
      [1, 503],
      [2, 'cut'],
      [3, 200],
    ])
  })

  test('each line of a cycle has the id of the cycle, and two cycles have two', async () => {
    await using here = await place()
    const daemon = here.start(['run', ...debug])
    const summaries = () => linesOf(daemon.err()).filter(({ event }) => event === 'summary')
    await daemon.until(() => summaries().length === 1)
    daemon.child.kill('SIGHUP')
    await daemon.until(() => summaries().length === 2)
    daemon.child.kill('SIGTERM')
    await daemon.ended
    const lines = linesOf(daemon.err())
    const ids = [...new Set(lines.flatMap(({ cycle }) => (cycle === undefined ? [] : [cycle])))]
    expect(ids).toEqual([expect.stringMatching(/^[0-9a-f]{8}$/), expect.stringMatching(/^[0-9a-f]{8}$/)])
    const inCycle = (event: string) => ['call', 'change', 'summary', 'declaration', 'directory', 'hold', 'finding'].includes(event)
    for (const { event, cycle, msg } of lines) expect(cycle !== undefined, `${event}: ${msg}`).toBe(inCycle(event))
    const plan = callsOf((await here.run(['plan', ...debug])).err)
    expect(new Set(plan.map(({ cycle }) => cycle)).size).toBe(1)
  })
})

test('the calls of Keycloak, LDAP and the token endpoints are logged, without any secret', async () => {
  const secrets = { KEY: 'the-key-of-plane', CLIENT: 'the-secret-of-a-client', BIND: 'the-password-of-a-bind', APP: 'the-secret-of-an-app' }
  const installationId = '0190f0a0-0000-4000-a000-000000000004'
  await using realm = await fakeKeycloak([{ name: 'devs' }], (key, nth, response) => {
    response.setHeader('x-request-id', `id_${key.split(' ')[0]}_${nth}`)
    if (key !== 'count' || nth !== 1) return false
    response.writeHead(503).end()
    return true
  })
  await using ldap = await startFakeLdap({ search: () => ({ entries: [{ dn: 'cn=ops,dc=x', attributes: { cn: ['ops'] } }], cookie: '' }) })
  const settings = {
    service: {
      credential: { oauth: { clientId: 'app', clientSecret: { env: 'APP' }, installation: installationId, scopes: ['projects:read'] } },
    },
    directories: {
      idp: { kind: 'keycloak', url: realm.url.href, realm: 't', client: { id: 'reader', secret: { env: 'CLIENT' } } },
      corp: {
        kind: 'ldap',
        addresses: [ldap.url],
        allowPlaintext: true,
        bind: { dn: 'cn=reader,dc=x', password: { env: 'BIND' } },
        groups: { base: 'dc=x', filter: '(objectClass=*)', name: 'cn', member: 'member' },
      },
    },
  }
  await using here = await place({
    settings,
    declaration: 'version: 1\nworkspaces: { acme: { projectRoles: [{ group: devs, from: idp, project: ENG, role: member }] } }\n',
  })
  const groups = await here.run(['groups', ...debug], { env: secrets })
  expect(groups.code, groups.err + groups.out).toBe(0)
  const calls = callsOf(groups.err)
  expect(calls.filter(({ directory }) => directory === 'corp').map(({ operation, status }) => [operation, status])).toEqual([
    ['ldap.bind', 0],
    ['ldap.extended', 0],
    ['ldap.search', 0],
  ])
  const idp = calls
    .filter(({ directory }) => directory === 'idp')
    .map(({ operation, status, attempt, requestId }) => [operation, status, attempt, requestId])
  expect(idp.slice(0, 4)).toEqual([
    ['GET /realms/t/.well-known/openid-configuration', 200, 1, 'id_issuer_1'],
    ['POST /realms/t/protocol/openid-connect/token', 200, 1, 'id_token_1'],
    ['GET /admin/realms/t/groups/count', 503, 1, 'id_count_1'],
    ['GET /admin/realms/t/groups/count', 200, 2, 'id_count_2'],
  ])
  expect(idp).toHaveLength(realm.asked.length)
  const plan = await here.run(['plan', ...debug], { env: secrets })
  expect(callsOf(plan.err)).toContainEqual(
    expect.objectContaining({ operation: 'oauth.token', credential: 'default', status: expect.any(Number) as number }),
  )
  for (const { err, out } of [groups, plan])
    for (const secret of [...Object.values(secrets), 'token-1', 'Bearer', 'client_secret']) expect(err + out).not.toContain(secret)
})
