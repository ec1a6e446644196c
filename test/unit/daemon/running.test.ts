import { expect, test } from 'vitest'
import type { WorkspaceName } from '../../../src/core/mapping.ts'
import type { Plan } from '../../../src/core/plan.ts'
import { openRunning } from '../../../src/daemon/running.ts'
import { emptyBudget, view } from '../../../src/plane/rate/budget.ts'
import { create } from '../render/sample.ts'

const acme = 'acme' as WorkspaceName
const changes = ['a', 'b', 'c', 'd'].map((group) => create('ENG', group, 'member'))
const plan = { workspace: acme, changes, holds: [] } as unknown as Plan

type Facts = { readonly length: number; readonly waitMs: number; readonly open?: boolean; readonly status?: number }

function world(queues: Readonly<Record<string, Facts>> = {}) {
  const budget = view(emptyBudget({ requests: 2, windowMs: 60_000, reserve: 0, blockedMaxMs: 900_000 }), 0)
  return openRunning({
    now: () => 0,
    queues: () =>
      new Map(
        Object.entries(queues).map(([name, { open = false, status, ...own }]) => {
          const asked = status === undefined ? undefined : { sinceMs: 0, untilMs: own.waitMs, status, text: '', cure: '' }
          return [name, { view: () => ({ ...budget, used: 2, ...own, asked, circuit: { open } }) }]
        }),
      ),
    work: (_, { length }) => ({ changes: length, reads: 0, sliceChanges: 100, budget, credential: 'default' }),
  })
}

test('a daemon has something to tell only while a cycle runs, and each cycle begins anew', () => {
  const cycle = world()
  expect(cycle.running()).toBeUndefined()
  cycle.step(acme, { kind: 'begins', plan })
  cycle.began(1_000)
  expect(cycle.running()).toEqual({ began: '1970-01-01T00:00:01.000Z', workspaces: { ended: 0, of: 0 }, written: 0, of: 0, waitMs: 0 })
  cycle.workspaces(2, 5)
  cycle.step(acme, { kind: 'begins', plan })
  const [change] = changes as [(typeof changes)[number]]
  cycle.step(acme, { kind: 'tried', result: { change, outcome: { kind: 'done' } } })
  expect(cycle.running()).toMatchObject({ workspaces: { ended: 2, of: 5 }, written: 1, of: 4 })
  expect(cycle.running()?.leftMs).toBeGreaterThan(0)
  cycle.ended()
  expect(cycle.running()).toBeUndefined()
  cycle.began(Number.MAX_VALUE)
  expect(cycle.running()?.began).toBe('9999-12-31T23:59:59.999Z')
  cycle.began(2_000)
  expect(cycle.running()).toMatchObject({ workspaces: { ended: 0, of: 0 }, written: 0, of: 0 })
})

test('the wait is the longest of the requests that wait', () => {
  const cycle = world({ one: { length: 1, waitMs: 4_000.4 }, two: { length: 3, waitMs: 9_000 }, idle: { length: 0, waitMs: 60_000 } })
  cycle.began(0)
  expect(cycle.running()).toMatchObject({ waitMs: 9_000, waitWhy: 'rate limit of "two": 2 of 2 are used' })
})

test('a wait that Plane asked for has its status as the reason', () => {
  const cycle = world({ one: { length: 1, waitMs: 50_000, status: 429 } })
  cycle.began(0)
  expect(cycle.running()).toMatchObject({ waitMs: 50_000, waitWhy: 'Plane answered 429' })
})

test('a service that does not answer leaves no estimate', () => {
  const cycle = world({ one: { length: 1, waitMs: 4_000, open: true } })
  cycle.began(0)
  cycle.step(acme, { kind: 'begins', plan })
  expect(cycle.running()).not.toHaveProperty('leftMs')
})
