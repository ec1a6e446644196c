import { expect } from 'vitest'
import type { GroupIndex } from '../../../src/core/group.ts'
import { type GoogleAccount, type GoogleSettings, google } from '../../../src/directories/google/read.ts'
import type { DirectoryReader } from '../../../src/directories/overHttp/reader.ts'
import { type Fault, type GoogleGroup, type GoogleStandIn, googleStandIn } from './google.ts'
import { keyFile, provider, reader, type Tenant, workloadJwt } from './googleTokens.ts'
import { httpEnvironment } from './httpEnvironment.ts'

export const named = (count: number): GoogleGroup[] =>
  Array.from({ length: count }, (_, n) => {
    const number = `${n}`.padStart(4, '0')
    return { id: `id-${number}`, email: `g${number}@example.com`, name: `Group ${number}` }
  })

export const accounts = {
  key: { key: async () => keyFile() },
  delegated: { key: async () => keyFile(), subject: 'admin@example.com' },
  federated: { workloadIdentity: { provider, serviceAccount: reader, jwt: async () => workloadJwt() } },
  federatedDelegated: {
    workloadIdentity: { provider, serviceAccount: reader, jwt: async () => workloadJwt() },
    subject: 'admin@example.com',
  },
  token: { token: async () => 'static-token' },
} as const satisfies Record<string, GoogleAccount>

export type Part = {
  readonly tenant?: Tenant
  readonly account?: GoogleAccount
  readonly settings?: Partial<GoogleSettings>
  readonly limits?: Partial<GoogleSettings['limits']>
  readonly signal?: AbortSignal
  readonly deadlineMs?: number
  readonly bytesMax?: number
  readonly leftMs?: number
}

export type World = {
  readonly server: GoogleStandIn
  readonly reader: DirectoryReader
  readonly secrets: ReadonlySet<string>
  /** How far the steady clock and the machine's clock are ahead of the clock of the server. */
  readonly clock: { aheadMs: number; wallAheadMs: number }
}

/** A reader of this stand-in. Its waits take a millisecond. `secrets`: what must appear in no text. */
export function worldOf(server: GoogleStandIn, part: Part = {}): World {
  const { url } = server
  const { deadlineMs = 2_000, bytesMax = 1_000_000 } = part
  const secrets = new Set<string>()
  const settings: GoogleSettings = {
    url,
    tokenUrl: new URL('/token', url),
    stsUrl: new URL('/v1/token', url),
    iamUrl: url,
    asked: { customer: 'my_customer' },
    account: part.account ?? accounts.key,
    name: 'name',
    ...part.settings,
    limits: { pageSize: 5, groupsMax: 1_000, attemptsMax: 3, ...part.limits },
  }
  const clock = { aheadMs: 0, wallAheadMs: 0 }
  return {
    server,
    secrets,
    clock,
    reader: google(
      settings,
      httpEnvironment(
        { deadlineMs, bytesMax },
        {
          secretSeen: (secret) => void secrets.add(secret),
          now: () => Date.now() + clock.aheadMs,
          wall: () => Date.now() + clock.wallAheadMs,
        },
      ),
    ),
  }
}

/** One reading of a stand-in with these groups. No secret may be in its texts. */
export async function reading(groups: readonly GoogleGroup[], fault?: Fault, part: Part = {}) {
  await using server = await googleStandIn(groups, part.tenant, fault)
  const world = worldOf(server, part)
  const deadline = part.leftMs === undefined ? undefined : { leftMs: () => part.leftMs as number }
  const result = await world.reader.read(part.signal ?? AbortSignal.timeout(20_000), deadline)
  showsNone(result, world)
  const value: GroupIndex = result.status === 'failed' ? new Map() : result.value
  return { result, value, total: [...value.values()].flat().length, asked: server.asked, requests: server.requests }
}

export function showsNone(result: unknown, { secrets }: World): void {
  for (const secret of secrets) expect(JSON.stringify(result)).not.toContain(secret)
}
