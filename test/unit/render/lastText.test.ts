import { describe, expect, test } from 'vitest'
import type { Change } from '../../../src/core/change.ts'
import { type LastDocument, lastSchema } from '../../../src/documents/last.ts'
import { firstSeenIn } from '../../../src/render/firstSeen.ts'
import { hasPlan } from '../../../src/render/hasPlan.ts'
import { lastText } from '../../../src/render/lastText.ts'
import { approvals, failedView, last, overLimit, quietView, waiting } from './lastParts.ts'
import { at, create, held, inSet, nowMs, sixDeletes, unsure, view } from './sample.ts'

const everything = last(
  [
    [waiting, 'incomplete'],
    [overLimit, 'waiting'],
    [failedView, 'failed'],
    [quietView('beta'), 'success'],
  ],
  { approvals },
)
const large = 16 * 1024 * 1024
const readBack = (text: string) => lastSchema.parse(JSON.parse(text))

describe('the text of the last cycle', () => {
  test('is one line that its schema accepts, with everything', () => {
    const text = lastText(everything, large)
    expect(text).not.toContain('\n')
    expect(readBack(text)).toEqual(JSON.parse(JSON.stringify(everything)))
  })

  test('leaves out the least dangerous rows first, and counts them', () => {
    const approval = held(create('ENG', 'zz', 'admin'), { kind: 'approval', why: 'protectedRole' })
    const undeclared = Array.from({ length: 100 }, (_, n) => unsure('ENG', `ä${n}`, { kind: 'undeclared', policy: 'upsert-only' }))
    const unknown = Array.from({ length: 100 }, (_, n) =>
      unsure('OPS', `g${n}`, { kind: 'groupUnknown', directories: ['corp'], mapped: false }, at('a:1')),
    )
    const document = last([[view({ holds: [...undeclared, ...unknown, approval] }), 'success']])
    const bytes = Buffer.byteLength(lastText(document, large))
    expect(readBack(lastText(document, bytes + 1)).workspaces[0]).not.toHaveProperty('leftOut')
    for (const share of [0.95, 0.6, 0.2]) {
      const text = lastText(document, Math.floor(bytes * share))
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bytes * share)
      expect(Buffer.byteLength(text)).toBeGreaterThan(bytes * share * 0.9)
      const [one] = readBack(text).workspaces
      if (one === undefined || !hasPlan(one)) throw new Error('no plan')
      const kinds = Map.groupBy(one.plan.holds, ({ reason }) => reason.kind)
      expect(kinds.get('approval')).toHaveLength(1)
      expect(one.leftOut?.holds).toBe(201 - one.plan.holds.length)
      // No undeclared mapping is shown while an unknown group is not.
      if (kinds.has('undeclared')) expect(kinds.get('groupUnknown')).toHaveLength(100)
    }
  })

  test('leaves out workspaces with success, if there is no room for all', () => {
    const quiet = Array.from({ length: 50 }, (_, n) => [quietView(`w${n}`), 'success'] as const)
    const document = last([...quiet, [overLimit, 'waiting']])
    const whole = Buffer.byteLength(lastText(document, large))
    const text = lastText(document, whole / 2)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(whole / 2)
    const { workspaces, leftOut } = readBack(text)
    expect(workspaces.map(({ plan }) => plan.workspace)).toContain('shop')
    expect(leftOut).toBe(51 - workspaces.length)
    expect(leftOut).toBeGreaterThan(20)
  })
})

