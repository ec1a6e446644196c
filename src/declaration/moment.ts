import { isoTime } from '../core/quantity.ts'
import { z } from '../yaml/zod.ts'

const dayMs = 24 * 60 * 60 * 1000

/** The first and the last moment that a day or a moment of a declaration stands for, epoch ms. For a moment both are the same. */
type Span = { readonly fromMs: number; readonly toMs: number }

/** For editors: a day, or a moment with Z or an offset, of the years 2000 to 2999. */
export const dayOrMomentPattern = '^2\\d{3}-\\d{2}-\\d{2}(?:T\\d{2}:\\d{2}(?::\\d{2})?(?:Z|[+-]\\d{2}:\\d{2}))?$'

const moment = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/

/**
 * Reads a day in UTC (`2099-01-31`) or a moment with Z or an offset (`2099-01-31T18:00Z`). `toMs` of a day is the first moment of the next day.
 * Undefined if the calendar has no such day, if the years are not 2000 to 2999, or if the text has another form.
 */
export function spanOf(text: string): Span | undefined {
  if (!text.startsWith('2')) return undefined
  const day = moment.exec(text)?.[1]
  if (day === undefined) return isDay(text) ? { fromMs: startOf(text), toMs: startOf(text) + dayMs } : undefined
  const atMs = isDay(day) ? Date.parse(text) : Number.NaN
  return Number.isNaN(atMs) ? undefined : { fromMs: atMs, toMs: atMs }
}

/** The end of the day, in UTC, in which this moment lies. */
export const endOfDayMs = (atMs: number): number => (Math.floor(atMs / dayMs) + 1) * dayMs

/** The cure for an end that is later than `lastMs`. */
export function endBy(lastMs: number): string {
  if (!Number.isFinite(lastMs)) return 'the present time is not known'
  const day = new Date(endOfDayMs(lastMs) - 2 * dayMs).toISOString().slice(0, 10)
  return `write ${day} or an earlier day, or a moment up to ${isoTime(lastMs)?.slice(0, 16)}Z`
}

/** What is wrong with a text that `spanOf` does not understand. */
function spanFault(text: string): { readonly message: string; readonly cure: string } {
  const [day = '', time] = text.split(/[T ]/i)
  if (isDay(day) && !day.startsWith('2')) return { message: 'this day is not between 2000 and 2999', cure }
  if (!dayForm.test(day)) return { message: 'this is not written as a day or a moment', cure }
  if (!isDay(day)) return { message: 'this is not a day of the calendar', cure }
  if (time !== undefined && /^\d{2}:\d{2}(?::\d{2})?$/.test(time))
    return { message: 'this moment has no time zone', cure: `write Z for UTC, or an offset: ${day}T${time}Z, ${day}T${time}+01:00` }
  return { message: 'this is not a time of the day, with Z or an offset', cure }
}

const cure = 'write a day from 2000-01-01 to 2999-12-31, as in 2099-01-31, or a moment, as in 2099-01-31T18:00Z'

const dayForm = /^\d{4}-\d{2}-\d{2}$/

const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)

/** Whether the calendar has this day. Date.parse reads 2099-02-30 as the second of March. */
function isDay(day: string): boolean {
  const startMs = dayForm.test(day) ? startOf(day) : Number.NaN
  return !Number.isNaN(startMs) && new Date(startMs).toISOString().startsWith(day)
}

/** The text of a day or a moment. */
export const dayOrMoment = z
  .string()
  .superRefine((text, context) => {
    if (spanOf(text) !== undefined) return
    const { message, cure } = spanFault(text)
    context.addIssue({ code: 'custom', message, params: { cure } })
  })
  .meta({ pattern: dayOrMomentPattern })
