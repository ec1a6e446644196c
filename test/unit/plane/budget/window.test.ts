import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type RequestResult, received } from '../../../../src/plane/rate/answered.ts'
import { earliestMs, emptyBudget, sent } from '../../../../src/plane/rate/budget.ts'

const windowMs = 1000

const quota = fc.record(
  { limit: fc.nat(12), remaining: fc.nat(12), resetMs: fc.nat(3000), windowS: fc.constantFrom(1, 60) },
  { requiredKeys: [] },
)
const told = { quotas: fc.array(quota, { maxLength: 2 }), retryAfterMs: fc.option(fc.nat(2000), { nil: undefined }) }
const facts: fc.Arbitrary<RequestResult> = fc.oneof(
  fc.constant({ kind: 'silence' as const, sent: true }),
  fc
    .record({ status: fc.constantFrom(200, 201, 400, 404, 500, 503), ...told })
    .map(({ retryAfterMs, ...rest }) => ({ kind: 'answer' as const, ...rest, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) })),
)

const plain: fc.Arbitrary<RequestResult> = fc.constantFrom({ kind: 'silence', sent: true }, { kind: 'answer', status: 200, quotas: [] })

/** Checks the promise by arrivals. A request arrives at some time between its sending and its answer, or the end of the wait for it. */
test('whatever is wanted, whatever is answered: no trailing window ever holds more arrivals than the limit', () => {
  const times = { waitMs: fc.nat(400), upMs: fc.nat(300), downMs: fc.nat(300) }
  // In half of the cases the answers have nothing that slows the client down.
  const requests = fc
    .oneof(fc.constant(plain), fc.constant(facts))
    .chain((facts) => fc.array(fc.record({ ...times, facts }), { minLength: 1, maxLength: 60 }))
  fc.assert(
    fc.property(requests, fc.integer({ min: 1, max: 8 }), fc.constantFrom(0, 0.1, 0.5), (wanted, requests, reserve) => {
      const arrivals: number[] = []
      let budget = emptyBudget({ requests, windowMs, reserve, blockedMaxMs: 100_000 })
      let open: { sentAtMs: number; atMs: number; facts: RequestResult }[] = []
      let now = 0
      const settleUntil = (untilMs: number) => {
        for (const done of open.filter(({ atMs }) => atMs <= untilMs).toSorted((a, b) => a.atMs - b.atMs)) {
          budget = received(budget, done.sentAtMs, done.facts, done.atMs)
        }
        open = open.filter(({ atMs }) => atMs > untilMs)
      }
      for (const { waitMs, upMs, downMs, facts } of wanted) {
        now += waitMs
        settleUntil(now)
        for (let at = earliestMs(budget, now); at > now; at = earliestMs(budget, now)) {
          now = Math.min(at, ...open.map(({ atMs }) => atMs))
          settleUntil(now)
        }
        budget = sent(budget, now)
        arrivals.push(now + upMs)
        open.push({ sentAtMs: now, atMs: now + upMs + downMs, facts })
      }
      arrivals.sort((a, b) => a - b)
      for (const [index, at] of arrivals.entries()) {
        const earlier = arrivals[index - requests]
        if (earlier !== undefined) expect(at - earlier).toBeGreaterThanOrEqual(windowMs)
      }
    }),
    { numRuns: 1000 },
  )
})
