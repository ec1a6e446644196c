import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { earliestMs, emptyBudget, type Facts, received, sent, view } from '../../../src/plane/budget.ts'
import type { Budget, BudgetSettings } from '../../../src/plane/ledger.ts'

const settings: BudgetSettings = { requests: 5, windowMs: 1000, reserve: 0, blockedMaxMs: 100_000 }
const ok: Facts = { is: 'answer', status: 200 }
const left = (remaining: number): Facts => ({ is: 'answer', status: 200, remaining })

/** One request after another, each answered `tookMs` after it was sent, the next one sent a moment later. */
function spend(budget: Budget, fromMs: number, facts: readonly Facts[], tookMs = 0): Budget {
  return facts.reduce((state, fact, index) => {
    const sentAtMs = fromMs + index * (tookMs + 1)
    return received(sent(state, sentAtMs), sentAtMs, fact, sentAtMs + tookMs)
  }, budget)
}

test('a full burst, then the next when the first answer is one window old', () => {
  const full = spend(emptyBudget(settings), 0, [ok, ok, ok, ok, ok], 10)
  expect(earliestMs(full, 60)).toBe(10 + 1000 + 1)
  expect(earliestMs(spend(emptyBudget(settings), 0, [ok, ok, ok, ok], 10), 15)).toBe(15)
})

test('requests in flight occupy their place, and only an answer frees it', () => {
  const first = received(sent(emptyBudget(settings), 0), 0, ok, 10)
  const four = [10, 10, 10, 10].reduce((state, now) => sent(state, now), first)
  expect(earliestMs(four, 2000)).toBe(Number.POSITIVE_INFINITY)
  expect(earliestMs(received(four, 10, { is: 'silence', sent: false }, 20), 20)).toBe(20)
  const stillThree = received(four, 10, { is: 'silence', sent: true }, 20)
  expect(earliestMs(stillThree, 20)).toBe(Number.POSITIVE_INFINITY)
  const none = [30, 30, 30].reduce((state, now) => received(state, 10, ok, now), stillThree)
  expect(earliestMs(none, 40)).toBe(1011)
})

test('nothing is known before the first answer, so the first request goes alone', () => {
  expect(earliestMs(sent(emptyBudget(settings), 0), 0)).toBe(Number.POSITIVE_INFINITY)
  expect(earliestMs(sent(spend(emptyBudget(settings), 0, [ok], 10), 10), 10)).toBe(10)
  expect(earliestMs(sent(spend(emptyBudget(settings), 0, [ok], 10), 2000), 2000)).toBe(Number.POSITIVE_INFINITY)
})

test.each([401, 403, 429, 301])('a %i is not counted', (status) => {
  const refused = spend(emptyBudget(settings), 0, [ok, { is: 'answer', status, retryAfterMs: 0 }], 0)
  expect(view(refused, 2).used).toBe(1)
})

test.each([200, 204, 400, 404, 405, 500, 503])('a %i is counted', (status) => {
  expect(view(spend(emptyBudget(settings), 0, [{ is: 'answer', status }]), 2).used).toBe(1)
})

test('the reserve is left to others', () => {
  const reserved = spend(
    emptyBudget({ ...settings, requests: 60, reserve: 0.1 }),
    0,
    Array.from({ length: 53 }, () => ok),
  )
  expect(view(reserved, 60)).toMatchObject({ limit: 60, used: 53, remaining: 1, waitMs: 0 })
  expect(view(spend(reserved, 60, [ok]), 61)).toMatchObject({ used: 54, remaining: 0, waitMs: 1000 - 61 + 1 })
})

test("others' use shows in Remaining and occupies places for a window", () => {
  const shared = spend(emptyBudget(settings), 0, [left(1)])
  expect(view(shared, 1)).toMatchObject({ used: 4, others: 3, remaining: 1 })
  expect(view(shared, 1001)).toMatchObject({ used: 0, others: 0 })
})

test('one high Remaining raises nothing, two in a row that came alone do', () => {
  const shared = spend(emptyBudget(settings), 0, [left(1)])
  const once = spend(shared, 10, [left(3)])
  expect(view(once, 11)).toMatchObject({ used: 5, others: 3 })
  const twice = spend(once, 12, [left(2)])
  expect(view(twice, 13)).toMatchObject({ used: 3, others: 0 })
})

test('a Remaining that never falls is no budget', () => {
  const bearer = spend(
    emptyBudget(settings),
    0,
    Array.from({ length: 5 }, () => left(5)),
  )
  expect(earliestMs(bearer, 6)).toBe(1001)
})

test('what others took is asked again, one request at a time, when its time is over', () => {
  const shared = spend(emptyBudget({ ...settings, requests: 10 }), 0, [left(4)])
  const later = sent(received(sent(shared, 990), 990, left(4), 995), 1002)
  expect(view(later, 1002).others).toBe(0)
  expect(earliestMs(later, 1002)).toBe(Number.POSITIVE_INFINITY)
})

test('a published limit below the settings counts, one above them does not', () => {
  const said = (limit: number): Facts => ({ is: 'answer', status: 200, limit })
  expect(view(spend(emptyBudget(settings), 0, [said(3)]), 1).limit).toBe(3)
  expect(view(spend(emptyBudget(settings), 0, [said(300)]), 1).limit).toBe(5)
  expect(view(spend(emptyBudget(settings), 0, [said(3), said(5)]), 2).limit).toBe(5)
})

