import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { deposit, fullRetryBudget, type RetryBudget, retriesMax, withdraw } from '../../../src/plane/rate/retry.ts'

const hour = 3_600_000

/** Takes all repetitions that the budget has. */
function drained(budget: RetryBudget, now: number): { readonly count: number; readonly left: RetryBudget } {
  let [left, count] = [budget, 0]
  for (let next = withdraw(left, now); next !== undefined; next = withdraw(left, now)) [left, count] = [next, count + 1]
  return { count, left }
}

test('ten at first, then one for ten answers and six an hour', () => {
  const { count, left } = drained(fullRetryBudget(0), 0)
  expect(count).toBe(retriesMax)
  expect(drained(left, hour / 6 - 1).count).toBe(0)
  expect(drained(left, hour / 2).count).toBe(3)
  const answered = Array.from({ length: 25 }).reduce((budget: RetryBudget) => deposit(budget, 0), left)
  expect(drained(answered, 0).count).toBe(2)
})

test('a request that can only fail costs no more than six repetitions an hour, over all cycles', () => {
  let [budget, spent] = [fullRetryBudget(0), 0]
  for (let now = 0; now < 24 * hour; now += hour / 6) {
    for (const _ of [1, 2]) {
      const left = withdraw(budget, now)
      if (left !== undefined) [budget, spent] = [left, spent + 1]
    }
  }
  expect(spent).toBeLessThanOrEqual(retriesMax + 6 * 24)
})

test('never more than it holds, also when the clock jumps', () => {
  const step = fc.tuple(fc.constantFrom('deposit', 'withdraw'), fc.integer({ min: -hour, max: hour }))
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      let [budget, now] = [fullRetryBudget(0), 0]
      for (const [what, ms] of steps) {
        now += ms
        budget = what === 'deposit' ? deposit(budget, now) : (withdraw(budget, now) ?? budget)
        expect(budget.balance).toBeLessThanOrEqual(10 * retriesMax)
        expect(budget.balance).toBeGreaterThanOrEqual(0)
      }
    }),
  )
})
