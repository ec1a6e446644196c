/**
 * The schedule of settings that name none. It is valid, and it ticks every ten minutes. Because this is known, most commands do not load node-cron
 * (20 ms with the data of time zones, measured).
 */
export const defaultSchedule = { cron: '*/10 * * * *', timezone: 'UTC', intervalMs: 600_000 } as const

export const isDefaultSchedule = ({ cron, timezone }: Schedule): boolean =>
  cron === defaultSchedule.cron && timezone === defaultSchedule.timezone

type Schedule = { readonly cron: string; readonly timezone: string }