test('Retry-After blocks, bounded', () => {
  const wait = (retryAfterMs: number) => spend(emptyBudget(settings), 0, [{ is: 'answer', status: 503, retryAfterMs }])
  expect(earliestMs(wait(7000), 0)).toBe(7000)
  expect(earliestMs(wait(1e12), 0)).toBe(100_000)
})

test('a 429 without Retry-After waits for the reset, but never more than one window', () => {
  const refused = (resetMs?: number) =>
    spend(emptyBudget(settings), 0, [{ is: 'answer', status: 429, ...(resetMs === undefined ? {} : { resetMs }) }])
  expect(earliestMs(refused(), 0)).toBe(1000)
  expect(earliestMs(refused(300), 0)).toBe(300)
  expect(earliestMs(refused(60_000), 0)).toBe(1000)
})

test('an unexplained 429 lowers the limit once for all that were in flight, and it grows back', () => {
  const refused: Facts = { is: 'answer', status: 429, retryAfterMs: 100 }
  const three = [0, 0, 0].reduce((state, now) => sent(state, now), emptyBudget({ ...settings, requests: 60 }))
  const lowered = [5, 6, 7].reduce((state, now) => received(state, 0, refused, now), three)
  expect(view(lowered, 8).limit).toBe(30)
  expect(view(lowered, 5006).limit).toBe(36)
  const patient = Array.from({ length: 30 }, (_, index) => 5006 * (index + 1)).reduce((state, now) => spend(state, now, [ok]), lowered)
  expect(view(patient, 5006 * 30 + 1).limit).toBe(60)
})

test('a 429 that our own use explains lowers nothing', () => {
  const full = spend(emptyBudget(settings), 0, [ok, ok, ok, ok, ok])
  expect(view(received(sent(full, 6), 6, { is: 'answer', status: 429, retryAfterMs: 10 }, 7), 8).limit).toBe(5)
})

test('a clock that was set back does not block for the difference', () => {
  const full = spend(emptyBudget(settings), 1e12, [ok, ok, ok, ok, ok])
  expect(earliestMs(full, 5e11)).toBe(5e11 + 1001)
  const blocked = spend(emptyBudget(settings), 1e12, [{ is: 'answer', status: 429, retryAfterMs: 50_000 }])
  expect(earliestMs(blocked, 5e11)).toBe(5e11 + 100_000)
})

test('whatever the numbers in the headers, the state stays bounded', () => {
  const number = fc.integer({ min: 0, max: 999_999_999 })
  const facts = fc.record({
    is: fc.constant('answer' as const),
    status: fc.constantFrom(200, 404, 429, 500),
    limit: number,
    remaining: number,
    retryAfterMs: number,
  })
  fc.assert(
    fc.property(fc.array(facts, { maxLength: 60 }), (all) => {
      const end = spend(emptyBudget(settings), 0, all)
      expect(end.others.length).toBeLessThanOrEqual(settings.requests)
      expect(view(end, 100).limit).toBeGreaterThanOrEqual(1)
      expect(view(end, 100).waitMs).toBeLessThanOrEqual(settings.blockedMaxMs)
    }),
  )
})

/** The promise itself, against arrivals: a request arrives some time between its sending and its answer, or its giving up. */
test('no trailing window ever holds more arrivals than the limit', () => {
  const request = fc.record({ waitMs: fc.nat(400), upMs: fc.nat(300), downMs: fc.nat(300), lost: fc.boolean() })
  fc.assert(
    fc.property(
      fc.array(request, { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 1, max: 8 }),
      fc.constantFrom(0, 0.1, 0.5),
      (wanted, requests, reserve) => {
        const arrivals: number[] = []
        let budget = emptyBudget({ ...settings, requests, reserve })
        let open: { sentAtMs: number; atMs: number; facts: Facts }[] = []
        let now = 0
        const settleUntil = (untilMs: number) => {
          for (const done of open.filter(({ atMs }) => atMs <= untilMs).toSorted((a, b) => a.atMs - b.atMs)) {
            budget = received(budget, done.sentAtMs, done.facts, done.atMs)
          }
          open = open.filter(({ atMs }) => atMs > untilMs)
        }
        for (const { waitMs, upMs, downMs, lost } of wanted) {
          now += waitMs
          settleUntil(now)
          for (let at = earliestMs(budget, now); at > now; at = earliestMs(budget, now)) {
            now = Math.min(at, ...open.map(({ atMs }) => atMs))
            settleUntil(now)
          }
          budget = sent(budget, now)
          arrivals.push(now + upMs)
          open.push({ sentAtMs: now, atMs: now + upMs + downMs, facts: lost ? { is: 'silence', sent: true } : ok })
        }
        arrivals.sort((a, b) => a - b)
        for (const [index, at] of arrivals.entries()) {
          const earlier = arrivals[index - requests]
          if (earlier !== undefined) expect(at - earlier).toBeGreaterThanOrEqual(settings.windowMs)
        }
      },
    ),
    { numRuns: 500 },
  )
})
