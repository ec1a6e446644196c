import type { Rule } from './rule.ts'

/** The present date, epoch ms, by two clocks. */
export type Dates = {
  /** The date by the clock of this machine. */
  readonly hereMs: number
  /** The date by the clock of Plane, from the `Date` header of its answers; undefined if no answer had one. */
  readonly thereMs: number | undefined
}

/** Up to this difference the two clocks count as equal, and the clock of this machine decides. */
export const clocksAgreeMs = 3_600_000

/** Plane's clock minus the clock of this machine, in ms; undefined if Plane's clock is not known. */
export const differenceMs = ({ hereMs, thereMs }: Dates): number | undefined => (thereMs === undefined ? undefined : thereMs - hereMs)

/**
 * Whether a date has passed: the start or the end of a rule. `disputed`: the two clocks differ by more than an hour, and only one of them has passed the
 * date. Then one of the clocks is wrong, and nothing that rests on the date is decided.
 */
export function isOver(atMs: number, dates: Dates): 'yes' | 'no' | 'disputed' {
  const isOverHere = dates.hereMs >= atMs
  const isOverThere = (dates.thereMs ?? dates.hereMs) >= atMs
  if (isOverHere !== isOverThere && Math.abs(differenceMs(dates) ?? 0) > clocksAgreeMs) return 'disputed'
  return isOverHere ? 'yes' : 'no'
}

const dayMs = 86_400_000

/** The end of the day, by UTC. The plans of one day have one horizon, so that their fingerprints are equal. */
export const dayEndMs = (atMs: number): number => Math.ceil(atMs / dayMs) * dayMs

/** The dates of a rule that are still to come. */
export const datesToCome = ({ startsMs, expiresMs }: Pick<Rule, 'startsMs' | 'expiresMs'>, now: Dates): readonly number[] =>
  [startsMs, expiresMs].filter((atMs) => atMs !== undefined && isOver(atMs, now) === 'no') as readonly number[]

/** The dates on which these rules start or end, each once. */
export function datesOf(rules: Iterable<Pick<Rule, 'startsMs' | 'expiresMs'>>): readonly number[] {
  const dates = new Set<number>()
  for (const { startsMs, expiresMs } of rules) for (const atMs of [startsMs, expiresMs]) if (atMs !== undefined) dates.add(atMs)
  return [...dates]
}

/** Whether one of these dates is over at the second moment and was not at the first one, or the other way round, since a clock may be set back. */
export const hasDatePassed = (datesMs: readonly number[], then: Dates, now: Dates): boolean =>
  datesMs.some((atMs) => isOver(atMs, then) !== isOver(atMs, now))

/** When the next rule starts or ends, by the clock of this machine; undefined if no rule has a date that is still to come. */
export function nextDateMs(rules: Iterable<Pick<Rule, 'startsMs' | 'expiresMs'>>, { hereMs }: Pick<Dates, 'hereMs'>): number | undefined {
  let next: number | undefined
  for (const { startsMs, expiresMs } of rules)
    for (const atMs of [startsMs, expiresMs])
      if (atMs !== undefined && atMs > hereMs && atMs < (next ?? Number.POSITIVE_INFINITY)) next = atMs
  return next
}

/** The earlier of the two dates. A time has passed for certain only if both clocks have passed it. */
export const earlierMs = ({ hereMs, thereMs }: Dates): number => Math.min(hereMs, thereMs ?? hereMs)

/** The later of the two dates. A waiver has ended as soon as one of the clocks has passed its end. */
export const latestMs = ({ hereMs, thereMs }: Dates): number => Math.max(hereMs, thereMs ?? hereMs)
