import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Quota } from '../../../../src/http/rateHeaders.ts'
import { type RequestResult, received } from '../../../../src/plane/rate/answered.ts'
import { type Budget, type BudgetSettings, earliestMs, emptyBudget, sent, view, withSettings } from '../../../../src/plane/rate/budget.ts'

const settings: BudgetSettings = { requests: 5, windowMs: 1000, reserve: 0, blockedMaxMs: 100_000 }
const answer = (status: number, more: { retryAfterMs?: number } & Quota = {}): RequestResult => {
  const { retryAfterMs, ...quota } = more
  const quotas = Object.keys(quota).length === 0 ? [] : [quota]
  return { kind: 'answer', status, quotas, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
}
/** The time that a request occupies its place: a window, 500 ppm for two clocks, and a tick. */
const heldMs = 1000 + 1 + 1
const ok = answer(200)
const left = (remaining: number, more: Quota = {}): RequestResult => answer(200, { remaining, ...more })

/** Sends one request after another. The answer comes `tookMs` after the sending, and the next request a moment later. */
function spend(budget: Budget, fromMs: number, facts: readonly RequestResult[], tookMs = 0): Budget {
  return facts.reduce((state, fact, index) => {
    const sentAtMs = fromMs + index * (tookMs + 1)
    return received(sent(state, sentAtMs), sentAtMs, fact, sentAtMs + tookMs)
  }, budget)
}

test('a full burst, then the next when the first answer is one window old', () => {
  const full = spend(emptyBudget(settings), 0, [ok, ok, ok, ok, ok], 10)
  expect(earliestMs(full, 60)).toBe(10 + heldMs)
  expect(earliestMs(spend(emptyBudget(settings), 0, [ok, ok, ok, ok], 10), 15)).toBe(15)
})

test('requests in flight occupy their place, and only an answer frees it', () => {
  const first = received(sent(emptyBudget(settings), 0), 0, ok, 10)
  const four = [10, 10, 10, 10].reduce((state, now) => sent(state, now), first)
  expect(earliestMs(four, 2000)).toBe(Number.POSITIVE_INFINITY)
  expect(earliestMs(received(four, 10, { kind: 'silence', sent: false }, 20), 20)).toBe(20)
  const stillThree = received(four, 10, { kind: 'silence', sent: true }, 20)
  expect(earliestMs(stillThree, 20)).toBe(Number.POSITIVE_INFINITY)
  const none = [30, 30, 30].reduce((state, now) => received(state, 10, ok, now), stillThree)
  expect(earliestMs(none, 40)).toBe(10 + heldMs)
})

test('nothing is known before the first answer, so the first request goes alone', () => {
  expect(earliestMs(sent(emptyBudget(settings), 0), 0)).toBe(Number.POSITIVE_INFINITY)
  expect(earliestMs(sent(spend(emptyBudget(settings), 0, [ok], 10), 10), 10)).toBe(10)
  expect(earliestMs(sent(spend(emptyBudget(settings), 0, [ok], 10), 2000), 2000)).toBe(Number.POSITIVE_INFINITY)
})

test.each([401, 403, 429, 300, 301, 399])('a %i is not counted', (status) => {
  const refused = spend(emptyBudget(settings), 0, [ok, answer(status, { retryAfterMs: 0 })], 0)
  expect(view(refused, 2).used).toBe(1)
})

test.each([200, 204, 400, 404, 405, 500, 503])('a %i is counted', (status) => {
  expect(view(spend(emptyBudget(settings), 0, [answer(status)]), 2).used).toBe(1)
})

test('the reserve is left to others', () => {
  const reserved = spend(
    emptyBudget({ ...settings, requests: 60, reserve: 0.1 }),
    0,
    Array.from({ length: 53 }, () => ok),
  )
  expect(view(reserved, 60)).toMatchObject({ limit: 60, allowed: 54, used: 53, remaining: 1, waitMs: 0 })
  expect(view(spend(reserved, 60, [ok]), 61)).toMatchObject({ used: 54, remaining: 0, waitMs: heldMs - 61 })
  expect(view(emptyBudget({ ...settings, requests: 1, reserve: 0.1 }), 0)).toMatchObject({ limit: 1, allowed: 1, remaining: 1 })
})

test("others' use shows in Remaining and occupies places for a window, or until the service starts anew", () => {
  const shared = spend(emptyBudget(settings), 0, [left(1)])
  expect(view(shared, 1)).toMatchObject({ used: 4, others: 3, remaining: 1 })
  expect(view(shared, heldMs)).toMatchObject({ used: 0, others: 0 })
  expect(view(spend(emptyBudget(settings), 0, [left(1, { resetMs: 300 })]), 301)).toMatchObject({ used: 1, others: 0 })
})

test('others are believed to leave evenly, and each that may have left is asked for alone', () => {
  const shared = spend(emptyBudget(settings), 0, [left(0)])
  expect(view(shared, 1)).toMatchObject({ used: 5, others: 4 })
  expect(earliestMs(shared, 1)).toBe(251)
  expect(earliestMs(sent(shared, 251), 251)).toBe(Number.POSITIVE_INFINITY)
})

test('others who had not left, as a refusal or a lower Remaining shows, stay for a whole window', () => {
  const shared = spend(emptyBudget(settings), 0, [left(0)])
  const refused = received(sent(shared, 251), 251, answer(429, { retryAfterMs: 10 }), 260)
  expect(view(refused, 1259)).toMatchObject({ others: 3, limit: 5 })
  expect(view(refused, 1261)).toMatchObject({ others: 0 })
  const reserved = spend(emptyBudget({ ...settings, reserve: 0.2 }), 0, [left(1)])
  const eaten = received(sent(reserved, 400), 400, left(0), 410)
  expect(earliestMs(eaten, 410)).toBe(410 + 1001)
})

test('Remaining that reads too high while requests overlap raises nothing, one that came alone does', () => {
  const shared = spend(emptyBudget(settings), 0, [left(1)])
  const two = [10, 10].reduce((state, now) => sent(state, now), shared)
  expect(view(received(received(two, 10, left(3), 20), 10, left(3), 21), 22)).toMatchObject({ used: 6, others: 3 })
  expect(view(spend(shared, 10, [left(3)]), 11)).toMatchObject({ used: 2, others: 0 })
})

test('what was said to be left may be on its way, also where our own have left: then the next request waits for an answer', () => {
  const full = spend(emptyBudget({ ...settings, requests: 4 }), 0, [left(3), left(2), left(1), left(0)])
  const one = spend(full, 1003, [left(1)])
  expect(view(one, 1004)).toMatchObject({ used: 2, others: 0 })
  expect(earliestMs(one, 1004)).toBe(1004)
  expect(earliestMs(sent(one, 1004), 1004)).toBe(Number.POSITIVE_INFINITY)
})

test('a Remaining that never falls is no budget', () => {
  const bearer = spend(
    emptyBudget(settings),
    0,
    Array.from({ length: 5 }, () => left(5)),
  )
  expect(earliestMs(bearer, 6)).toBe(heldMs)
})

test('what others took is asked again, one request at a time, when its time is over', () => {
  const shared = spend(emptyBudget({ ...settings, requests: 10 }), 0, [left(4)])
  const later = sent(received(sent(shared, 990), 990, left(4), 995), 1992)
  expect(view(later, 1996).others).toBe(0)
  expect(earliestMs(later, 1996)).toBe(Number.POSITIVE_INFINITY)
})

test('a published limit below the settings counts, one above them does not', () => {
  const said = (limit: number): RequestResult => answer(200, { limit })
  expect(view(spend(emptyBudget(settings), 0, [said(3)]), 1).limit).toBe(3)
  expect(view(spend(emptyBudget(settings), 0, [said(300)]), 1).limit).toBe(5)
  expect(view(spend(emptyBudget(settings), 0, [said(3), said(5)]), 2).limit).toBe(5)
})

test.each([500, 502, 401, 403, 302])('a limit beside a %i is that of somebody else, and counts for nothing', (status) => {
  expect(view(spend(emptyBudget(settings), 0, [answer(status, { limit: 1 })]), 1).limit).toBe(5)
  expect(view(spend(emptyBudget(settings), 0, [answer(200, { limit: 3 }), answer(status, { limit: 1 })]), 2).limit).toBe(3)
  // An error answer without a limit does not end the validity of the published limit.
  expect(view(spend(emptyBudget(settings), 0, [answer(200, { limit: 3 }), answer(status)], 1500), 5000).limit).toBe(3)
})

test.each([200, 404, 499])('a limit beside a %i counts, until answers have come without it for a window', (status) => {
  const told = spend(emptyBudget(settings), 0, [answer(status, { limit: 3 })])
  const silent = (budget: Budget, atMs: number) => received(sent(budget, atMs), atMs, ok, atMs)
  expect(view(told, 999).limit).toBe(3)
  expect(view(silent(told, 999), 999).limit).toBe(3)
  expect(view(silent(silent(told, 999), 1000), 1000).limit).toBe(5)
  const again = received(sent(silent(told, 600), 601), 601, answer(status, { limit: 3 }), 601)
  expect(view(silent(again, 1600), 1600).limit).toBe(3)
  expect(view(silent(again, 1601), 1601).limit).toBe(5)
})

test('settings that were read again and say the same change nothing', () => {
  const lowered: Budget = { ...emptyBudget(settings), limit: 2, growsAtMs: 10_000 }
  expect(withSettings(lowered, { ...settings })).toBe(lowered)
})

test.each([{ requests: 4 }, { windowMs: 2000 }, { reserve: 0.5 }, { blockedMaxMs: 1 }])('settings that say %j are taken', (said) => {
  const lowered: Budget = { ...emptyBudget(settings), limit: 2, growsAtMs: 10_000 }
  const next = { ...settings, ...said }
  expect(withSettings(lowered, next)).toEqual({ ...lowered, settings: next, limit: next.requests })
})

test('of several quotas the one of our window counts; another blocks when only its reserve is left', () => {
  const minutes = { ...settings, requests: 10, windowMs: 60_000, reserve: 0.1 }
  const told = (...quotas: Quota[]): RequestResult => ({ kind: 'answer', status: 200, quotas })
  const day: Quota = { limit: 100, windowS: 86_400, resetMs: 50_000 }
  const both = told({ remaining: 6, windowS: 60 }, { ...day, remaining: 11 })
  expect(view(spend(emptyBudget(minutes), 0, [both]), 1)).toMatchObject({ limit: 10, others: 3, blockedUntilMs: 0 })
  const spent = told({ remaining: 6, windowS: 60 }, { ...day, remaining: 10 })
  expect(view(spend(emptyBudget(minutes), 0, [spent]), 1)).toMatchObject({ others: 3, blockedUntilMs: 50_000 })
})

test('Retry-After blocks, bounded', () => {
  const wait = (retryAfterMs: number) => spend(emptyBudget(settings), 0, [answer(503, { retryAfterMs })])
  expect(earliestMs(wait(7000), 0)).toBe(7000)
  expect(earliestMs(wait(1e12), 0)).toBe(100_000)
})

test('a 429 without Retry-After waits for the reset, but never more than one window', () => {
  const refused = (more: Quota) => spend(emptyBudget(settings), 0, [answer(429, more)])
  expect(earliestMs(refused({}), 0)).toBe(1000)
  expect(earliestMs(refused({ resetMs: 300 }), 0)).toBe(300)
  expect(earliestMs(refused({ resetMs: 60_000 }), 0)).toBe(1000)
})

test('one 429 soon after another blocks for twice as long, up to a window', () => {
  const refusedAt = (state: Budget, now: number) => received(sent(state, now), now, answer(429, { retryAfterMs: 300 }), now)
  const once = refusedAt(emptyBudget(settings), 0)
  expect(earliestMs(once, 0)).toBe(300)
  const twice = refusedAt(once, 300)
  expect(earliestMs(twice, 300)).toBe(900)
  expect(earliestMs(refusedAt(twice, 900), 900)).toBe(1900)
  expect(earliestMs(refusedAt(twice, 1901), 1901)).toBe(2201)
})

/** The budget a window after the first request, when the past of the credential is known. */
const watched = (requests: number) => spend(emptyBudget({ ...settings, requests }), 0, [ok])

test('an unexplained 429 lowers the limit once for all that were in flight, to what was used, at most by half; and it grows back', () => {
  const refused = answer(429, { retryAfterMs: 100 })
  const three = [1500, 1500, 1500].reduce((state, now) => sent(state, now), watched(60))
  const lowered = [1505, 1506, 1507].reduce((state, now) => received(state, 1500, refused, now), three)
  expect(view(lowered, 1508).limit).toBe(30)
  expect(view(lowered, 6506).limit).toBe(36)
  const patient = Array.from({ length: 30 }, (_, index) => 1505 + 5001 * (index + 1)).reduce(
    (state, now) => spend(state, now, [ok]),
    lowered,
  )
  expect(view(patient, 1505 + 5001 * 30 + 1).limit).toBe(60)
  const fifty = spend(
    watched(60),
    1500,
    Array.from({ length: 50 }, () => ok),
  )
  expect(view(spend(fifty, 1560, [refused]), 1561).limit).toBe(50)
})

test('where Remaining keeps count an unexplained 429 lowers the limit by one place', () => {
  const counted = spend(
    watched(60),
    1500,
    Array.from({ length: 40 }, (_, nth) => left(59 - nth)),
  )
  const waited = received(sent(counted, 1700), 1700, answer(429, { retryAfterMs: 100 }), 1701)
  expect(view(waited, 1702).limit).toBe(59)
})

test('a 429 lowers nothing that our own use explains, or the unknown past of the credential', () => {
  const full = spend(emptyBudget(settings), 0, [ok, ok, ok, ok, ok])
  expect(view(received(sent(full, 6), 6, answer(429, { retryAfterMs: 10 }), 7), 8).limit).toBe(5)
  expect(view(spend(emptyBudget(settings), 0, [answer(429, { retryAfterMs: 10 })]), 1).limit).toBe(5)
})

test('whatever the numbers in the headers, the state stays bounded', () => {
  const number = fc.integer({ min: 0, max: 999_999_999 })
  const quota = fc.record({ limit: number, remaining: number, resetMs: number, windowS: fc.constantFrom(1, 60) }, { requiredKeys: [] })
  const facts = fc.record({
    kind: fc.constant('answer' as const),
    status: fc.constantFrom(200, 404, 429, 500),
    quotas: fc.array(quota, { maxLength: 3 }),
    retryAfterMs: number,
  })
  fc.assert(
    fc.property(fc.array(facts, { maxLength: 60 }), (all) => {
      const end = spend(emptyBudget(settings), 0, all)
      expect(view(end, 100).others).toBeLessThanOrEqual(settings.requests)
      expect(view(end, 100).limit).toBeGreaterThanOrEqual(1)
      expect(view(end, 100).limit).toBeLessThanOrEqual(settings.requests)
      expect(view(end, 100).waitMs).toBeLessThanOrEqual(settings.blockedMaxMs)
    }),
  )
})

describe('one at a time, where the estimate is a guess', () => {
  /** A budget with one request in flight. The last answer came 50 ms ago, without the number of requests that are left. */
  const state = (more: Partial<Budget> = {}): Budget => ({
    ...emptyBudget({ ...settings, requests: 10 }),
    inFlight: [40],
    lastAnswer: { atMs: 0, remaining: undefined },
    ...more,
  })
  const others = (count: number, expiredMs: number, atMs = 0) => ({ count, atMs, expiredMs, noEvenExpiryUntilMs: 0 })
  const alone = Number.POSITIVE_INFINITY
  test.each<[string, Partial<Budget>, number, number]>([
    ['not otherwise', {}, 50, 50],
    ['but never more than there are places', { inFlight: Array.from({ length: 10 }, () => 40) }, 50, alone],
    ['an answer from a moment ago is heard', {}, 99, 99],
    ['one from a tenth of a window ago is not', {}, 100, alone],
    ['what was said to be left is on its way', { remainingFollows: true, lastAnswer: { atMs: 0, remaining: 1 } }, 50, alone],
    ['not where more was', { remainingFollows: true, lastAnswer: { atMs: 0, remaining: 2 } }, 50, 50],
    ['not where nothing was said', { remainingFollows: true }, 50, 50],
    ['not where it keeps no count', { lastAnswer: { atMs: 0, remaining: 0 } }, 50, 50],
    ['others are all there', { foreignUsage: others(4, 200) }, 50, 50],
    ['one of them may have left', { foreignUsage: others(4, 200) }, 52, alone],
    ['they leave four places, one of them for what is on its way', { foreignUsage: others(6, 1050, 50) }, 50, alone],
    ['they leave five', { foreignUsage: others(5, 1050, 50) }, 50, 50],
    ['a 429 is less than a window ago', { pauseMs: 9, blockedUntilMs: 20, lastAnswer: { atMs: 950, remaining: undefined } }, 1019, alone],
    ['it is a window ago', { pauseMs: 9, blockedUntilMs: 20, lastAnswer: { atMs: 950, remaining: undefined } }, 1020, 1020],
    ['what blocked was no 429', { blockedUntilMs: 20 }, 50, 50],
    ['the limit was lowered', { limit: 9, growsAtMs: 5000 }, 50, alone],
    ['not where Remaining confirms it', { limit: 9, growsAtMs: 5000, pauseMs: 9, blockedUntilMs: 20, remainingFollows: true }, 50, 50],
  ])('%s', (_, more, now, at) => {
    expect(earliestMs(state(more), now)).toBe(at)
  })
})

test('a clock that goes faster than the service, by as much as NTP corrects, does not send early', () => {
  const { windowMs } = settings
  const full = spend(emptyBudget(settings), 0, [ok, ok, ok, ok, ok])
  const trueMs = earliestMs(full, 60) / 1.0005
  expect(trueMs).toBeGreaterThanOrEqual(windowMs)
})
