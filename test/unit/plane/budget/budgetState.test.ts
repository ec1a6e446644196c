import { expect, test } from 'vitest'
import { aged, type Budget, type BudgetSettings, emptyBudget, view, withSettings } from '../../../../src/plane/rate/budget.ts'

const settings: BudgetSettings = { requests: 10, windowMs: 1000, reserve: 0, blockedMaxMs: 100_000 }
const state = (more: Partial<Budget> = {}): Budget => ({ ...emptyBudget(settings), ...more })

test('at first nothing was sent, and the limit is that of the settings', () => {
  expect(emptyBudget(settings)).toMatchObject({
    limit: 10,
    countedAtMs: [],
    inFlight: [],
    overlapping: false,
    remainingFollows: false,
    foreignUsage: { count: 0 },
  })
})

test('a lowered limit grows when its time has come, and again five windows later', () => {
  const lowered = state({ limit: 5, growsAtMs: 5000 })
  expect(aged(lowered, 4999)).toMatchObject({ limit: 5, growsAtMs: 5000 })
  expect(aged(lowered, 5000)).toMatchObject({ limit: 6, growsAtMs: 10_000 })
  expect(aged(state({ limit: 10, growsAtMs: 5000 }), 5000)).toMatchObject({ limit: 10, growsAtMs: 5000 })
})

test('other settings forget a lowered limit, equal ones do not', () => {
  const lowered = state({ limit: 5 })
  expect(withSettings(lowered, { ...settings })).toBe(lowered)
  for (const more of [{ requests: 9 }, { windowMs: 2000 }, { reserve: 0.1 }, { blockedMaxMs: 1 }]) {
    expect(withSettings(lowered, { ...settings, ...more })).toMatchObject({ limit: more.requests ?? 10, settings: more })
  }
})

test('what is on its way is used, too', () => {
  expect(view(state({ countedAtMs: [0], inFlight: [5, 6] }), 10).used).toBe(3)
})
