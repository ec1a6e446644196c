/**
 * How many repetitions all callers of one credential may afford: one for each ten requests that were answered, and six an hour, at most ten
 * at once. So a service that is down meets hardly more requests than without repetitions, and a request that can only fail costs a few
 * repetitions an hour for all cycles together. As Finagle and gRPC do it.
 *
 * @see https://finagle.github.io/blog/2016/02/08/retry-budgets · https://github.com/grpc/proposal/blob/master/A6-client-retries.md
 */
export type RetryBudget = { readonly balance: number; readonly atMs: number }

export const retriesMax = 10
/** A tenth is not a number that adds up. */
const cost = 10
const perAnswer = 1
const perMs = (6 * cost) / 3_600_000

export const fullRetryBudget = (now: number): RetryBudget => ({ balance: retriesMax * cost, atMs: now })

/** A request was answered, other than with a transient failure. */
export const deposit = (budget: RetryBudget, now: number): RetryBudget => earned(budget, now, perAnswer)

/** One repetition taken out, or undefined: there is none left. */
export function withdraw(budget: RetryBudget, now: number): RetryBudget | undefined {
  const { balance } = earned(budget, now, 0)
  return balance < cost ? undefined : { balance: balance - cost, atMs: now }
}

const earned = ({ balance, atMs }: RetryBudget, now: number, more: number): RetryBudget => ({
  balance: Math.min(retriesMax * cost, balance + more + Math.max(0, now - atMs) * perMs),
  atMs: now,
})
