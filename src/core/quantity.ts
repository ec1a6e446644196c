import { type Bounds, type GroupSize, isUnknown } from './bounds.ts'

/** A whole number: `1,912`. A formatter of `Intl` would take 10 ms of the start of each process (measured). */
export const count = (n: number): string => `${n}`.replace(/\B(?=(?:\d{3})+$)/g, ',')

/** `1 group`, `1,912 groups` */
export const counted = (n: number, singular: string, plural = `${singular}s`): string => `${count(n)} ${n === 1 ? singular : plural}`

/** The word of a number that is exact is the number alone: `2`, `at least 2`, `at most 5`, `2 to 5`, `an unknown number`. */
export function boundsWord({ least, most }: Bounds): string {
  if (least === most) return count(least)
  if (most === undefined) return least === 0 ? 'an unknown number' : `at least ${count(least)}`
  return least === 0 ? `at most ${count(most)}` : `${count(least)} to ${count(most)}`
}

/** `1 person`, `at least 2 people`, `at most 1 person`, `2 to 5 people`, `an unknown number of people` */
export const boundsText = (bounds: Bounds, singular: string, plural = `${singular}s`): string =>
  `${boundsWord(bounds)}${isUnknown(bounds) ? ' of' : ''} ${(bounds.most ?? bounds.least) === 1 ? singular : plural}`

/** `63 people`, `3 members`; empty if the size is not known. */
export function sizeText(size: GroupSize | undefined): string {
  if (size === undefined || isUnknown(size)) return ''
  return size.of === 'people' ? boundsText(size, 'person', 'people') : boundsText(size, 'member')
}

/** The part of a number that a share stands for: 0.29 of 100 is 29. Their product is 28.999999999999996. */
export const partOf = (share: number, whole: number): number => Number((share * whole).toPrecision(15))

/** `corp`, `corp and ldap`, `corp, ldap and idp` */
export function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? ''
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`
}

const namesShown = 10

/** `corp, ldap`: the first ten names, and how many there are if there are more. */
export const firstNames = (names: readonly string[]): string =>
  names.slice(0, namesShown).join(', ') + (names.length > namesShown ? `, … (${count(names.length)})` : '')

/** `corp, ldap and 3 more`: the first names of a list with `total` names. */
export const listedFirst = (first: readonly string[], total: number): string =>
  listed(total > first.length ? [...first, `${count(total - first.length)} more`] : first)

/** A time span as a person says it: `40 s`, `1 min 40 s`, `2 h 5 min`, `3 d`. */
export function durationText(ms: number): string {
  if (!Number.isFinite(ms)) return 'an unknown time'
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return pair(minutes, 'min', seconds % 60, 's')
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? pair(hours, 'h', minutes % 60, 'min') : pair(Math.floor(hours / 24), 'd', hours % 24, 'h')
}

const pair = (large: number, largeUnit: string, small: number, smallUnit: string): string =>
  small === 0 ? `${count(large)} ${largeUnit}` : `${count(large)} ${largeUnit} ${small} ${smallUnit}`

/** An upper bound of a time span, rounded up: `5 s`, `30 s`, `6 min`, `1 h 10 min`. */
export function boundText(ms: number): string {
  const seconds = ms / 1000
  const round = [5, 10, 20, 30, 60].find((bound) => seconds < bound)
  return durationText((round ?? (Math.floor(seconds / 60) + 1) * 60) * 1000)
}

/** An estimate of a time span, rounded up to a round number: `5 s`, `40 s`, `1 min 30 s`, `13 min`, `1 h 10 min`. */
export function roughText(ms: number): string {
  const steps = [
    { belowMs: 10_000, stepMs: 5_000 },
    { belowMs: 60_000, stepMs: 10_000 },
    { belowMs: 600_000, stepMs: 30_000 },
    { belowMs: 3_600_000, stepMs: 60_000 },
  ]
  const { stepMs } = steps.find(({ belowMs }) => ms < belowMs) ?? { stepMs: 600_000 }
  return durationText(Math.max(1, Math.ceil(ms / stepMs)) * stepMs)
}

/** `until 02:14:30 UTC (in 1 min 40 s)`; with the day if it is not the present day. */
export function untilText(untilMs: number, nowMs: number): string {
  const until = isoTime(untilMs)
  if (until === undefined) return 'with no end time'
  const [day = '', time = ''] = until.split('T')
  const clock = `${time.slice(0, 8)} UTC`
  const when = isoTime(nowMs)?.startsWith(day) === true ? clock : `${day} ${clock}`
  return untilMs > nowMs ? `until ${when} (in ${durationText(untilMs - nowMs)})` : `until ${when}, which has passed`
}

/** The same for a hold. If its time has passed, the text is `until the next read`, because the hold stays until then. */
export const holdUntilText = (untilMs: number, nowMs: number): string =>
  untilMs <= nowMs ? 'until the next read' : untilText(untilMs, nowMs)

/** `2026-11-03 02:14 UTC` */
export const momentText = (ms: number): string => `${isoTime(ms)?.slice(0, 16).replace('T', ' ') ?? 'an unknown time,'} UTC`

/** `between 2026-11-03 02:14 and 02:24 UTC`, with seconds if both are in one minute. Epoch ms. */
export function spanText(afterMs: number, atMs: number): string {
  const [after, at] = [isoTime(afterMs), isoTime(atMs)]
  if (after === undefined || at === undefined) return `between ${momentText(afterMs)} and ${momentText(atMs)}`
  const digits = after.slice(0, 16) === at.slice(0, 16) ? 19 : 16
  const text = (iso: string) => iso.slice(0, digits).replace('T', ' ')
  return `between ${text(after)} and ${after.slice(0, 10) === at.slice(0, 10) ? at.slice(11, digits) : text(at)} UTC`
}

/** The end of a rule as its file says it: the last day, `until 2027-01-31`, or the moment, `until 2027-01-31 18:00 UTC`. */
export function lastDayText(endMs: number): string {
  const [day, time] = isoTime(endMs - 1)?.split('T') ?? []
  return day !== undefined && time === '23:59:59.999Z' ? `until ${day}` : `until ${momentText(endMs)}`
}

/** ISO 8601 in UTC; undefined if the calendar has no such time. */
export function isoTime(ms: number): string | undefined {
  return Number.isFinite(ms) && Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : undefined
}
