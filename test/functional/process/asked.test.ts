import { expect, test } from 'vitest'
import { openPlace } from './program.ts'

/** Three directories: of `corp` and of `lab` rules ask for groups, of `hr` none does. `ghosts` is in `lab` and in `hr`, `lost` is nowhere, `left` is in `hr`. */
const rows = [
  { group: 'ghosts', project: 'ENG', role: 'member', from: 'corp' },
  { group: 'lost', project: 'ENG', role: 'member', from: ['corp', 'lab'] },
  { group: 'web', project: 'ENG', role: 'guest', from: 'lab' },
  { groupGlob: 'gho*', project: 'OPS', role: 'guest', from: 'corp' },
]
const declaration = { version: 1, workspaces: { acme: { projectRoles: rows } } }
const workspaces = {
  acme: {
    projects: ['ENG', 'OPS'],
    projectMappings: [{ idp_group_name: 'left', role: 'member', project: 'ENG' }],
  },
}
const directories = { lab: { kind: 'file', path: './lab.yaml' }, hr: { kind: 'file', path: './hr.yaml' } }

test('each command names the directories that were asked, and reads no other for a hint', async () => {
  await using place = await openPlace({ declaration, groups: ['devs'], workspaces, settings: { directories } })
  await place.write('lab.yaml', { groups: [{ name: 'ghosts' }, { name: 'web' }] })
  await place.write('hr.yaml', { groups: [{ name: 'ghosts' }, { name: 'left' }] })
  const out = async (...args: readonly string[]) => (await place.run(args)).out

  const ghosts = 'corp does not know this group, and its rule asks no other directory; lab has a group of this name'
  const lost = 'corp and lab do not know this group, and its rule asks no other directory'
  const left = 'corp and lab do not know this group, and hr is asked by no rule'
  const text = (await out('plan', '--all')).replaceAll(/\s+/g, ' ')
  for (const sentence of [ghosts, lost, left]) expect(text).toContain(sentence)
  expect(text).toContain('if the group of lab is meant, let the "from" of the rule name lab')
  expect(text).toContain('1 pattern matches no group of corp: gho* (lab has 1 that matches)')

  const document = JSON.parse(await out('plan', '--format', 'json'))
  expect(document.workspaces[0].directories.map(({ name }: { readonly name: string }) => name)).toEqual(['corp', 'lab'])
  const [workspace] = document.workspaces
  const reasons = new Map(workspace.holds.map((hold: { readonly group: string }) => [hold.group, hold]))
  expect(reasons.get('ghosts')).toMatchObject({ reason: { directories: ['corp'], asksOnly: true, elsewhere: ['lab'] } })
  expect(reasons.get('left')).toMatchObject({ unknownTo: ['corp', 'lab'], unasked: ['hr'] })

  expect((await out('explain', 'acme', 'ENG', 'ghosts')).replaceAll(/\s+/g, ' ')).toContain(`gives member, but ${ghosts}.`)
  // The doctor reads every directory, also one that no rule asks: hr has the group of this mapping.
  expect(await out('doctor', '--all')).not.toContain('"left"')

  await place.run(['record', '--declared-groups', '--out', 'recording.json'])
  const recorded = (await out('plan', '--all', '--recorded', 'recording.json')).replaceAll(/\s+/g, ' ')
  for (const sentence of [ghosts, lost, left]) expect(recorded).toContain(sentence)

  // A directory that was read in part is named as such. What it has is said, and nothing is said of what it lacks.
  await place.settings({ directories: { ...directories, lab: { ...directories.lab, expect: { atLeast: 5 } } } })
  const part = (await out('plan', '--all')).replaceAll(/\s+/g, ' ')
  expect(part).toContain(ghosts)
  for (const sentence of [lost, left]) expect(part).not.toContain(sentence)
}, 180_000)
