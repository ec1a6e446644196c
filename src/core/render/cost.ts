/** A generous round trip: writes to a loaded instance take longer than reads. Only a bound is shown to people. */
const callMs = 500
const windowMs = 60_000

/**
 * What applying a plan costs. `calls`: one for each change, on top of what a cycle without changes costs. `ms`: from the first read to the
 * last write, since reads and writes share one budget: full bursts, then the wait for the window.
 *
 * @param perMinute calls that the budget allows in a window of a minute
 */
export function cost({ changes, quietCalls, perMinute }: { changes: number; quietCalls: number; perMinute: number }): {
  readonly calls: number
  readonly ms: number
} {
  if (changes === 0) return { calls: 0, ms: 0 }
  const all = changes + quietCalls
  const each = Math.max(1, Math.floor(perMinute))
  const waits = Math.ceil(all / each) - 1
  return { calls: changes, ms: Math.max(all * callMs, waits * windowMs + (all - waits * each) * callMs) }
}
