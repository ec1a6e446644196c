import { expect, test } from 'vitest'
import { openPlace } from './program.ts'

const declaration = { version: 1, workspaces: { acme: { projectRoles: [{ group: 'devs', project: 'ENG', role: 'member' }] } } }

test.each([
  ['GET config: 403', '403'],
  ['GET config: truncated', 'cut off or broken'],
])('a plan goes on without the settings of group sync, and says why they could not be read: %s', async (fault, why) => {
  await using place = await openPlace({
    declaration,
    groups: ['devs'],
    workspaces: {
      acme: { projects: ['ENG'], projectMappings: [{ idp_group_name: 'devs', project: 'ENG', role: 'member' }] },
    },
    sandbox: { faults: [fault] },
  })
  const { code, out } = await place.run(['plan'])
  const text = out.replaceAll(/\s+/g, ' ')
  expect(code, out).toBe(0)
  expect(text).toContain('the group-sync settings cannot be read: ')
  expect(text).toContain(why)
  expect(text).toContain('in sync: 1 unchanged')
})
