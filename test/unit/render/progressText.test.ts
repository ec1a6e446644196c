import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { roughText } from '../../../src/core/quantity.ts'
import { type ProgressView, progressText, type WriteCounts } from '../../../src/render/progressText.ts'
import { widthOf } from '../../../src/render/width.ts'
import { holds } from '../properties/runs.ts'

const counts: WriteCounts = { written: 54, total: 101, workspaces: 1, unknown: 0, refused: 0, notSent: 0 }
const limit = { kind: 'until', ms: 40_200, why: 'rate limit: 54 of 60 are used' } as const
const toGo = { ms: 55_000, fits: false }
const shown = (view: ProgressView, columns = 80) => progressText(view, columns)

describe('the line of the progress', () => {
  test.each<[string, ProgressView, string]>([
    [
      'counts, wait, estimate and reason',
      { counts, wait: limit, toGo },
      '54/101 written · waits 41 s · about 1 min to go · rate limit: 54 of 60 are used',
    ],
    ['no wait', { counts, toGo: { ms: 4_000, fits: true } }, '54/101 written · under 5 s to go'],
    ['no estimate', { counts, wait: limit }, '54/101 written · waits 41 s · rate limit: 54 of 60 are used'],
    ['a command that does not write', { wait: limit }, 'waits 41 s · rate limit: 54 of 60 are used'],
    ['no answer', { counts, wait: { kind: 'answer', of: 'Plane', ms: 12_900 } }, '54/101 written · waits for Plane, 12 s so far'],
    ['a slow directory', { wait: { kind: 'answer', of: 'directory corp', ms: 72_000 } }, 'waits for directory corp, 1 min 12 s so far'],
    ['stopping', { counts, wait: limit, toGo, isStopping: true }, '54/101 written · stops after the request in flight'],
    ['several workspaces', { counts: { ...counts, workspaces: 3 } }, '54/101 written in 3 workspaces'],
    ['failures', { counts: { ...counts, unknown: 1, notSent: 2 } }, '54/101 written, 1 unknown, 2 not sent'],
    ['nothing', {}, ''],
  ])('%s', (_name, view, text) => expect(shown(view)).toBe(text))

  test.each([
    [80, '54/101 written · waits 41 s · about 1 min to go · rate limit: 54 of 60 are used'],
    [78, '54/101 written · waits 41 s · about 1 min to go'],
    [40, '54/101 written · waits 41 s'],
    [27, '54/101 written · waits 41 s'],
    [26, '54/101 written'],
    [14, '54/101 written'],
    [10, '54/101 wr…'],
    [1, '…'],
    [0, ''],
  ])('%s columns: the parts that do not fit are left out from the end', (columns, text) =>
    expect(shown({ counts, wait: limit, toGo }, columns)).toBe(text),
  )

  test('a countdown shows every second down to 1', () => {
    const seconds = Array.from({ length: 5 }, (_, n) => shown({ wait: { ...limit, ms: 5_000 - n * 1_000, why: 'x' } }))
    expect(seconds).toEqual([5, 4, 3, 2, 1].map((s) => `waits ${s} s · x`))
  })

  const whole = fc.nat(200_000)
  const views: fc.Arbitrary<ProgressView> = fc.record({
    counts: fc.option(fc.record({ written: whole, total: whole, workspaces: whole, unknown: whole, refused: whole, notSent: whole }), {
      nil: undefined,
    }),
    wait: fc.option(
      fc.oneof(
        fc.record({ kind: fc.constant('until' as const), ms: fc.nat(10_000_000), why: fc.string({ unit: 'grapheme' }) }),
        fc.record({ kind: fc.constant('answer' as const), of: fc.string({ unit: 'grapheme' }), ms: fc.nat(10_000_000) }),
      ),
      { nil: undefined },
    ),
    toGo: fc.option(fc.record({ ms: fc.nat(100_000_000), fits: fc.boolean() }), { nil: undefined }),
    isStopping: fc.boolean(),
  })
  holds(
    'is never wider than the terminal',
    2_000,
    fc.property(views, fc.nat(120), (view, columns) => {
      expect(widthOf(progressText(view, columns))).toBeLessThanOrEqual(columns)
    }),
  )
})

test.each([
  [0, '5 s'],
  [14_000, '20 s'],
  [59_000, '1 min'],
  [61_000, '1 min 30 s'],
  [620_000, '11 min'],
  [3_700_000, '1 h 10 min'],
])('an estimate of %d ms is rounded up to %s', (ms, text) => expect(roughText(ms)).toBe(text))
