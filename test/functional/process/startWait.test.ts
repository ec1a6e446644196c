import { mkdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { openPlace, type Place, writesTo } from './program.ts'

const declaration = `version: 1
workspaces:
  acme:
    projectRoles:
      - { group: ops, project: ENG, role: member }
`

/** The time until which the only create waits, from the output of `plan`. */
async function untilOf(place: Place): Promise<number> {
  const { out, err } = await place.run(['plan', '--format', 'json'])
  const document = JSON.parse(out) as { workspaces: { holds: { reason: { kind: string }; until?: string }[] }[] }
  const [hold] = document.workspaces[0]?.holds ?? []
  expect(hold?.reason, err).toMatchObject({ kind: 'quarantined', since: 'startUp' })
  return Date.parse(hold?.until ?? '')
}

test('during the start wait of a daemon `plan` shows its end, and always the same; without the daemon, that of a wait which begins now', async () => {
  await using place = await openPlace({ declaration, groups: ['ops'], settings: { service: { unknownOutcomeWait: '5m' } } })
  // An empty folder may have lost its journal, so the first create waits.
  await mkdir(place.path('state'))
  const daemon = place.start(['run'])
  const hold = await daemon.until(() => daemon.log().find(({ event }) => event === 'hold'))
  const told = Date.parse(String(hold['until']))
  expect(told).toBeGreaterThan(Date.now() + 4 * 60_000)
  await daemon.until(() => daemon.log().find(({ event }) => event === 'summary'))

  expect(await untilOf(place)).toBe(told)
  expect(await untilOf(place)).toBe(told)

  // The daemon is between two cycles, so its end is clean. But its start wait was not over. The next process, here `plan`, begins this wait again in
  // full, because the clocks of two hosts may differ.
  daemon.child.kill('SIGKILL')
  await daemon.ended
  const first = await untilOf(place)
  expect(first).toBeGreaterThan(told)
  expect(await untilOf(place)).toBeGreaterThan(first)
  expect(writesTo(place.sandbox)).toEqual([])
})
