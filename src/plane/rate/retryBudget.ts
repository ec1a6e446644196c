/**
 * How many repetitions all callers of one credential may send: one for each ten answered requests, and six an hour; at most ten are saved up.
 * A service that is down then gets hardly more requests than without repetitions. A request that always fails costs a few repetitions an hour,
 * over all cycles. Finagle and gRPC do the same.
 *
 * @see https://finagle.github.io/blog/2016/02/08/retry-budgets · https://github.com/grpc/proposal/blob/master/A6-client-retries.md
 */
export type RetryBudget = { readonly balance: number; readonly atMs: number }

export const retriesMax = 10
/** The balance counts tenths of a repetition, because ten times 0.1 is not exactly 1. */
const cost = 10
const perAnswer = 1
const perMs = (6 * cost) / 3_600_000

export const fullRetryBudget = (now: number): RetryBudget => ({ balance: retriesMax * cost, atMs: now })

/** The budget after an answer that is no transient failure. */
export const deposit = (budget: RetryBudget, now: number): RetryBudget => earned(budget, now, perAnswer)

/** The budget without one repetition; undefined if none is left. */
export function withdraw(budget: RetryBudget, now: number): RetryBudget | undefined {
  const { balance } = earned(budget, now, 0)
  return balance < cost ? undefined : { balance: balance - cost, atMs: now }
}

const earned = ({ balance, atMs }: RetryBudget, now: number, more: number): RetryBudget => ({
  balance: Math.min(retriesMax * cost, balance + more + Math.max(0, now - atMs) * perMs),
  atMs: now,
})
