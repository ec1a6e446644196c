import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import type { ChangeId, MappingChangeBody } from '../../src/core/change.ts'
import type { Clock } from '../../src/core/clock.ts'
import {
  type GroupName,
  keyOf,
  type MappingId,
  type ProjectIdentifier,
  type Role,
  type Target,
  type WorkspaceName,
} from '../../src/core/mapping.ts'
import { connectOrigin, type Origin, type OriginOptions } from '../../src/http/origin.ts'
import type { Observation } from '../../src/plane/call.ts'
import { connectPlane, type PlaneOptions } from '../../src/plane/client.ts'
import { apiKey, type Credential } from '../../src/plane/credential.ts'
import type { BudgetSettings } from '../../src/plane/rate/budget.ts'
import { openQueue, type QueueOptions } from '../../src/plane/rate/queue.ts'
import { usualRetries } from '../../src/plane/rate/retry.ts'

export const never = new AbortController().signal
export const acme = { name: 'acme' as WorkspaceName, slug: 'acme' }
export const realClock: Clock = {
  now: () => Date.now(),
  wall: () => Date.now(),
  sleep: async (ms, signal) => {
    await sleep(ms, undefined, { signal })
  },
}

export type ClientOptions = {
  readonly credential?: Credential | ((origin: Origin) => Credential)
  readonly origin?: Partial<OriginOptions>
  readonly budget?: Partial<BudgetSettings>
  readonly plane?: Partial<PlaneOptions>
  readonly slug?: string
  readonly queue?: Partial<Pick<QueueOptions, 'lengthMax' | 'inFlightMax' | 'circuit'>>
}

/** The client as the program composes it, with short pauses. */
export function client(url: URL | string, options: ClientOptions = {}) {
  const origin = connectOrigin(new URL(url), {
    deadlineMs: 5_000,
    bytesMax: 20_000_000,
    idleMs: 1_000,
    connections: 4,
    now: Date.now,
    ...options.origin,
  })
  onTestFinished(() => origin.close())
  const budget = { requests: 1_000, windowMs: 60_000, reserve: 0, blockedMaxMs: 60_000, ...options.budget }
  const queue = openQueue({ budget, clock: realClock, random: Math.random, lengthMax: 10_000, inFlightMax: 4, ...options.queue })
  const observed: Observation[] = []
  const { credential = apiKey('default', async () => 'sandbox-key') } = options
  const plane = connectPlane({
    origin,
    credential: typeof credential === 'function' ? credential(origin) : credential,
    queue,
    clock: realClock,
    random: () => 0.5,
    retries: { ...usualRetries, pauseMs: 5, pauseMaxMs: 20 },
    observe: (one) => observed.push(one),
    ...options.plane,
  })
  const workspace = { ...acme, slug: options.slug ?? 'acme' }
  return { plane, queue, observed, reader: plane.reader(workspace), writer: plane.writer(workspace) }
}

export const everywhere: Target = { kind: 'workspace' }
export const inProject = (project: string): Target => ({ kind: 'project', project: project as ProjectIdentifier })

type Doing =
  | { readonly action: 'create'; readonly role: string }
  | { readonly action: 'patch'; readonly mapping: string; readonly role: string }
  | { readonly action: 'rename'; readonly mapping: string; readonly fromGroup: string; readonly role?: string }
  | { readonly action: 'delete'; readonly mapping: string }

/** A change as in a plan. */
export function change(group: string, target: Target, doing: Doing) {
  const common = {
    id: 'c1' as ChangeId,
    requires: [],
    key: keyOf(acme.name, target, group as GroupName),
    group: group as GroupName,
    target,
  }
  const before = 'guest' as Role
  switch (doing.action) {
    case 'create':
      return { ...common, action: 'create', role: doing.role as Role } satisfies MappingChangeBody & object
    case 'patch':
      return {
        ...common,
        action: 'patch',
        mapping: doing.mapping as MappingId,
        before,
        role: doing.role as Role,
      } satisfies MappingChangeBody & object
    case 'rename': {
      const fromGroup = doing.fromGroup as GroupName
      const role = (doing.role ?? 'guest') as Role
      return {
        ...common,
        action: 'rename',
        mapping: doing.mapping as MappingId,
        from: keyOf(acme.name, target, fromGroup),
        fromGroup,
        before,
        role,
      } satisfies MappingChangeBody & object
    }
    case 'delete':
      return { ...common, action: 'delete', mapping: doing.mapping as MappingId, before, why: 'removed' } satisfies MappingChangeBody &
        object
    default:
      return doing satisfies never
  }
}

/** A change of the workspace's own settings. */
export const settingsChange = (after: object) => ({
  action: 'settings' as const,
  id: 'c1' as ChangeId,
  requires: [],
  key: 'acme/settings' as ReturnType<typeof keyOf>,
  before: {},
  after,
})
