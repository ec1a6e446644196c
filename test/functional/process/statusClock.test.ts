import { expect, test } from 'vitest'
import { openPlace } from './program.ts'
import { openClock } from './settableClock.ts'
import { started } from './startedDaemon.ts'

const declaration = {
  version: 1,
  workspaces: { acme: { projectRoles: [{ group: 'devs', project: 'ENG', role: 'member' }] } },
}

type Last = { readonly ended: string; readonly workspaces: readonly { readonly outcome: string; readonly lastSuccess: string }[] }

test('the last success is no date to come after the clock was set back, also for a later process', async () => {
  await using place = await openPlace({ declaration, groups: ['devs'] })
  const clock = await openClock(place)
  const left = async () => (JSON.parse((await place.run(['status', '-o', 'json'], clock)).out) as { readonly last: Last }).last
  const seconds = ({ ended, workspaces: [one] }: Last) => (Date.parse(ended) - Date.parse(one?.lastSuccess ?? '')) / 1_000
  const first = await started(place, clock)
  await clock.set(-3_600_000)
  await first.cycle()
  const whole = await left()
  expect(whole.workspaces[0]?.outcome).toBe('success')
  // The two clocks of a machine may round differently.
  expect(seconds(whole)).toBeCloseTo(0, 2)
  await first.stop()

  // The service refuses everything, so nothing succeeds any more.
  place.sandbox.setFaults(['GET *: 403'])
  const second = await started(place, clock)
  const later = await left()
  expect(later.workspaces[0]?.outcome).toBe('failed')
  expect(seconds(later)).toBeGreaterThanOrEqual(0)
  await second.stop()
})
