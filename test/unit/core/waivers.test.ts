import { expect, test } from 'vitest'
import type { ChangeId } from '../../../src/core/change.ts'
import { rememberedFirst, waiversNaming, withScope } from '../../../src/core/judge/waivers.ts'
import type { Plan } from '../../../src/core/plan.ts'
import type { Guard, Waiver } from '../../../src/core/waiver.ts'

const waiver = (...ids: readonly string[]): Waiver => ({ ids, by: 'ann', untilMs: 1, source: '--allow' })
const fingerprint = 'c'.repeat(64)
const name = fingerprint.slice(0, 32)
const plan = { fingerprint } as Plan
const uses = (...ids: readonly string[]) => new Map<Guard, ReadonlySet<ChangeId>>([['creates', new Set(ids as readonly ChangeId[])]])

test('of the waivers that name one of these ids, the other ids are left out', () => {
  expect(waiversNaming(['a', 'b'], [waiver('b', 'x'), waiver('x'), waiver('a')])).toEqual([waiver('b'), waiver('a')])
})

test('a waiver keeps the ids that were used; if it names the plan, also the changes that passed by it', () => {
  expect(withScope(waiver('a', 'x'), uses('a'), plan)).toEqual(waiver('a'))
  expect(withScope(waiver('a:160', 'x:160', 'x:any'), uses('a'), plan)).toEqual(waiver('a:160'))
  expect(withScope(waiver('a', name, 'x'), uses('a'), plan)).toEqual({ ...waiver('a', name), rememberedScope: uses('a') })
  const remembered = { ...waiver('x', name), rememberedScope: uses('b') }
  expect(withScope(remembered, uses('a'), plan)).toBe(remembered)
})

test('a waiver that remembers what passed replaces the one from which it was made', () => {
  const remembered = { ...waiver('a', name), rememberedScope: uses('a') }
  expect(rememberedFirst([waiver('a', name, 'x'), waiver('b'), remembered])).toEqual([waiver('x'), waiver('b'), remembered])
})
