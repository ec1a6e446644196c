import { expect } from 'vitest'
import type { GroupIndex } from '../../../src/core/group.ts'
import { type EntraSettings, entra } from '../../../src/directories/entra/read.ts'
import { clientId, type EntraStandIn, entraStandIn, type Fault, type Tenant, type TenantGroup, tenantId } from '../standIns/entra.ts'
import { idOf } from '../standIns/entraMembers.ts'
import { httpEnvironment } from '../standIns/httpEnvironment.ts'

/** A reader of a tenant on loopback. Its pages have five groups, and its waits end at once. */

export const secret = 'the-secret-of-the-app'
export const groups = (count: number): TenantGroup[] =>
  Array.from({ length: count }, (_, n) => ({ id: idOf(n), displayName: `Group ${n}` }))
export const usual: Tenant = { groups: groups(25), secret }

export type Part = {
  readonly groups?: Partial<EntraSettings['groups']>
  readonly limits?: Partial<EntraSettings['limits']>
  readonly people?: EntraSettings['people']
  readonly tenant?: string
  readonly clientId?: string
  readonly secret?: string
  readonly deadlineMs?: number
  readonly bytesMax?: number
}

export function directory(url: URL, part: Part = {}) {
  const settings: EntraSettings = {
    tenant: part.tenant ?? tenantId,
    graph: url,
    login: url,
    scope: 'https://graph.microsoft.com/.default',
    client: { id: part.clientId ?? clientId, secret: async () => part.secret ?? secret, authentication: 'client_secret_post' },
    groups: { name: 'id', cloudDisplayName: false, types: 'security', ...part.groups },
    ...(part.people && { people: part.people }),
    limits: { pageSize: 5, groupsMax: 1_000, checkTotal: true, attemptsMax: 3, ...part.limits },
  }
  const { deadlineMs = 2_000, bytesMax = 100_000 } = part
  return entra(settings, httpEnvironment({ deadlineMs, bytesMax }))
}

export async function reading(tenant: Tenant, fault: Fault = never, part: Part = {}) {
  return readWith(tenant, () => fault, part)
}

/** Reads a tenant whose faults change the server itself. */
export async function readWith(tenant: Tenant, faultOf: (server: () => EntraStandIn) => Fault, part: Part = {}) {
  let opened: EntraStandIn | undefined
  const fault = faultOf(() => {
    if (opened === undefined) throw new Error('the server is not open')
    return opened
  })
  await using server = await entraStandIn(tenant, fault)
  opened = server
  const result = await directory(server.url, part).read(AbortSignal.timeout(20_000))
  expect(JSON.stringify(result)).not.toContain(secret)
  expect(JSON.stringify(result)).not.toMatch(/token-\d/)
  const value = result.status === 'failed' ? (new Map() as GroupIndex) : result.value
  return { result, value, names: [...value.keys()] as string[], asked: server.asked, requests: server.requests }
}
export const never: Fault = () => false

/** Answers the first `times` requests of a key. */
export const first =
  (key: string, times: number, answer: (response: Parameters<Fault>[2], url: URL) => unknown): Fault =>
  (asked, nth, response, url) => {
    if (asked !== key || nth > times) return false
    answer(response, url)
    return true
  }
export const always = Number.POSITIVE_INFINITY
