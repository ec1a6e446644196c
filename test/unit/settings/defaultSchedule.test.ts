import { expect, test } from 'vitest'
import { defaultSchedule, isDefaultSchedule } from '../../../src/settings/defaultSchedule.ts'
import { clockChangeFinding, openSchedule, shortestIntervalMs } from '../../../src/settings/schedule.ts'
import { settingsSchema } from '../../../src/settings/schema.ts'

const { cron, timezone, intervalMs } = defaultSchedule

test('the default schedule has the interval that is written down for it, and no change of the clocks affects it', () => {
  expect(() => openSchedule(cron, timezone)).not.toThrow()
  expect(shortestIntervalMs(cron, timezone)).toBe(intervalMs)
  const months = Array.from({ length: 12 }, (_, month) => Date.UTC(2027, month, 20))
  expect(months.flatMap((fromMs) => clockChangeFinding(cron, timezone, fromMs))).toEqual([])
})

test('settings without a schedule have it, and another expression or time zone is another schedule', () => {
  const { schedule } = settingsSchema.parse({
    version: 1,
    service: { baseUrl: 'https://plane.example' },
    workspaces: {},
    declaration: 'groups.yaml',
  })
  expect(isDefaultSchedule(schedule)).toBe(true)
  expect(isDefaultSchedule({ ...schedule, cron: '*/11 * * * *' })).toBe(false)
  expect(isDefaultSchedule({ ...schedule, timezone: 'Europe/Berlin' })).toBe(false)
})
