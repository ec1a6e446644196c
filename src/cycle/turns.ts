import { Stopped } from './readExisting.ts'

/** A step of the dearest kind takes 60 ns (measured), so that a turn takes 120 ms at most. */
const stepsInATurn = 2_000_000
/** A rule or a mapping costs each stage of a plan about 8 µs (measured with 100,000 of them). */
const stepsOfAMapping = 140

/**
 * Counts steps of work. After each two million the answer is a promise that is kept when other work had its turn: requests for `/healthz`, signals.
 * Short work never waits.
 *
 * @throws {Stopped} by the promise, if `signal` fired
 */
export function openTurns(signal: AbortSignal): (steps: number) => Promise<void> | undefined {
  let sofar = 0
  return (steps) => {
    sofar += steps
    if (sofar < stepsInATurn) return undefined
    sofar = 0
    return nextTurn(signal)
  }
}

/**
 * Turns between the stages of a plan.
 *
 * @param size rules and mappings
 */
export function openStages(size: number, signal: AbortSignal): () => Promise<void> | undefined {
  const turn = openTurns(signal)
  return () => turn(size * stepsOfAMapping)
}

async function nextTurn(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
  if (signal.aborted) throw new Stopped('stopped before the plan was made', { cause: signal.reason })
}
