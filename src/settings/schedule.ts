import { createTask, parse, type ScheduledTask, validateDetailed } from 'node-cron'
import { OperationalError } from '../core/operationalError.ts'
import { type CronProblem, cronProblem, cronSentence, zoneProblem } from './patterns/time.ts'

/** Ticks of a cron expression in a time zone. */
export type Schedule = {
  /**
   * The first tick after `afterMs` (epoch ms) and after the machine's present time, from which node-cron counts. If the clock was set back since `afterMs`:
   * the first tick after the present time.
   */
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
 * Uses node-cron to parse the expression and to find the next tick. The daemon's loop waits for the tick without node-cron's scheduler: that
 * scheduler starts at once, does not catch up missed ticks, and its `noOverlap` does not cover runs by hand. The task below is never started.
 *
 * When the clocks change: a time of day that does not exist is skipped until the next day, and a time that comes twice ticks the second time. A
 * schedule of every hour follows elapsed time instead and ticks also in the repeated hour.
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
        const runs = task.getNextRuns(2)
        // If the clock was set back since `afterMs`, both ticks can be before `afterMs`. Then the first of them is the next tick.
        const next = runs.find((date) => date.getTime() > afterMs) ?? runs[0]
        if (next === undefined)
          throw cronError(cron, { why: `no tick was found after ${new Date(afterMs).toISOString()}`, cure: neverCure })
        return (everyHour ? repeatedHourTick(task, afterMs, next.getTime(), stepMs) : undefined) ?? next.getTime()
      } finally {
        // node-cron keeps every task in a list until it is destroyed.
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

/** Enough ticks to contain every interval of a usual expression: within an hour, between days, over the end of a week. */
const ticksLooked = 16

/** The shortest time between two of the next ticks, in milliseconds. @throws {ScheduleError} */
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

/** node-cron's next tick skips the repeated hour (measured: `*\/10` has none for 70 minutes), but its `match` gives the right answer in that hour. */
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

/** The problem of a day that is within its field's bounds but in none of the named months. */
function impossibleDay(cron: string): CronProblem | undefined {
  if (validateDetailed(cron).errors.length === 0) return undefined
  const fields = cron.trim().split(/ +/)
  const [day = '', month = ''] = fields.slice(-3)
  const last = fields.with(fields.length - 3, 'L').join(' ')
  return { why: `month ${month} has no day ${day}`, cure: `write a day that the month has, or L for its last day: "${last}"` }
}

function checkZone(timezone: string): void {
  const problem = zoneProblem(timezone)
  if (problem !== undefined) throw new ScheduleError('timezone', problem.why, problem.cure)
}

const cronError = (cron: string, problem: CronProblem): ScheduleError =>
  new ScheduleError('cron', cronSentence(cron, problem), problem.cure)

const neverCure = 'day of month, month and day of week must all match on the same day: write * in two of these three fields'
