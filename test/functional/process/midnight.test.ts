import { mkdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { openPlace, stateOf } from './program.ts'
import { openClock } from './settableClock.ts'
import { started } from './startedDaemon.ts'

const dayMs = 86_400_000
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

test('over midnight: a fence counts its longest time from the day on which the file is judged', async () => {
  const nowMs = Date.now()
  // Two minutes before midnight.
  const toMidnightMs = dayMs - (nowMs % dayMs) - 120_000
  const [today, next] = [nowMs + toMidnightMs, nowMs + toMidnightMs + 240_000]
  const rule = (expires: string) =>
    `version: 1\nworkspaces:\n  acme:\n    projectRoles: [ { group: pay-devs, project: ENG, role: member, expires: ${expires} } ]\n`
  await using place = await openPlace({
    settings: {
      declaration: 'groups',
      fences: {
        'pay.yaml': {
          owner: 'team-pay',
          workspace: 'acme',
          projectRoles: { projects: ['ENG'], roles: ['member'], groups: ['pay-*'] },
          demand: { expires: { member: '90d' } },
        },
      },
    },
    declaration: '',
    groups: ['pay-devs'],
  })
  await mkdir(place.path('groups'))
  const latest = dayOf(today + 91 * dayMs)
  await place.write('groups/pay.yaml', rule(latest))
  const clock = await openClock(place)
  await clock.set(toMidnightMs)
  const { daemon, cycle, stop } = await started(place, clock)
  expect(stateOf(place.sandbox)).toEqual([])
  const early = await place.run(['validate'], clock)
  expect([early.code, early.err]).toEqual([78, expect.stringContaining('ends at most 90 d after today here')])

  await clock.set(next - today)
  await daemon.until(async () => {
    await cycle()
    return stateOf(place.sandbox).length > 0
  })
  expect(stateOf(place.sandbox)).toEqual(['ENG pay-devs → member'])
  expect((await place.run(['validate'], clock)).code).toBe(0)

  // One day later than the latest day of the new day.
  await place.write('groups/pay.yaml', rule(dayOf(next + 91 * dayMs)))
  const late = await place.run(['validate'], clock)
  expect(late.code).toBe(78)
  await stop()
})