describe('rows are left out in the order of their danger', () => {
  // Holds stand in the order of their groups, so the names of the less dangerous ones come first: of rows with one danger the last would go first.
  /** The rows that are gone, from the first that is left out on, each by its text. Texts of one moment are together. */
  function goneIn(document: LastDocument, texts: readonly string[]): readonly string[] {
    const whole = Buffer.byteLength(lastText(document, large))
    const gone: string[] = []
    for (let bytes = whole; bytes > 1_000 && gone.length < texts.length; bytes -= 20) {
      const text = lastText(document, bytes)
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bytes)
      gone.push(...texts.filter((one) => !gone.includes(one) && !text.includes(one)))
    }
    return gone
  }
  // The numbers of what is left out need room, too, so short rows would go at the same time.
  const long = 'x'.repeat(200)
  const suspended = { kind: 'suspended', what: 'all' } as const
  const readingOf = (would: string, group: string) =>
    ({ ...unsure('ENG', group, { kind: 'readingIncomplete', of: 'corp', why: 'partial' }), would: { action: would } }) as ReturnType<
      typeof unsure
    >
  const finding = (severity: 'error' | 'warning' | 'info') =>
    ({ code: `code-${severity}`, severity, place: 'a.yaml:1', sentence: long }) as never

  test('of a plan that waits', () => {
    const parts = {
      changes: [create('ENG', 'plain-change', 'guest'), create('ENG', 'protected-change', 'admin')],
      findings: [finding('info'), finding('warning')],
      holds: [
        unsure('ENG', 'a-undeclared-hold', { kind: 'undeclared', policy: 'upsert-only' }),
        unsure('ENG', 'b-unknown-hold', { kind: 'groupUnknown', directories: ['corp'], mapped: false }),
        ...inSet([create('ENG', 'c-set-hold', 'guest')], sixDeletes),
        held(create('ENG', 'd-approval-hold', 'admin'), { kind: 'approval', why: 'protectedRole' }),
      ],
    }
    const order = [
      ...['a-undeclared-hold', 'code-info', 'plain-change', 'code-warning', 'b-unknown-hold', 'protected-change'],
      ...['c-set-hold', 'd-approval-hold'],
    ]
    expect(goneIn(last([[view(parts), 'incomplete']]), [...order].toReversed())).toEqual(order)
  })

  test('of mappings that stay, and of changes that are held', () => {
    const holds = [
      readingOf('keep', 'a-kept-hold'),
      unsure('ENG', 'b-unknown-hold', { kind: 'groupUnknown', directories: ['corp'], mapped: false }),
      held(create('ENG', 'c-held-change', 'guest'), suspended),
      held(create('ENG', 'd-held-admin', 'admin'), suspended),
    ]
    const order = ['a-kept-hold', 'b-unknown-hold', 'c-held-change', 'd-held-admin']
    expect(goneIn(last([[view({ holds }), 'incomplete']]), [...order].toReversed())).toEqual(order)
    const unread = [readingOf('unknown', 'a-unread-hold'), ...holds.slice(1)]
    expect(goneIn(last([[view({ holds: unread }), 'incomplete']]), ['b-unknown-hold', 'a-unread-hold'])).toEqual([
      'a-unread-hold',
      'b-unknown-hold',
    ])
  })

  test('of what became of a plan', () => {
    const written = Array.from({ length: 6 }, (_, n) => create('ENG', `g${n}`, 'guest'))
    const [first] = written as [Change]
    const applied = {
      results: [
        ...written.map((change) => ({ change, outcome: { kind: 'done' } as const })),
        { change: create('ENG', 'failed', 'guest'), outcome: { kind: 'notSent', why: `not-sent-${long}` } as const },
      ],
      holds: [held(create('ENG', 'held-later', 'admin'), { kind: 'approval', why: 'protectedRole' })],
      left: [],
    }
    const document = last([[view({ findings: [finding('warning')], holds: applied.holds }, { applied }), 'partial']])
    const order = [first.id, 'code-warning', 'not-sent', 'held-later']
    expect(goneIn(document, [...order].toReversed())).toEqual(order)
  })

  test('of a set, whose changes matter more than what is held in another workspace', () => {
    const document = last([
      [overLimit, 'waiting'],
      [view({ holds: [held(create('ENG', 'd-held-admin', 'admin'), suspended)] }), 'incomplete'],
    ])
    expect(goneIn(document, ['teams/web.yaml', 'd-held-admin'])).toEqual(['d-held-admin', 'teams/web.yaml'])
  })

  test('and each kind is counted, in any room', () => {
    const parts = {
      changes: [create('ENG', 'a', 'guest'), create('ENG', 'b', 'guest')],
      findings: [finding('info'), finding('warning')],
      holds: [unsure('ENG', 'u', { kind: 'undeclared', policy: 'upsert-only' })],
    }
    const applied = { results: [], holds: [], left: [create('ENG', 'late', 'guest')] }
    const document = last([
      [failedView, 'failed'],
      [view(parts, { applied }), 'partial'],
      [quietView('beta'), 'success'],
    ])
    const whole = Buffer.byteLength(lastText(document, large))
    let [rows, rooms] = [5, 0]
    for (let bytes = whole; rows > 0; bytes--) {
      const text = lastText(document, bytes)
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bytes)
      const { workspaces, leftOut } = readBack(text)
      expect(leftOut).toBeUndefined()
      const [, one, quiet] = workspaces
      if (one === undefined || !hasPlan(one)) throw new Error('no plan')
      expect(quiet).not.toHaveProperty('leftOut')
      const { changes, holds, findings } = one.plan
      const left = { changes: 2 - changes.length, holds: 1 - holds.length, later: 0, findings: 2 - findings.length }
      const shown = changes.length + holds.length + findings.length
      if (shown === 5) expect(one).not.toHaveProperty('leftOut')
      else expect(one.leftOut).toEqual(left)
      if (bytes < whole) expect(one.plan.applied?.left).toEqual([])
      expect(shown).toBeLessThanOrEqual(rows)
      if (shown < rows) rooms++
      rows = shown
    }
    expect(rooms).toBe(5)
  })
})

test('a document that has just enough room is whole', () => {
  const document = last([
    [quietView('ä€😀'), 'success'],
    [failedView, 'failed'],
  ])
  const text = lastText(document, large)
  const needed = Buffer.byteLength(text)
  expect(lastText(document, needed)).toBe(text)
  expect(readBack(text)).not.toHaveProperty('leftOut')
  expect(readBack(lastText(document, needed - 1)).leftOut).toBe(1)
})

test('what waits keeps the time at which it was first seen, also over a failed cycle', () => {
  const seen = firstSeenIn(everything, new Map())
  const later = last(
    [
      [waiting, 'incomplete'],
      [overLimit, 'waiting'],
    ],
    { endedMs: nowMs, seen },
  )
  expect(firstSeenIn(later, seen).get('acme')).toEqual(seen.get('acme'))
  expect(firstSeenIn(later, seen).get('shop')).toEqual(seen.get('shop'))
  const failed = last([[{ ...failedView, about: waiting.about }, 'failed']], { endedMs: nowMs, seen })
  expect(firstSeenIn(failed, seen).get('acme')).toEqual(seen.get('acme'))
  // Without the earlier times it counts from the end of this cycle.
  const fresh = firstSeenIn(last([[waiting, 'incomplete']], { endedMs: nowMs }), new Map())
  expect(new Set(fresh.get('acme')?.values())).toEqual(new Set([new Date(nowMs).toISOString()]))
})

test('an approval that has ended is not among those in force', () => {
  const [one] = approvals
  if (one === undefined) throw new Error('no approval')
  expect(last([], { approvals: [{ ...one, untilMs: nowMs }], endedMs: nowMs }).approvals).toEqual([])
  expect(last([], { approvals, endedMs: nowMs }).approvals).toHaveLength(1)
})
