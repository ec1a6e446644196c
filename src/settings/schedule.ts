import { createTask, parse, type ScheduledTask, validateDetailed } from 'node-cron'
import { OperationalError } from '../core/operationalError.ts'
import { type CronProblem, cronProblem } from './patterns/cron.ts'
import { isZoneShaped } from './patterns/timezone.ts'

/** Ticks of a cron expression in a time zone. */
export type Schedule = {
  /** The first tick after a moment (epoch ms) that is not before the machine's clock: node-cron counts from that. */
  readonly nextMs: (afterMs: number) => number
}

/** The message names the setting `schedule.<part>`; `sentence` is the message without it. */
export class ScheduleError extends OperationalError {
  readonly part: 'cron' | 'timezone'
  readonly sentence: string
  constructor(part: ScheduleError['part'], sentence: string, cure: string) {
    super('ScheduleError', `schedule.${part} ${sentence}`, { cure })
    this.part = part
    this.sentence = sentence
  }
}

/**
 * node-cron as the reader of the expression and the reckoner of the next tick. Its own scheduler is not used: it starts at once, catches
 * nothing up, and its `noOverlap` does not cover runs by hand, so the loop sleeps itself. The task below is never started.
 *
 * Around a change of the clocks: a time of day that does not exist is skipped until the next day; one that comes twice is taken the second
 * time. A schedule of every hour follows elapsed time instead and ticks through the repeated hour.
 *
 * @param cron five fields, or six with seconds first; `@hourly` and the like
 * @param timezone an IANA name
 * @throws {ScheduleError}
 */
export function openSchedule(cron: string, timezone: string): Schedule {
  checkZone(timezone)
  checkCron(cron)
  const fields = parse(cron)
  const everyHour = fields.hour.length === 24
  const stepMs = fields.second.every((second) => second === 0) ? 60_000 : 1_000

  const schedule: Schedule = {
    nextMs(afterMs) {
      const task = createTask(cron, () => undefined, { timezone })
      try {
        const next = task.getNextRuns(2).find((date) => date.getTime() > afterMs)
        if (next === undefined)
          throw cronError(cron, { why: `no tick was found after ${new Date(afterMs).toISOString()}`, cure: neverCure })
        return (everyHour ? repeatedHourTick(task, afterMs, next.getTime(), stepMs) : undefined) ?? next.getTime()
      } finally {
        // It is in node-cron's list of tasks until then.
        void task.destroy()
      }
    },
  }
  try {
    schedule.nextMs(Date.now())
  } catch {
    throw cronError(cron, { why: 'there is no such moment in the next hundred years', cure: neverCure })
  }
  return schedule
}

/** So many ticks show every step that a usual expression makes: within an hour, from day to day, over a week's end. */
const ticksLooked = 16

/** The shortest time between two ticks that come next. @throws {ScheduleError} */
export function shortestIntervalMs(cron: string, timezone: string): number {
  checkZone(timezone)
  checkCron(cron)
  const task = createTask(cron, () => undefined, { timezone })
  try {
    const ticks = task.getNextRuns(ticksLooked).map((date) => date.getTime())
    return ticks.slice(1).reduce((shortest, tick, index) => Math.min(shortest, tick - (ticks[index] as number)), Number.POSITIVE_INFINITY)
  } finally {
    void task.destroy()
  }
}

/** Longer than any hour that the clocks repeat. */
const repeatedMaxMs = 2 * 3_600_000

/** node-cron goes on after the repeated hour (measured: `*\/10` is silent for 70 minutes), but knows a tick when it is shown one. */
function repeatedHourTick(task: ScheduledTask, afterMs: number, nextMs: number, stepMs: number): number | undefined {
  const endMs = Math.min(nextMs, afterMs + repeatedMaxMs)
  for (let atMs = (Math.floor(afterMs / stepMs) + 1) * stepMs; atMs < endMs; atMs += stepMs) {
    if (task.match(new Date(atMs))) return atMs
  }
  return undefined
}

function checkCron(cron: string): void {
  const problem = cronProblem(cron) ?? impossibleDay(cron)
  if (problem !== undefined) throw cronError(cron, problem)
}

/** Within the bounds of its field, but of no month that is named. */
function impossibleDay(cron: string): CronProblem | undefined {
  if (validateDetailed(cron).errors.length === 0) return undefined
  const fields = cron.trim().split(/ +/)
  const [day = '', month = ''] = fields.slice(-3)
  const last = fields.with(fields.length - 3, 'L').join(' ')
  return { why: `month ${month} has no day ${day}`, cure: `write a day that the month has, or L for its last day: "${last}"` }
}

function checkZone(timezone: string): void {
  try {
    if (!isZoneShaped(timezone)) throw new RangeError(timezone)
    new Intl.DateTimeFormat('en', { timeZone: timezone }).format()
  } catch {
    throw new ScheduleError('timezone', `"${timezone}" is not a time zone`, 'write an IANA name: UTC, Europe/Berlin, America/New_York')
  }
}

function cronError(cron: string, { why, cure }: CronProblem): ScheduleError {
  const shown = cron.length > shownMax ? `${cron.slice(0, shownMax)}…` : cron
  return new ScheduleError('cron', `"${shown}" is not a schedule: ${why}`, cure)
}

const shownMax = 100
const neverCure = 'write * for all but one of day of month, month and day of week: they must be true on the same day'
