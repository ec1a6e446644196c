import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { withReadingDeadline } from '../../../src/compose/directory.ts'
import type { Group, GroupIndex } from '../../../src/core/group.ts'
import { type OktaSettings, okta } from '../../../src/directories/okta/read.ts'
import { connectOrigin } from '../../../src/http/origin.ts'
import { everyone, group, type OktaFault, type OktaGroup, type OktaStandIn, oktaStandIn, privateKey, serviceApp } from './okta.ts'

export const apiToken = '00QCjAl4MlV-a-secret-token'

/** Seven groups: three pages of three. */
export const usual: readonly OktaGroup[] = [everyone, ...['a', 'b', 'c', 'd', 'e', 'f'].map((name) => group(`00g1${name}`, name))]
export const usualNames = ['Everyone', 'a', 'b', 'c', 'd', 'e', 'f']

type Options = {
  readonly groups?: readonly OktaGroup[]
  readonly fault?: OktaFault
  readonly settings?: Partial<OktaSettings>
  readonly organization?: Partial<Parameters<typeof oktaStandIn>[0]>
  readonly deadlineMs?: number
  readonly readingTimeoutMs?: number
  readonly bytesMax?: number
  /** Reads so many times with the same reader; the last reading counts. */
  readonly times?: number
  readonly between?: (server: OktaStandIn) => void
}

/** A clock that moves by itself only a little, and by each wait. */
export function movingClock() {
  let waitedMs = 0
  const waits: number[] = []
  const now = () => Date.now() + waitedMs
  async function wait(ms: number, signal: AbortSignal): Promise<void> {
    waits.push(ms)
    waitedMs += ms
    await sleep(1, undefined, { signal })
  }
  return { now, waits, clock: { now, wait } }
}

type ReaderOptions = { readonly settings: Partial<OktaSettings>; readonly deadlineMs: number; readonly bytesMax: number }

/** A reader of this stand-in. `seen`: what must appear in no text. */
export function readerOf(
  server: OktaStandIn,
  { settings, deadlineMs, bytesMax }: ReaderOptions,
  { now, wait }: ReturnType<typeof movingClock>['clock'],
) {
  const seen: string[] = []
  const reader = okta(
    {
      url: server.url,
      credential: { client: { id: serviceApp, privateKey: { key: async () => privateKey } } },
      groups: { types: ['OKTA_GROUP', 'APP_GROUP', 'BUILT_IN'], name: 'name' },
      reserve: 0,
      limits: { pageSize: 3, groupsMax: 1_000, attemptsMax: 3 },
      ...settings,
    },
    {
      connect: (url) => connectOrigin(url, { deadlineMs, bytesMax, idleMs: 1_000, connections: 4, now }),
      secretSeen: (secret) => void seen.push(secret),
      now,
      wall: now,
      wait,
      random: () => 0,
    },
  )
  return { reader, seen }
}

/** Reads a stand-in for Okta over real sockets. The clock of both moves by itself only a little, and by each wait of the reader. */
export async function reading({
  groups = usual,
  fault,
  settings = {},
  organization = {},
  deadlineMs = 2_000,
  readingTimeoutMs = 90_000,
  bytesMax = 100_000,
  times = 1,
  between,
}: Options = {}) {
  const { now, waits, clock } = movingClock()
  await using server = await oktaStandIn({ groups, ...(fault === undefined ? {} : { fault }), now, ...organization })
  const { reader, seen } = readerOf(server, { settings, deadlineMs, bytesMax }, clock)
  const read = withReadingDeadline(
    (signal, deadline) => reader.read(signal, deadline),
    { ms: readingTimeoutMs, setting: 'directories.corp.readingTimeout' },
    now,
  )
  const beganMs = Date.now()
  for (let i = 1; i < times; i++) {
    await read(AbortSignal.timeout(20_000))
    between?.(server)
  }
  const result = await read(AbortSignal.timeout(20_000))
  expect(Date.now() - beganMs, 'no reading takes longer than readingTimeout').toBeLessThan(times * (readingTimeoutMs + 1_000))
  for (const secret of [apiToken, ...seen]) expect(JSON.stringify(result)).not.toContain(secret)
  const value: GroupIndex = result.status === 'failed' ? new Map() : result.value
  const found: readonly Group[] = [...value.values()].flat()
  const names = found.map(({ name }) => String(name)).toSorted()
  return { result, found, names, asked: server.asked, requests: server.requests, waits, seen }
}
