import { describe, expect, test } from 'vitest'
import { reviewedBy, reviewOf, reviewSent, sentLeft, sentReview, writtenBefore } from '../../../src/commands/reviewed.ts'
import type { Change, ChangeId } from '../../../src/core/change.ts'
import type { HoldReason } from '../../../src/core/hold.ts'
import type { WorkspaceName } from '../../../src/core/mapping.ts'
import { afterWrite, type LastApplied } from '../../../src/core/memory/lastApplied.ts'
import type { Plan } from '../../../src/core/plan.ts'
import type { Waiver } from '../../../src/core/waiver.ts'
import { orderContent } from '../../../src/orders/orderFiles.ts'
import { forPeople } from '../bounds.ts'
import { create, held, plan as planOf, remove } from '../render/sample.ts'

const fingerprint = 'f'.repeat(64)
const [granted, free, old] = [create('ENG', 'a', 'admin'), create('ENG', 'b', 'guest'), remove('ENG', 'old', 'guest', 'removed')]
const needs = { ...old, requires: [granted.id] } as Change
const plan = (parts: Partial<Plan>): Plan => ({ ...planOf(parts), fingerprint: parts.fingerprint ?? fingerprint })
const allow = (...ids: string[]) => [{ ids, by: 'ann', untilMs: Number.POSITIVE_INFINITY, source: '--allow' }]
const approval = { kind: 'approval', why: 'protectedRole' } as const
const crowd = forPeople({ over: 'raise', people: 9, limit: 5, setting: 'x', pass: `${granted.id}:9` })
const set = {
  kind: 'approval',
  why: 'limit',
  name: 'deletes',
  count: 9,
  limit: 5,
  setting: 'x',
  sentence: '',
  pass: 'e'.repeat(32) as ChangeId,
} as const
const approved: Change = { ...old, uncounted: 'approved' }
const digits = fingerprint.slice(0, 32)
const suspended = { kind: 'suspended', what: 'all' } as const

/**
 * Whether the plan may be written in which nothing waits any more, by the review of one in which changes waited.
 *
 * @param waived the waivers that let changes of the plan pass, whoever gave them
 */
function mayWrite(waited: readonly (readonly [Change, HoldReason])[], ids: readonly string[], waived: readonly Waiver[]): boolean {
  const now = plan({ changes: [free, ...waited.map(([change]) => change)] })
  const seen = reviewOf(plan({ changes: [free], holds: waited.map(([change, reason]) => held(change, reason)) }))
  const [here, sent] = [() => seen, (one: Plan) => reviewSent(sentReview('acme' as WorkspaceName, seen), one)]
  const [direct, byOrder] = [here, sent].map((given) => reviewedBy(given, allow(...ids))(now, waived))
  expect(byOrder).toBe(direct)
  return direct as boolean
}

describe('what waited in the review is written only by the approval for which it waited', () => {
  /** What a waiver that names `used` let pass. */
  const passed = (used: string, ...changes: readonly Change[]) => [
    { ...allow(used)[0], ids: changes.map(({ id }) => id), used: [used] } as Waiver,
  ]
  test.each<[string, readonly (readonly [Change, HoldReason])[], string[], boolean, (readonly Waiver[])?]>([
    ['nothing waited', [], [], true],
    ['no approval', [[granted, approval]], [], false],
    ['the ID of the change', [[granted, approval]], [granted.id], true],
    ['the ID of the plan', [[granted, approval]], [fingerprint.slice(0, 32)], true],
    ['too few digits', [[granted, approval]], [fingerprint.slice(0, 8)], false],
    ['the ID of the plan, and the change was suspended', [[granted, suspended]], [fingerprint.slice(0, 32)], false],
    ['the ID of a change that was suspended', [[granted, suspended]], [granted.id], false],
    ['the ID of the plan, and too many people', [[granted, crowd]], [fingerprint.slice(0, 32)], false],
    ['the ID of the change without a number of people', [[granted, crowd]], [granted.id], false],
    ['the ID of the change with a number of people', [[granted, crowd]], [`${granted.id}:9`], true],
    ['the ID of a set', [[approved, set]], [set.pass], true, passed(set.pass, old)],
    ['the ID of the plan, and changes of a set waited', [[approved, set]], [digits], true, passed(digits, old)],
    [
      'the ID of one change of a set, and an approval of another person lets the others pass',
      [
        [{ ...granted, uncounted: 'approved' }, set],
        [approved, set],
      ],
      [granted.id],
      false,
      [...passed(granted.id, granted), ...passed(set.pass, old)],
    ],
    ['the ID of a set, and the limit is higher now', [[old, set]], [set.pass], false],
    ['no approval, and words in a file let the set pass', [[approved, set]], [], false, passed('words', old)],
    [
      'what requires an approved change',
      [
        [granted, approval],
        [needs, { kind: 'requires', key: granted.key }],
      ],
      [granted.id],
      true,
    ],
    [
      'what requires a change that was suspended',
      [
        [granted, suspended],
        [needs, { kind: 'requires', key: granted.key }],
      ],
      [fingerprint.slice(0, 32)],
      false,
    ],
    [
      'one of two',
      [
        [granted, approval],
        [old, { kind: 'approval', why: 'protectedGroup' }],
      ],
      [granted.id],
      false,
    ],
  ])('%s', (_, waited, ids, expected, waived = []) => {
    expect(mayWrite(waited, ids, waived)).toBe(expected)
  })
})

