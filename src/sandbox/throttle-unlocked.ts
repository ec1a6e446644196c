import { type Limit, type Limiter, type Ruling, rule } from './throttle.ts'

/** What one credential's log will be overwritten with, and when; in order. */
export type Write = { readonly atMs: number; readonly log: readonly number[] }

/** Between reading the log and writing it back. */
export const raceMs = 5

/**
 * As `rule` by a service that reads its log, rules, and writes the log back later, without a lock: requests that overlap rule on the same
 * log, the last of them overwrites what the others entered, more than the limit get through, and Remaining goes up and down
 * (measured on the Community Edition: of 150 requests 60, 84, 112, 146 at 1, 5, 20, 50 at a time).
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
