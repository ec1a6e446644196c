import { describe, expect, test } from 'vitest'
import { budgetNear } from '../../../src/core/findings/budgetNear.ts'

const seen = (others: number) => ({ credential: 'default', limit: 60, allowed: 54, others, windowMs: 60_000 })

describe('a shared credential near its budget', () => {
  test.each([
    ['nobody else', 0, 300, false],
    ['enough is left', 40, 14, false],
    ['one request too few is left', 41, 14, true],
    ['they use all of it and the reserve', 60, 3, true],
    ['more than a window is needed, and they hold less than a third', 19, 300, false],
    ['more than a window is needed, and they hold a third', 20, 300, true],
  ])('%s', (_, others, needed, near) => {
    expect(budgetNear(seen(others), needed)).toHaveLength(near ? 1 : 0)
  })

  test('says how much is left and what is needed', () => {
    expect(budgetNear(seen(50), 13)[0]?.sentence).toBe(
      'others use 50 of the 60 requests that this credential has in 60 s; 4 are left, and this cycle needs 13',
    )
  })
})
