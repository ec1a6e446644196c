import { Stopped } from './readExisting.ts'

/** The slowest step takes 60 ns (measured). So a turn takes at most 120 ms. */
const stepsInATurn = 2_000_000
/** A rule or a mapping costs each stage of a plan about 8 µs (measured with 100,000 of them). */
const stepsOfAMapping = 140

/**
 * Counts steps of work. After every 2,000,000 steps the function returns a promise. The promise resolves when other work (requests for `/healthz`,
 * signals) has had its turn. Short work never waits.
 *
 * @throws {Stopped} by the promise, if `signal` fired
 */
export function openYielder(signal: AbortSignal): (steps: number) => Promise<void> | undefined {
  let total = 0
  return (steps) => {
    total += steps
    if (total < stepsInATurn) return undefined
    total = 0
    return nextTurn(signal)
  }
}

/**
 * Turns between the stages of a plan.
 *
 * @param size rules and mappings
 */
export function openStages(size: number, signal: AbortSignal): () => Promise<void> | undefined {
  const turn = openYielder(signal)
  return () => turn(size * stepsOfAMapping)
}

async function nextTurn(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
  if (signal.aborted) throw new Stopped('stopped before the plan was made', { cause: signal.reason })
}
