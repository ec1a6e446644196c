import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { withReadingDeadline } from '../../src/compose/directory.ts'
import type { GroupIndex } from '../../src/core/group.ts'
import { type ScimSettings, scim } from '../../src/directories/scim/read.ts'
import { httpEnvironment } from './standIns/httpEnvironment.ts'
import { type ScimFault, type ScimGroup, type ScimOddities, scimToken, standInScim } from './standIns/scim.ts'

export type ScimPart = {
  readonly groups?: Partial<ScimSettings['groups']>
  readonly limits?: Partial<ScimSettings['limits']>
  readonly credential?: (origin: string) => ScimSettings['credential']
  readonly oddities?: ScimOddities
  readonly signal?: AbortSignal
  readonly requestMs?: number
  readonly readingMs?: number
  readonly bytesMax?: number
}

export const clientSecret = 'the-secret-of-the-client'
export const issuerClient = (origin: string): ScimSettings['credential'] => ({
  client: { id: 'reader', secret: async () => clientSecret },
  server: { issuer: new URL(`${origin}/id`) },
  scopes: [],
})

/** Groups whose ids are `id-0`, `id-1` … and whose names are `g0`, `g1` … */
export const scimGroups = (count: number, from = 0): readonly ScimGroup[] =>
  Array.from({ length: count }, (_, n) => ({ id: `id-${from + n}`, displayName: `g${from + n}`, externalId: `x${from + n}` }))

/** Reads a stand-in with these groups, ten in a page, within `readingMs`. `waits`: the times that the reader waited, in ms. */
export async function scimReading(groups: readonly ScimGroup[], fault?: ScimFault, part: ScimPart = {}) {
  await using server = await standInScim(groups, fault, part.oddities)
  const { requestMs = 2_000, readingMs = 5_000, bytesMax = 200_000 } = part
  const waits: number[] = []
  const settings: ScimSettings = {
    url: server.url,
    credential: part.credential?.(server.url.origin) ?? { token: async () => scimToken },
    allowPlaintext: false,
    groups: { name: 'displayName', ...part.groups },
    limits: { pageSize: 10, groupsMax: 1_000, attemptsMax: 3, requestsMax: 200, ...part.limits },
  }
  const reader = scim(
    settings,
    httpEnvironment(
      { deadlineMs: requestMs, bytesMax },
      {
        wait: async (ms, signal) => {
          waits.push(ms)
          await sleep(1, undefined, { signal })
        },
      },
    ),
  )
  const read = withReadingDeadline(reader.read, { ms: readingMs, setting: 'directories.corp.readingTimeout' }, Date.now)
  const begun = Date.now()
  const result = await read(part.signal ?? new AbortController().signal)
  expect(Date.now() - begun).toBeLessThan(readingMs + 1_000)
  for (const secret of [scimToken, clientSecret]) expect(JSON.stringify(result)).not.toContain(secret)
  const value: GroupIndex = result.status === 'failed' ? new Map() : result.value
  const asked = server.requests.filter(({ key }) => key === 'groups')
  return { result, names: [...value.keys()], value, asked, requests: server.requests, waits }
}
