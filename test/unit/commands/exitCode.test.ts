import { describe, expect, test } from 'vitest'
import { exitCode, exitCodeOfWriting } from '../../../src/commands/exitCode.ts'
import type { ChangeId } from '../../../src/core/change.ts'
import type { HoldKind } from '../../../src/core/hold.ts'
import { withHolds } from '../../../src/core/judge/guards.ts'
import { holdKinds } from '../../../src/cycle/outcome.ts'
import { judged, report } from '../daemon/reports.ts'

const holding = (kind: HoldKind) => {
  const one = judged({}, [])
  if (one.kind !== 'judged') throw new Error('not judged')
  const hold = { key: 'acme/project/ENG/a', reason: { kind } } as never
  return report({ ...one, verdict: withHolds(one.verdict, new Map([['held' as ChangeId, hold]])) })
}
const codes = (of: (kind: HoldKind) => number) =>
  Object.fromEntries(holdKinds.flatMap((kind) => (of(kind) === 0 ? [] : [[kind, of(kind)]])))

describe('a change that is held, and nothing else', () => {
  test('of a plan: what could not be read, and what waits for approval', () => {
    expect(codes((kind) => exitCode(holding(kind)))).toEqual({ readingIncomplete: 1, patternsUnmatched: 1, approval: 3 })
  })

  test('of what writes also: an earlier write that did not come through', () => {
    expect(codes((kind) => exitCodeOfWriting(holding(kind)))).toEqual({
      readingIncomplete: 1,
      patternsUnmatched: 1,
      approval: 3,
      failing: 1,
      anotherWriter: 1,
    })
  })
})
