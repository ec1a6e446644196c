/** A step of the dearest kind takes 60 ns (measured), so that a turn takes 120 ms at most. */
const stepsInATurn = 2_000_000

/**
 * Counts steps of work. After each two million the answer is a promise that is kept when other work had its turn: requests for `/healthz`, signals.
 * Short work never waits.
 */
export function openTurns(): (steps: number) => Promise<void> | undefined {
  let sofar = 0
  return (steps) => {
    sofar += steps
    if (sofar < stepsInATurn) return undefined
    sofar = 0
    return new Promise((resolve) => setImmediate(resolve))
  }
}
