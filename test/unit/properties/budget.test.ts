import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import { factsOf } from '../../../src/http/rateHeaders.ts'
import { type RequestResult, received } from '../../../src/plane/rate/answered.ts'
import { type BudgetSettings, earliestMs, emptyBudget, sent } from '../../../src/plane/rate/budget.ts'
import { holds } from './runs.ts'

const windowMs = 1_000
const anySettings: fc.Arbitrary<BudgetSettings> = fc.record({
  requests: fc.integer({ min: 1, max: 9 }),
  windowMs: fc.constant(windowMs),
  reserve: fc.constantFrom(0, 0.1, 0.5),
  blockedMaxMs: fc.constant(5_000),
})

/** Clocks are read in whole ms, so a time may be 1 ms too small. */
const tickMs = 1

/** An answer with its raw headers, so that this test does not depend on the parser. `silence`: no answer came. `kept`: no byte was sent. */
type Answer = { readonly status: number; readonly headers: Readonly<Record<string, string>> } | 'silence' | 'kept'
const ok: Answer = { status: 200, headers: {} }

/** Any answer of a service, true or not. */
const anyAnswer: fc.Arbitrary<Answer> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      status: fc.constantFrom(200, 200, 200, 201, 404, 500, 503, 429, 401, 301),
      headers: fc.record(
        {
          'x-ratelimit-limit': fc.integer({ min: 1, max: 20 }).map(String),
          'x-ratelimit-remaining': fc.nat(12).map(String),
          'x-ratelimit-reset': fc.nat(3).map(String),
          'retry-after': fc.nat(3).map(String),
        },
        { requiredKeys: [] },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.constantFrom<Answer>('silence', 'silence', 'kept') },
)

const factsFrom = (answer: Answer, now: number): RequestResult =>
  typeof answer === 'string' ? { kind: 'silence', sent: answer === 'silence' } : factsOf(answer, now)

/** Whether the service may have counted the request. It refuses requests with these codes before it counts them. */
const mayCount = (answer: Answer): boolean =>
  typeof answer === 'string' ? answer === 'silence' : ![301, 401, 403, 429].includes(answer.status)

type Request = { readonly waitMs: number; readonly tookMs: number; readonly answer: Answer }
type Sent = { readonly atMs: number; readonly doneMs: number; readonly counted: boolean }

/** Sends as the queue does: each request as early as the budget allows. An answer changes the budget when it arrives. */
function sending(settings: BudgetSettings, wanted: readonly Request[]): readonly Sent[] {
  const all: (Sent & { readonly answer: Answer })[] = []
  let budget = emptyBudget(settings)
  let open: typeof all = []
  let now = 1e6
  const pass = (untilMs: number) => {
    for (const one of open.filter(({ doneMs }) => doneMs <= untilMs).toSorted((a, b) => a.doneMs - b.doneMs))
      budget = received(budget, one.atMs, factsFrom(one.answer, one.doneMs), one.doneMs)
    open = open.filter(({ doneMs }) => doneMs > untilMs)
    now = untilMs
  }
  for (const { waitMs, tookMs, answer } of wanted) {
    pass(now + waitMs)
    for (let at = earliestMs(budget, now); at > now; at = earliestMs(budget, now)) {
      const next = Math.min(at, ...open.map(({ doneMs }) => doneMs))
      // An answer in flight changes the budget, or the wait ends within the longest allowed time.
      expect(next - now).toBeLessThanOrEqual(Math.max(settings.blockedMaxMs, 2 * windowMs))
      pass(next)
    }
    budget = sent(budget, now)
    const one = { atMs: now, doneMs: now + tookMs, counted: mayCount(answer), answer }
    all.push(one)
    open.push(one)
  }
  return all
}

const anyRequest: fc.Arbitrary<Request> = fc.record({
  waitMs: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(700) }),
  tookMs: fc.oneof(fc.constant(0), fc.nat(80), fc.nat(1_500)),
  answer: fc.oneof({ weight: 2, arbitrary: fc.constant(ok) }, { weight: 1, arbitrary: anyAnswer }),
})

describe('budget', () => {
  holds(
    'A budget keeps each window within the limit, whatever the service answers, and at whatever moment between sending and answer it counts a request',
    400,
    fc.property(anySettings, fc.array(anyRequest, { minLength: 1, maxLength: 50 }), (settings, wanted) => {
      const most = Math.max(1, settings.requests - Math.ceil(settings.requests * settings.reserve))
      const all = sending(settings, wanted)
      for (const [index, { atMs }] of all.entries()) {
        const together = all
          .slice(0, index)
          .filter(({ doneMs, counted }) => (doneMs > atMs || counted) && doneMs + windowMs + tickMs > atMs)
        expect(together.length + 1).toBeLessThanOrEqual(most)
      }
    }),
  )

  holds(
    'After an answer a budget sends at once at most as many requests as the service has left, or one if it has none left; after a 429 it sends none',
    400,
    fc.property(
      anySettings,
      fc.array(fc.record({ waitMs: fc.nat(500), others: fc.nat(3) }), { minLength: 1, maxLength: 60 }),
      (settings, turns) => {
        const service = slidingLog(settings)
        let budget = emptyBudget(settings)
        let now = 1e6
        for (const { waitMs, others } of turns) {
          now += waitMs
          for (let n = 0; n < others; n++) service.ask(now)
          now = Math.max(now, earliestMs(budget, now))
          const answer = service.ask(now)
          budget = received(sent(budget, now), now, factsFrom(answer, now), now)
          let atOnce = 0
          for (let after = budget; earliestMs(after, now) <= now && atOnce <= settings.requests; after = sent(after, now)) atOnce++
          if (answer.status === 429) expect(atOnce).toBe(0)
          else expect(atOnce).toBeLessThanOrEqual(Math.max(1, service.left(now)))
        }
      },
    ),
  )
})

/** The service, without latency. It counts each request that it accepts, and reports the right numbers. */
function slidingLog({ requests }: BudgetSettings) {
  let log: readonly number[] = []
  const age = (now: number) => (log = log.filter((atMs) => atMs > now - windowMs))
  return {
    left: (now: number) => requests - age(now).length,
    ask(now: number): Exclude<Answer, string> {
      const inside = age(now)
      if (inside.length >= requests) {
        const freeMs = (inside[0] ?? now) + windowMs - now
        return { status: 429, headers: { 'retry-after': String(Math.ceil(freeMs / 1_000)) } }
      }
      log = [...log, now]
      return { status: 200, headers: { 'x-ratelimit-remaining': String(requests - log.length) } }
    },
  }
}
