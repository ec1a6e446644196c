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
const approved = [...others, 'ENG leads → admin']

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
  const told = await place.run(['approve', id, '--now', '--for', '1h', '--reason', 'INC-99'], clock)
  expect(told.code, told.err).toBe(0)
  expect([stateOf(place.sandbox), (await left()).approvals.length]).toEqual([approved, 1])

  await clock.set(-dayMs)
  place.sandbox.state.workspaces.acme?.projectMappings?.splice(1)
  // The daemon writes a mapping again once the list has had time to show its last write.
  await daemon.until(async () => {
    await cycle()
    return (await holds()).some(({ reason }) => reason.kind === 'approval') || stateOf(place.sandbox).length > 1
  })
  expect([stateOf(place.sandbox), (await left()).approvals]).toEqual([others, []])
  await stop()
})
