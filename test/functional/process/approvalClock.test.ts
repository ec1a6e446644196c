import { expect, test } from 'vitest'
import { openPlace, stateOf } from './program.ts'
import { openClock } from './settableClock.ts'
import { started } from './startedDaemon.ts'

const dayMs = 86_400_000
const declaration = {
  version: 1,
  workspaces: {
    acme: {
      projectRoles: [
        { group: 'devs', project: 'ENG', role: 'member' },
        { group: 'leads', project: 'ENG', role: 'admin' },
      ],
    },
  },
}
const others = ['ENG devs → member']

type Left = { readonly last: { readonly approvals: readonly unknown[]; readonly workspaces: readonly Workspace[] } }
type Workspace = { readonly plan: { readonly holds: readonly Hold[] } }
type Hold = { readonly reason: { readonly kind: string }; readonly change?: { readonly id: string } }

test('an approval that was given while the clock was a day ahead lets nothing pass after the clock was set right', async () => {
  await using place = await openPlace({ declaration, groups: ['devs', 'leads'] })
  const clock = await openClock(place)
  await clock.set(dayMs)
  const { daemon, cycle, stop } = await started(place, clock)
  const left = async () => (JSON.parse((await place.run(['status', '-o', 'json'], clock)).out) as Left).last
  const holds = async () => (await left()).workspaces.flatMap(({ plan }) => plan.holds)
  const [hold] = await holds()
  const id = hold?.change?.id ?? 'none'
  // Plane refuses the change for a while, so the approval is not used up.
  place.sandbox.setFaults(['POST project-mappings: 503'])
  await place.run(['approve', id, '--now', '--for', '1h', '--reason', 'INC-99'], clock)
  expect([stateOf(place.sandbox), (await left()).approvals.length]).toEqual([others, 1])

  await clock.set(-dayMs)
  place.sandbox.setFaults([])
  await daemon.until(async () => {
    await cycle()
    return (await holds()).some(({ reason }) => reason.kind === 'approval') || stateOf(place.sandbox).length > 1
  })
  expect([stateOf(place.sandbox), (await left()).approvals]).toEqual([others, []])
  await stop()
})