test('another plan is not written', () => {
  const seen = reviewOf(plan({ changes: [free] }))
  expect(reviewedBy(() => seen, [])(plan({ changes: [free], fingerprint: 'e'.repeat(64) }), [])).toBe(false)
  expect(reviewedBy(() => undefined, [])(plan({ changes: [free] }), [])).toBe(false)
})

test('a review that was sent counts only for the same changes, and a damaged one lets nothing pass', () => {
  const sent = sentReview('acme' as WorkspaceName, reviewOf(plan({ changes: [free] })))
  expect(reviewSent(sent, plan({ changes: [granted] }))).toBeUndefined()
  for (const shown of ['', 'AAAA', Buffer.from('w'.repeat(9)).toString('base64')]) {
    const damaged = reviewSent({ ...sent, shown }, plan({ changes: [free] }))
    expect(reviewedBy(() => damaged, [])(plan({ changes: [free] }), [])).toBe(false)
  }
})

test('an order has room for the review of a plan with 50,000 changes', () => {
  const changes = Array.from({ length: 50_000 }, (_, index) => create('ENG', `g${index}`, 'admin'))
  const holds = changes.filter((_, index) => (index * 7919) % 13 < 6).map((change) => held(change, approval))
  const waiting = new Set(holds.flatMap(({ change }) => change?.id ?? []))
  const seen = reviewOf(plan({ changes: changes.filter(({ id }) => !waiting.has(id)), holds }))
  const sent = sentReview('acme' as WorkspaceName, seen)
  expect(orderContent('r', 'n', { reviewed: [sent] }).length).toBeLessThan(32 * 1024)
  expect(reviewSent(sent, plan({ changes }))).toEqual(seen)
})

describe('a saved plan whose changes were all written before is not stale', () => {
  const acme = 'acme' as WorkspaceName
  const after = (...changes: Change[]) => ({
    lastApplied: changes.reduce(
      (sofar, change) => afterWrite(sofar, change, { atMs: 1_000, declaration: 'd' }, 10),
      [] as readonly LastApplied[],
    ),
  })
  const other = create('OPS', 'c', 'guest')
  const settings = { ...free, action: 'settings' } as unknown as Change

  test.each<[string, Change[], Change[], Change[], boolean]>([
    ['as the journal shows', [free, old], [free, old], [], true],
    ['beside other changes', [free, old], [free, old], [other], true],
    ['but not if one was not written', [free, old], [free], [], false],
    ['but not if one was written with another role', [free], [{ ...free, role: 'admin' } as Change], [], false],
    ['but not if one is to be written again', [free, old], [free, old], [free], false],
    ['but not if it has a change that the journal does not show', [free, settings], [free, settings], [], false],
    ['but not if it has no change', [], [free], [], false],
  ])('%s', (_, saved, written, now, expected) => {
    const sent = sentLeft(new Map([[acme, saved]]))
    expect(writtenBefore(sent, () => after(...written))(plan({ changes: now }))).toBe(expected)
  })
  test('a hold of one of its keys keeps it stale, and so does another workspace', () => {
    const isBefore = writtenBefore(sentLeft(new Map([[acme, [free]]])), () => after(free))
    expect([plan({}), plan({ holds: [held(free, suspended)] }), { ...plan({}), workspace: 'beta' as WorkspaceName }].map(isBefore)).toEqual(
      [true, false, false],
    )
  })
  test('an order has room for what the memory can show', () => {
    const many = Array.from({ length: 5_000 }, (_, index) => create('ENG', `g${index}`, 'admin'))
    expect(sentLeft(new Map([[acme, many]]))).toEqual([])
    expect(orderContent('r', 'n', { left: sentLeft(new Map([[acme, many.slice(0, 2_000)]])) }).length).toBeLessThan(32 * 1024)
  })
})
