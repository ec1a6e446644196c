import { expect, test } from 'vitest'
import { defaultSchedule, isDefaultSchedule } from '../../../src/settings/defaultSchedule.ts'
import { openSchedule, shortestIntervalMs } from '../../../src/settings/schedule.ts'
import { settingsSchema } from '../../../src/settings/schema.ts'

const { cron, timezone, intervalMs } = defaultSchedule

test('the default schedule has the interval that is written down for it', () => {
  expect(() => openSchedule(cron, timezone)).not.toThrow()
  expect(shortestIntervalMs(cron, timezone)).toBe(intervalMs)
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
