import { clocksAgreeMs, type Dates, differenceMs } from '../dates.ts'
import type { Finding } from '../finding.ts'
import { durationText, momentText } from '../quantity.ts'

/** NTP keeps clocks within a second. The answer of a slow service may be a minute old. */
const differenceMinMs = 5 * 60_000
/** NTP changes a clock in one step only for differences above 128 ms. Such a step is usually smaller than `steppedMinMs`. */
const steppedMinMs = 60_000

/**
 * Findings about the clock of this machine: it differs from Plane's clock, or it was set while the program ran.
 *
 * @param host of Plane
 * @param steppedMs how far the clock was set since the program started, in ms; positive for forward
 */
export function clockFindings(dates: Dates, host: string, steppedMs: number): readonly Finding[] {
  return [...differs(dates, host), ...stepped(steppedMs)]
}

function differs(dates: Dates, host: string): readonly Finding[] {
  const difference = differenceMs(dates)
  if (difference === undefined || Math.abs(difference) < differenceMinMs) return []
  const byMs = Math.abs(difference)
  const held = byMs > clocksAgreeMs ? '; a rule is held if only one of the two clocks has passed its "starts" or "expires"' : ''
  return [
    {
      code: 'clock-differs',
      severity: 'warning',
      place: host,
      sentence: `the clock of this machine is ${durationText(byMs)} ${difference < 0 ? 'ahead of' : 'behind'} the clock of Plane: it shows ${momentText(dates.hereMs)}${held}`,
      cure: 'compare both with a third clock, and correct the wrong one; NTP on both machines keeps them right',
    },
  ]
}

function stepped(byMs: number): readonly Finding[] {
  if (Math.abs(byMs) < steppedMinMs) return []
  return [
    {
      code: 'clock-stepped',
      severity: 'warning',
      place: 'clock of this machine',
      sentence: `it was set ${byMs > 0 ? 'forward' : 'back'} by ${durationText(Math.abs(byMs))} since the program started, or the machine was suspended; waits and limits are not affected, but the times of holds and journal entries are still by the earlier clock`,
      cure: 'restart the program at a convenient time, so that these times are right again',
    },
  ]
}
