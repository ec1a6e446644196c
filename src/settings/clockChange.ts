import { parse } from 'node-cron'
import type { Finding } from '../core/finding.ts'
import { isoTime } from '../core/quantity.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000
/** How long before a change of the clocks the finding is given. */
const noticeMs = 14 * dayMs

/**
 * A finding if the clocks of the time zone change within 14 days and ticks are skipped or delayed then. An hour that does not exist has no tick. If
 * an hour comes twice, only the second one has ticks. A schedule of every hour has no gap in either case.
 *
 * @param cron a valid expression. @param timezone a valid IANA name. @param fromMs epoch ms
 */
export function clockChangeFinding(cron: string, timezone: string, fromMs: number): readonly Finding[] {
  const { hour, dayOfMonth, month, dayOfWeek } = parse(cron)
  if (hour.length === 24) return []
  const atMs = changeAfter(timezone, fromMs)
  if (atMs === undefined) return []
  const byMs = offsetMs(timezone, atMs) - offsetMs(timezone, atMs - 1)
  // The local time at the change: the first skipped moment, or the first repeated one.
  const local = new Date(atMs + offsetMs(timezone, atMs) - Math.max(0, byMs))
  const isAffected =
    hour.includes(local.getUTCHours()) &&
    dayOfMonth.includes(local.getUTCDate()) &&
    month.includes(local.getUTCMonth() + 1) &&
    dayOfWeek.includes(local.getUTCDay())
  if (!isAffected) return []
  const [day = '', from = ''] = isoTime(local.getTime())?.split('T') ?? []
  const until = isoTime(local.getTime() + Math.abs(byMs))?.split('T')[1] ?? ''
  const span = `the time from ${from.slice(0, 5)} to ${until.slice(0, 5)}`
  return [
    {
      code: 'schedule-clock-change',
      severity: 'info',
      place: 'schedule.cron',
      sentence:
        byMs > 0
          ? `the clocks of ${timezone} go forward on ${day}: ${span} does not exist on that day, and its ticks are skipped`
          : `the clocks of ${timezone} go back on ${day}: ${span} comes twice, and only the second one has ticks`,
      cure: 'for a schedule without such a gap, use the timezone UTC, or an expression that ticks in every hour',
    },
  ]
}

/** The first change of the offset to UTC, to the minute; undefined if there is none within the notice. */
function changeAfter(timezone: string, fromMs: number): number | undefined {
  let lowMs = Math.floor(fromMs / hourMs) * hourMs
  const now = offsetMs(timezone, lowMs)
  let highMs = lowMs
  while (offsetMs(timezone, highMs) === now) {
    highMs += dayMs
    if (highMs > fromMs + noticeMs) return undefined
  }
  lowMs = highMs - dayMs
  while (highMs - lowMs > 60_000) {
    const middleMs = Math.floor((lowMs + highMs) / 120_000) * 60_000
    if (offsetMs(timezone, middleMs) === now) lowMs = middleMs
    else highMs = middleMs
  }
  return highMs
}

/** The offset of the zone from UTC at a moment, in ms. `GMT+05:30` is the `longOffset` of ECMA-402; UTC itself is `GMT`. */
function offsetMs(timezone: string, atMs: number): number {
  const parts = formatOf(timezone).formatToParts(atMs)
  const text = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours = '0', minutes = '0'] = /^GMT([+-])(\d\d):(\d\d)/.exec(text) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

const formatOf = (timeZone: string): Intl.DateTimeFormat => new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
