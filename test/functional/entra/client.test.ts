import { constants, generateKeyPairSync, verify } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { entra } from '../../../src/directories/entra/read.ts'
import type { ClientProof } from '../../../src/directories/overHttp/token.ts'
import { connectOrigin } from '../../../src/http/origin.ts'
import { composed } from '../everySetting/composed.ts'
import { withDirectory } from '../everySetting/directory.ts'
import { json } from '../keycloak-fake.ts'
import { clientId, type EntraStandIn, entraStandIn, type Fault, graphError, tenantId } from '../standIns/entra.ts'
import { idOf } from '../standIns/entraMembers.ts'

/** How an app registration proves its identity, and how long a reading may take. */

const groups = [{ id: idOf(1), displayName: 'Devs' }]
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })

async function formWith(proof: ClientProof) {
  await using server = await entraStandIn({ groups })
  const settings = {
    tenant: tenantId,
    graph: server.url,
    login: server.url,
    scope: 'https://graph.microsoft.com/.default',
    client: { id: clientId, ...proof },
    groups: { name: 'id', cloudDisplayName: false, types: 'security' },
    limits: { pageSize: 5, groupsMax: 10, checkTotal: true },
  } as const
  const seen: string[] = []
  const reading = await entra(settings, {
    connect: (to) => connectOrigin(to, { deadlineMs: 2_000, bytesMax: 100_000, idleMs: 1_000, connections: 4, now: Date.now }),
    secretSeen: (secret) => seen.push(secret),
    now: Date.now,
    wall: Date.now,
    wait: (ms, signal) => sleep(ms, undefined, { signal }),
    random: Math.random,
  }).read(AbortSignal.timeout(5_000))
  expect(reading).toMatchObject({ status: 'complete' })
  return { form: Object.fromEntries(new URLSearchParams(server.requests[0]?.body)), seen, url: server.url }
}

const bearer = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const jsonOf = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString())

describe('a client', () => {
  test('with an RSA key: PS256, the token endpoint as the audience, no secret', async () => {
    const { form, seen, url } = await formWith({
      privateKey: {
        key: async () => rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }),
        jwt: { rsaAlgorithm: 'PS256', type: 'JWT' },
      },
    })
    const { client_assertion = '', ...others } = form
    expect(others).toEqual({
      grant_type: 'client_credentials',
      scope: 'https://graph.microsoft.com/.default',
      client_id: clientId,
      client_assertion_type: bearer,
    })
    const [header = '', payload = '', signature = ''] = client_assertion.split('.')
    expect(jsonOf(header)).toEqual({ alg: 'PS256', typ: 'JWT' })
    expect(jsonOf(payload)).toMatchObject({ iss: clientId, sub: clientId, aud: `${url.origin}/${tenantId}/oauth2/v2.0/token` })
    const key = { key: rsa.publicKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
    expect(verify('sha256', Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'))).toBe(true)
    expect(seen).toContain(client_assertion)
  })

  test('with the JWT of another issuer', async () => {
    const { form } = await formWith({ assertion: async () => 'a.foreign.jwt' })
    expect(form).toMatchObject({ client_id: clientId, client_assertion_type: bearer, client_assertion: 'a.foreign.jwt' })
    expect(form).not.toHaveProperty('client_secret')
  })
})

describe('a reading that would take too long', () => {
  async function readWithin(readingTimeout: string, fault: Fault): Promise<{ readonly reading: unknown; readonly tookMs: number }> {
    await using server: EntraStandIn = await entraStandIn({ groups }, fault)
    const url = server.url.origin
    const corp = {
      kind: 'entra',
      tenant: tenantId,
      graphUrl: url,
      loginUrl: url,
      client: { id: clientId, secret: { env: 'KEY' } },
      readingTimeout,
    }
    await using program = await composed(withDirectory(corp))
    const began = performance.now()
    const reading = await program.program.sources.directories.get('corp')?.read(AbortSignal.timeout(20_000))
    return { reading, tookMs: performance.now() - began }
  }

  test('pages without end, each after a while', async () => {
    const slow: Fault = (key, nth, response, url) => {
      if (!key.startsWith('groups')) return false
      const next = new URL(`/v1.0/groups?$top=1&$skiptoken=${Number(url.searchParams.get('$skiptoken') ?? 0) + nth}`, url)
      setTimeout(() => json(response, 200, { '@odata.count': 1, value: [], '@odata.nextLink': next.href }), 30)
      return true
    }
    const { reading, tookMs } = await readWithin('1s', slow)
    expect(reading).toMatchObject({ status: 'failed', why: expect.stringContaining('not read to its end within 1 s') })
    expect(tookMs).toBeLessThan(5_000)
  })

  test('429 with a wait beyond the end of the reading ends it at once', async () => {
    const throttled: Fault = (key, _, response) => {
      if (key !== 'groups') return false
      graphError(response, 429, 'TooManyRequests', 'x', { 'retry-after': '600' })
      return true
    }
    const { reading, tookMs } = await readWithin('20s', throttled)
    expect(reading).toMatchObject({
      status: 'failed',
      why: expect.stringMatching(/429 .*the next request is due in 10 min, and the reading has \d+ s left$/),
    })
    expect(tookMs).toBeLessThan(5_000)
  })
})
