import { expect, test } from 'vitest'
import { openPlace, stateOf } from './program.ts'

/** A moment for a declaration, some seconds from now. */
const inSeconds = (seconds: number): string => `${new Date((Math.floor(Date.now() / 1_000) + seconds) * 1_000).toISOString().slice(0, 19)}Z`

test('a rule gives its role from its first moment, and loses it at its last one, although no tick of the schedule comes', async () => {
  const [starts, expires] = [inSeconds(12), inSeconds(18)]
  const declaration = `version: 1
from: corp
workspaces:
  acme:
    projectRoles:
      - { group: ops, project: OPS, role: guest }
      - { group: devs, project: [OPS], role: member, starts: ${starts}, expires: ${expires} }
`
  const settings = { policy: 'exclusive', service: { unknownOutcomeWait: '1s' } }
  await using place = await openPlace({ workspaces: { acme: { projects: ['OPS'] } }, declaration, groups: ['ops', 'devs'], settings })
  const daemon = place.start(['run'])
  await daemon.until(() => stateOf(place.sandbox).includes('OPS ops → guest'))
  expect(stateOf(place.sandbox)).toEqual(['OPS ops → guest'])
  await daemon.until(() => stateOf(place.sandbox).includes('OPS devs → member'))
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(starts))
  await daemon.until(() => !stateOf(place.sandbox).includes('OPS devs → member'))
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expires))
  expect(stateOf(place.sandbox)).toEqual(['OPS ops → guest'])
})
