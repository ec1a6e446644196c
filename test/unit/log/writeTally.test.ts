import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Change } from '../../../src/core/change.ts'
import { type Hold, holdFor } from '../../../src/core/hold.ts'
import type { WorkspaceName } from '../../../src/core/mapping.ts'
import type { Outcome } from '../../../src/core/outcome.ts'
import type { Plan } from '../../../src/core/plan.ts'
import type { WritingStep } from '../../../src/cycle/apply.ts'
import { openWriteTally } from '../../../src/log/writeTally.ts'
import { holds } from '../properties/runs.ts'
import { create, patch } from '../render/sample.ts'

const [acme, globex] = ['acme', 'globex'] as readonly string[] as readonly [WorkspaceName, WorkspaceName]
const all = [patch('ENG', 'a', 'guest', 'member'), ...['b', 'c', 'd'].map((group) => create('ENG', group, 'member'))] as const
const [a, b, c, d] = all as unknown as readonly [Change, Change, Change, Change]

const waits = (change: Change, untilMs = 60_000): Hold => ({ ...holdFor(change, { kind: 'quarantined', since: 'startUp' }), untilMs })
const begins = (changes: readonly Change[], planHolds: readonly Hold[] = []): WritingStep => ({
  kind: 'begins',
  plan: {
    workspace: acme,
    changes,
    holds: planHolds,
    findings: [],
    later: [],
    laterUntilMs: 0,
    unchanged: 0,
    owned: {},
    administrators: 0,
    fingerprint: '',
  } satisfies Plan,
})
const outcomes: Readonly<Record<Outcome['kind'], Outcome>> = {
  done: { kind: 'done' },
  unknown: { kind: 'unknown', why: 'no answer', lastByteMs: 0 },
  refused: { kind: 'refused', status: 400, code: 'rejected', sentence: 'no' },
  notSent: { kind: 'notSent', why: 'refused' },
}
const tried = (change: Change, kind: Outcome['kind'] = 'done'): WritingStep => ({
  kind: 'tried',
  result: { change, outcome: outcomes[kind] },
})

function tallied(...steps: readonly (readonly [WorkspaceName, WritingStep])[]) {
  const tally = openWriteTally()
  for (const step of steps) tally.add(...step)
  return tally
}

describe('the changes of an apply', () => {
  test('are those of all workspaces together', () => {
    const tally = tallied([acme, begins([a, b])], [globex, begins([c])], [acme, tried(a)])
    expect(tally.counts()).toEqual({ written: 1, total: 3, workspaces: 2, unknown: 0, refused: 0, notSent: 0 })
    expect(tally.remaining().map(({ now }) => now)).toEqual([[b], [c]])
  })

  test('only a change that the service confirmed counts as written', () => {
    const tally = tallied(
      [acme, begins(all)],
      [acme, tried(a, 'unknown')],
      [acme, tried(b, 'refused')],
      [acme, tried(c, 'notSent')],
      [acme, tried(d)],
    )
    expect(tally.counts()).toMatchObject({ written: 1, total: 4, unknown: 1, refused: 1, notSent: 1 })
    expect(tally.remaining()).toMatchObject([{ now: [], waiting: [], hasCreated: true }])
  })

  test('those in quarantine belong to the total, and a further round goes on counting', () => {
    const tally = tallied([acme, begins([a], [waits(b), waits(c, 90_000)])], [acme, tried(a)], [acme, { kind: 'ends' }])
    expect(tally.counts()).toMatchObject({ written: 1, total: 3 })
    expect(tally.remaining()).toMatchObject([{ now: [], waiting: [b, c], untilMs: 90_000 }])
    tally.add(acme, begins([b, c]))
    tally.add(acme, tried(b))
    expect(tally.counts()).toMatchObject({ written: 2, total: 3 })
    expect(tally.remaining()).toMatchObject([{ now: [c], waiting: [] }])
  })

  test('a change that the plan of a further round no longer has is not left', () => {
    const tally = tallied([acme, begins([], [waits(a), waits(b)])], [acme, { kind: 'ends' }], [acme, begins([b])])
    expect(tally.counts()).toMatchObject({ total: 2 })
    expect(tally.remaining()).toMatchObject([{ now: [b], waiting: [] }])
  })

  test('a change that waits for a person does not', () => {
    const tally = tallied([acme, begins([a], [holdFor(b, { kind: 'suspended', what: 'all' })])])
    expect(tally.counts()).toMatchObject({ total: 1 })
  })

  test('a workspace that ended early has nothing left to write', () => {
    const tally = tallied([acme, begins([a, b])], [acme, tried(a, 'refused')], [acme, { kind: 'ends' }])
    expect(tally.counts()).toMatchObject({ written: 0, total: 2, refused: 1 })
    expect(tally.remaining()).toMatchObject([{ now: [] }])
  })

  test('a change that the gate stops at the last moment is not left', () => {
    const held = tallied(
      [acme, begins([a, b])],
      [acme, { kind: 'held', hold: waits(b) }],
      [acme, { kind: 'held', hold: holdFor(a, { kind: 'requires', key: b.key }) }],
    )
    expect(held.remaining()).toMatchObject([{ now: [], waiting: [b] }])
  })

  const changes = fc.subarray([...all])
  const steps = fc.array(
    fc.tuple(
      fc.constantFrom(acme, globex),
      fc.oneof(
        fc.tuple(changes, changes).map(([now, later]) =>
          begins(
            now,
            later.map((one) => waits(one)),
          ),
        ),
        fc.tuple(fc.constantFrom(...all), fc.constantFrom(...Object.values(outcomes).map(({ kind }) => kind))).map((one) => tried(...one)),
        fc.constantFrom(...all).map((change): WritingStep => ({ kind: 'held', hold: waits(change) })),
        fc.constant<WritingStep>({ kind: 'ends' }),
      ),
    ),
  )
  holds(
    'the counts never go back, and no more is written than there is',
    500,
    fc.property(steps, (every) => {
      const tally = openWriteTally()
      let before = tally.counts()
      for (const step of every) {
        tally.add(...step)
        const { written, total, unknown, refused, notSent } = tally.counts()
        expect(written).toBeGreaterThanOrEqual(before.written)
        expect(total).toBeGreaterThanOrEqual(before.total)
        const left = tally.remaining().reduce((sum, { now, waiting }) => sum + now.length + waiting.length, 0)
        expect(written + unknown + refused + notSent + left).toBeLessThanOrEqual(total)
        before = tally.counts()
      }
    }),
  )
})
