import { array, assert, boolean, constantFrom, property, record, uniqueArray } from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { WorkspaceName } from '../../../src/core/mapping.ts'
import { afterCycle, cycleRecord, cycleTimes, type LastCycle } from '../../../src/core/memory/lastCycle.ts'

const name = constantFrom('a', 'b', 'c', '__proto__', 'constructor')
const cycle = record({ names: uniqueArray(name), success: array(boolean(), { minLength: 5, maxLength: 5 }) })

describe('the last cycle', () => {
  test('has, after any cycles, the times that one who watched them knows', () => {
    assert(
      property(array(cycle, { maxLength: 8 }), (cycles) => {
        let last: LastCycle | undefined
        const succeeded = new Map<string, number>()
        for (const [index, { names, success }] of cycles.entries()) {
          const atMs = 1_000 * (index + 1)
          const outcomes = new Map(names.map((one, nth) => [one as WorkspaceName, success[nth] === true]))
          const entry = JSON.parse(JSON.stringify(cycleRecord(last, outcomes))) as ReturnType<typeof cycleRecord>
          last = afterCycle(last, entry, atMs)
          for (const [one, good] of outcomes) if (good) succeeded.set(one, atMs)
          // Of a workspace that is not in a cycle nothing is kept.
          for (const one of [...succeeded.keys()]) if (!outcomes.has(one as WorkspaceName)) succeeded.delete(one)
          expect(cycleTimes(last)).toEqual(
            names.map((workspace) => ({ workspace, attemptedMs: atMs, succeededMs: succeeded.get(workspace) ?? 0 })),
          )
        }
      }),
    )
  })

  test('is unknown at the beginning', () => {
    expect(cycleTimes(undefined)).toEqual([])
    expect(afterCycle(undefined, { unsuccessful: [] }, 1)).toEqual({ atMs: 1, workspaces: [], succeededMs: {} })
  })

  test('takes a short entry if its workspaces are those of the cycle before', () => {
    const outcomes = new Map([
      ['a' as WorkspaceName, true],
      ['b' as WorkspaceName, false],
    ])
    const first = cycleRecord(undefined, outcomes)
    expect(first).toEqual({ workspaces: ['a', 'b'], unsuccessful: ['b'] })
    expect(cycleRecord(afterCycle(undefined, first, 1), outcomes)).toEqual({ unsuccessful: ['b'] })
  })
})
