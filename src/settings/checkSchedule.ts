import { problemAt, type YamlDocument } from '../yaml/document.ts'
import type { Problem } from '../yaml/problem.ts'
import { defaultSchedule, isDefaultSchedule } from './defaultSchedule.ts'
import type { Settings } from './schema.ts'

/** Problems of the schedule; if there is none, the shortest time between two of its ticks. */
export async function checkSchedule(
  { schedule }: Settings,
  document: YamlDocument,
): Promise<{ readonly problems: readonly Problem[]; readonly intervalMs: number }> {
  if (isDefaultSchedule(schedule)) return { problems: [], intervalMs: defaultSchedule.intervalMs }
  const { openSchedule, ScheduleError, shortestIntervalMs } = await import('./schedule.ts')
  const { cron, timezone } = schedule
  try {
    openSchedule(cron, timezone)
    return { problems: [], intervalMs: shortestIntervalMs(cron, timezone) }
  } catch (error) {
    if (!(error instanceof ScheduleError)) throw error
    return { problems: [problemAt(document, ['schedule', error.part], error.sentence, error.cure)], intervalMs: 0 }
  }
}
