import { type Limit, type Limiter, type Ruling, rule } from './throttle.ts'

/** A later overwrite of one credential's log; a list of them is in the order of time. */
export type Write = { readonly atMs: number; readonly log: readonly number[] }

/** The time between reading the log and writing it back. */
export const raceMs = 5

/**
 * Like `rule`, for a service that reads its log, decides, and writes the log back later, without a lock. Overlapping requests see the same
 * log, and the last of them overwrites the entries of the others. More requests than the limit get through, and Remaining goes up and down
 * (measured on the Community Edition: of 150 requests 60, 84, 112, 146 got through with 1, 5, 20, 50 at a time).
 */
export function ruleUnlocked(limiter: Limiter, limit: Limit, log: number[], writes: Write[], nowMs: number): Ruling {
  while (writes[0] !== undefined && writes[0].atMs <= nowMs) overwrite(log, (writes.shift() as Write).log)
  const copy = [...log]
  const ruling = rule(limiter, limit, copy, nowMs)
  if (ruling.allowed) writes.push({ atMs: nowMs + raceMs, log: copy })
  return ruling
}

function overwrite(log: number[], entries: readonly number[]): void {
  log.length = 0
  for (const atMs of entries) log.push(atMs)
}
