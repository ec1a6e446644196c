import { describe, expect, test } from 'vitest'
import type { Outcome } from '../../../src/core/outcome.ts'
import type { Applied } from '../../../src/core/report.ts'
import { byUrgency, urgentEntries } from '../../../src/render/urgent.ts'
import type { FailedView, View } from '../../../src/render/view.ts'
import { about, create, held, inSet, nowMs, settings, sixDeletes, unsure, view } from './sample.ts'

const calm = create('ENG', 'devs', 'guest')
const grant = create('ENG', 'leads', 'admin')
const nothing: Applied = { results: [], holds: [], left: [] }
const no: Outcome = { kind: 'refused', status: 400, code: 'rejected', sentence: 'No.' }
const unknown: Outcome = { kind: 'unknown', why: 'cut', lastByteMs: nowMs }
const otherValues: Outcome = { kind: 'done', answered: { autoRemove: false } }
const applied = (more: Partial<Applied>, parts: Parameters<typeof view>[0] = {}) =>
  view({ ...parts, holds: [...(parts.holds ?? []), ...(more.holds ?? [])] }, { applied: { ...nothing, ...more } })

describe('a workspace comes first', () => {
  test.each<[string, View | FailedView]>([
    ['that failed', { about, failed: 'no key' }],
    ['whose plan moved', view({}, { moved: true })],
    ['in which a set of changes waits', view({ holds: inSet([calm], sixDeletes) })],
    ['that writes a protected role', view({ changes: [calm, grant] })],
    ['in which something needs approval', view({ holds: [held(calm, { kind: 'approval', why: 'protectedGroup' })] })],
    ['in which a protected grant is held', view({ holds: [held(grant, { kind: 'suspended', what: 'all' })] })],
    ['in which a protected grant was held meanwhile', applied({ holds: [held(grant, { kind: 'suspended', what: 'all' })] })],
    ['in which a protected grant was not tried', applied({ left: [calm, grant] })],
    ['in which a protected grant was written', applied({ results: [{ change: grant, outcome: { kind: 'done' } }] })],
    [
      'in which a write was refused',
      applied({
        results: [
          { change: calm, outcome: { kind: 'done' } },
          { change: calm, outcome: no },
        ],
      }),
    ],
    ['in which settings were stored with other values', applied({ results: [{ change: settings, outcome: otherValues }] })],
    ['in which the outcome of a write is unknown', applied({ results: [{ change: calm, outcome: unknown }] })],
  ])('%s', (_which, urgent) => {
    const other = view()
    expect(byUrgency([other, urgent])).toEqual({ urgent: [urgent], others: [other] })
  })
  test.each<[string, View]>([
    ['in which there is nothing to do', view()],
    ['that writes other roles', view({ changes: [calm] })],
    ['in which something is held', view({ holds: [held(calm, { kind: 'suspended', what: 'all' })] })],
    ['in which a key cannot be judged', view({ holds: [unsure('ENG', 'x', { kind: 'readingIncomplete', of: 'corp', why: 'no' })] })],
    [
      'in which all was written, held or left',
      applied({
        results: [{ change: calm, outcome: { kind: 'done' } }],
        holds: [held(calm, { kind: 'suspended', what: 'all' })],
        left: [calm],
      }),
    ],
  ])('and not one %s', (_which, other) => {
    expect(byUrgency([other])).toEqual({ urgent: [], others: [other] })
  })
  test('of none there is none', () => {
    expect(byUrgency([])).toEqual({ urgent: [], others: [] })
  })
})

describe('what may not be left out', () => {
  const entries = (of: View) => urgentEntries(of).map(({ parts, label }) => `${parts.who}: ${label}`)
  const approval = { kind: 'approval', why: 'protectedRole' } as const
  const suspended = { kind: 'suspended', what: 'all' } as const
  const named = (group: string, role: string) => create('ENG', group, role)
  const plan = {
    changes: [named('writes', 'admin'), calm],
    holds: [held(named('waits', 'admin'), approval), held(named('held', 'admin'), suspended), held(named('guest', 'guest'), suspended)],
  }
  test('of a plan: what waits for approval, and protected grants', () => {
    expect(entries(view(plan))).toEqual(['waits: needs approval: protected role', 'writes: will be applied', 'held: held'])
  })
  test('of a plan that is not written', () => {
    expect(entries(view(plan, { moved: true }))).toEqual([
      'waits: needs approval: protected role',
      'writes: would be applied',
      'held: held',
    ])
    expect(entries(view({ holds: inSet([named('in-set', 'guest')], sixDeletes) }))).toEqual(['in-set: needs approval: above a limit'])
  })
  test('of an apply: settings that Plane stored with other values', () => {
    const results: Applied['results'] = [
      { change: calm, outcome: { kind: 'done' } },
      { change: settings, outcome: otherValues },
    ]
    expect(urgentEntries(applied({ results })).map(({ label }) => label)).toEqual(['written otherwise than sent'])
  })
  test('of an apply: what did not come about as well, by what came of it', () => {
    const results = [
      { change: named('written', 'admin'), outcome: { kind: 'done' } },
      { change: named('written-guest', 'guest'), outcome: { kind: 'done' } },
      { change: named('refused', 'guest'), outcome: no },
      { change: named('unknown', 'guest'), outcome: unknown },
    ] as const
    const holds = [held(named('meanwhile', 'admin'), suspended), held(named('meanwhile-guest', 'guest'), suspended)]
    const left = [named('left', 'admin'), named('left-guest', 'guest')]
    expect(entries(applied({ results, holds, left }, plan))).toEqual([
      'written: written',
      'refused: refused by the service',
      'unknown: outcome unknown',
      'waits: needs approval: protected role',
      'meanwhile: held meanwhile',
      'held: held',
      'left: not tried',
    ])
  })
})
