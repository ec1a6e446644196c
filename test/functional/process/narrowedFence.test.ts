import { mkdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { openPlace, stateOf, writesTo } from './program.ts'
import { started } from './startedDaemon.ts'

const fences = (projects: readonly string[], more: object = {}) => ({
  fences: {
    'platform/*': 'everything',
    'teams/pay/**': {
      owner: 'team-pay',
      workspace: 'acme',
      projectRoles: { projects, roles: ['guest', 'member'], groups: ['pay-*'] },
      ...more,
    },
  },
})
const acme = (text: string) => `version: 1\nworkspaces:\n  acme:\n    ${text}\n`
const rules = (...groups: readonly string[]) =>
  acme(`projectRoles: [ ${groups.map((group) => `{ group: ${group}, project: PAY, role: member }`).join(', ')} ]`)

/** While the daemon runs, a group appears that a valid declaration has granted a role, and a file becomes invalid. */
test.each([
  ['the file of the team', 'teams/pay/a.yaml'],
  ['a file without limits', 'platform/a.yaml'],
  ['both', 'teams/pay/a.yaml platform/a.yaml'],
])(
  'what a running daemon remembers of the declaration grants nothing outside of a fence that became narrower; invalid: %s',
  async (_, files) => {
    for (const isNarrowed of [false, true]) {
      await using place = await openPlace({
        settings: { declaration: 'groups', policy: 'exclusive', ...fences(['PAY']) },
        declaration: '',
        groups: ['pay-devs', 'admins'],
        workspaces: { acme: { projects: ['PAY', 'OPS'] } },
      })
      for (const folder of ['groups/teams/pay', 'groups/platform']) await mkdir(place.path(folder), { recursive: true })
      await place.write('groups/teams/pay/a.yaml', rules('pay-devs', 'pay-late'))
      await place.write('groups/platform/a.yaml', acme('workspaceRoles: [ { group: admins, role: member } ]'))
      const { daemon, cycle, stop } = await started(place)
      const before = ['- admins → member', 'PAY pay-devs → member']
      expect(stateOf(place.sandbox)).toEqual(before)
      const writes = writesTo(place.sandbox).length

      if (isNarrowed) await place.settings(fences(['OPS']))
      for (const file of files.split(' ')) await place.write(`groups/${file}`, 'version: 1\nworkspaces: [')
      await place.groups(['pay-devs', 'pay-late', 'admins'])
      await cycle()
      await cycle()
      expect(daemon.log().some(({ event }) => event === 'declaration')).toBe(true)
      // Without the edit of the fence the grant is written: the last valid text counts.
      expect(stateOf(place.sandbox)).toEqual(isNarrowed ? before : [...before, 'PAY pay-late → member'])
      expect(writesTo(place.sandbox).length).toBe(writes + (isNarrowed ? 0 : 1))
      await stop()
    }
  },
)
