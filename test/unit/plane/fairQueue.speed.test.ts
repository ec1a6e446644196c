import { expect, test } from 'vitest'
import { add, emptyFairQueue, take } from '../../../src/plane/rate/fairQueue.ts'
import { cpuMsOf } from '../cpuTime.ts'

test('10,000 that wait cost little', () => {
  const lanes = emptyFairQueue<number>()
  const cpuMs = cpuMsOf(() => {
    for (let nth = 0; nth < 10_000; nth++) add(lanes, `lane ${nth % 100}`, nth % 3 === 0 ? 'read' : 'write', nth)
    for (let nth = 0; nth < 10_000; nth++) take(lanes, 'short')
  })
  expect(lanes.waiting).toBe(0)
  expect(cpuMs).toBeLessThan(2_000)
})
