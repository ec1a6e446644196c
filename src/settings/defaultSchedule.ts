import type { Finding } from '../core/finding.ts'

/**
 * The schedule of settings that name none. It is valid, it ticks every ten minutes, and no change of the clocks affects it. Because this is known, most commands
 * load neither node-cron nor the data of time zones (20 ms, measured).
 */
export const defaultSchedule = { cron: '*/10 * * * *', timezone: 'UTC', intervalMs: 600_000 } as const

export const isDefaultSchedule = ({ cron, timezone }: Schedule): boolean =>
  cron === defaultSchedule.cron && timezone === defaultSchedule.timezone

type Schedule = { readonly cron: string; readonly timezone: string }

/** The finding about ticks that a change of the clocks skips or repeats. @param fromMs the present date */
export async function clockChangeOf(schedule: Schedule, fromMs: number): Promise<readonly Finding[]> {
  if (isDefaultSchedule(schedule)) return []
  const { clockChangeFinding } = await import('./schedule.ts')
  return clockChangeFinding(schedule.cron, schedule.timezone, fromMs)
}
