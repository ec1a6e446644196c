import { expect, test } from 'vitest'
import { waiversNaming } from '../../../src/core/judge/waivers.ts'
import type { Waiver } from '../../../src/core/waiver.ts'

const waiver = (...ids: readonly string[]): Waiver => ({ ids, by: 'ann', untilMs: 1, source: '--allow' })

test('of the waivers that name one of these ids, the other ids are left out', () => {
  expect(waiversNaming(['a', 'b'], [waiver('b', 'x'), waiver('x'), waiver('a')])).toEqual([waiver('b'), waiver('a')])
})
