import { describe, expect, test } from 'vitest'
import { lastSchema } from '../../../src/documents/last.ts'
import { firstSeenIn } from '../../../src/render/firstSeen.ts'
import { hasPlan } from '../../../src/render/hasPlan.ts'
import { lastText } from '../../../src/render/lastText.ts'
import { approvals, failedView, last, quietView, refusedView, waiting } from './lastParts.ts'
import { at, create, held, nowMs, unsure, view } from './sample.ts'

const everything = last(
  [
    [waiting, 'incomplete'],
    [refusedView, 'refused'],
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
    const document = last([...quiet, [refusedView, 'refused']])
    const whole = Buffer.byteLength(lastText(document, large))
    const text = lastText(document, whole / 2)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(whole / 2)
    const { workspaces, leftOut } = readBack(text)
    expect(workspaces.map(({ plan }) => plan.workspace)).toContain('shop')
    expect(leftOut).toBe(51 - workspaces.length)
    expect(leftOut).toBeGreaterThan(20)
  })
})

test('what waits keeps the time at which it was first seen, also over a failed cycle', () => {
  const seen = firstSeenIn(everything, new Map())
  const later = last(
    [
      [waiting, 'incomplete'],
      [refusedView, 'refused'],
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
