import { mkdir, rm } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { openPlace, type Place, stateOf } from './program.ts'
import { started } from './startedDaemon.ts'

const team = (name: string, projects: readonly string[]) => ({
  owner: `team-${name}`,
  workspace: 'acme',
  projectRoles: { projects, roles: ['guest', 'member'], groups: [`${name}-*`, 'all-staff'] },
  may: ['removed'],
})
const settings = {
  declaration: 'groups',
  policy: 'sync',
  fences: { 'teams/pay/**': team('pay', ['PAY']), 'teams/ops/**': team('ops', ['OPS', 'PAY']), 'platform/*': 'everything' },
}
const acme = (text: string) => `version: 1\nworkspaces:\n  acme:\n    ${text}\n`
const rule = (group: string, project: string, role = 'member') =>
  `projectRoles: [ { group: ${group}, project: ${project}, role: ${role} } ]`

async function openTeams(files: Readonly<Record<string, string>>): Promise<Place> {
  const place = await openPlace({
    settings,
    declaration: '',
    groups: ['pay-devs', 'ops-devs', 'all-staff', 'admins'],
    workspaces: { acme: { projects: ['PAY', 'OPS', 'ENG'] } },
  })
  for (const folder of ['groups/teams/pay', 'groups/teams/ops', 'groups/platform']) await mkdir(place.path(folder), { recursive: true })
  for (const [file, text] of Object.entries(files)) await place.write(`groups/${file}`, acme(text))
  return place
}

describe('the files of teams', () => {
  test('validate shows the most that they can give', async () => {
    await using place = await openTeams({
      'teams/pay/a.yaml':
        'projectRoles: [ { group: pay-devs, project: PAY, role: member }, { groupGlob: "*", project: PAY, role: guest } ]',
      'platform/a.yaml': 'workspaceRoles: []',
    })
    const shown = await place.run(['validate', '--ceiling', 'teams/pay/**'])
    expect([shown.code, shown.out.split('\n').slice(2)]).toEqual([
      0,
      [
        'The most that the files of teams/pay/** can give:',
        '  PAY: names like * among pay-*, all-staff → guest  teams/pay/a.yaml:4:70',
        '  PAY: pay-devs → member  teams/pay/a.yaml:4:21',
        '',
      ],
    ])
    const wrong = await place.run(['validate', '--ceiling', 'teams/pay'])
    expect([wrong.code, wrong.err]).toEqual([64, expect.stringContaining('name one of: teams/pay/**, teams/ops/**')])
  })

  test('one that goes outside is refused with its line', async () => {
    await using place = await openTeams({ 'teams/pay/a.yaml': rule('pay-devs', 'ENG', 'admin') })
    const refused = await place.run(['validate'])
    expect(refused.code).toBe(78)
    expect(refused.err).toContain('teams/pay/a.yaml:4:49: the project "ENG" is outside (fence "teams/pay/**")')
    expect(refused.err).toContain('teams/pay/a.yaml:4:60: the role "admin" is outside (fence "teams/pay/**")')
  })
})

describe('a mistake in the file of one team stops only this team', () => {
  const files = {
    'teams/pay/a.yaml': 'projectRoles: [ { group: [pay-devs, all-staff], project: PAY, role: member } ]',
    'teams/ops/a.yaml': rule('ops-devs', 'OPS'),
    'platform/a.yaml': 'workspaceRoles: []',
  }
  const whole = ['OPS ops-devs → member', 'PAY all-staff → member', 'PAY pay-devs → member']
  const edited = ['OPS ops-devs → guest', ...whole.slice(1)]
  const write = (place: Place, file: string, text: string) => place.write(`groups/${file}`, acme(text))

  test('also over a restart; the log and a metric name the file and its owner', async () => {
    await using place = await openTeams(files)
    const first = await started(place)
    expect(stateOf(place.sandbox)).toEqual(whole)
    await write(place, 'teams/pay/a.yaml', rule('ops-devs', 'ENG', 'admin'))
    await write(place, 'teams/ops/a.yaml', rule('ops-devs', 'OPS', 'guest'))
    await first.cycle()
    expect(stateOf(place.sandbox)).toEqual(edited)
    const line = first.daemon.log().find(({ event, level }) => event === 'declaration' && level === 'error')
    expect(line).toMatchObject({
      msg: expect.stringMatching(/^teams\/pay\/a\.yaml \(team-pay\) is invalid, the last valid text, of .* stays in use/),
      files: [{ file: 'teams/pay/a.yaml', owner: 'team-pay', isUsed: true }],
    })
    // A plan says the same: only the text of this file is old.
    const plan = await place.run(['plan'])
    expect([plan.code, plan.err.replaceAll(/\s+/g, ' ')]).toEqual([
      78,
      expect.stringMatching(
        /plane-group-sync run uses the last valid text of teams\/pay\/a\.yaml \(team-pay\), of \d{4}-.* UTC, and all other files as they are now\. After 24 hours, grants of these files wait\./,
      ),
    ])
    await first.cycle()
    const next = first.daemon.log().find(({ msg }) => msg.includes('is still invalid'))
    expect(next?.msg).toContain('; plane-group-sync validate shows what to correct')
    expect(await first.metric('declaration_files_invalid{owner="team-pay"}')).toBe(1)
    expect(await first.metric('configuration_valid{part="declaration"}')).toBe(0)
    await first.stop()

    await write(place, 'teams/ops/a.yaml', rule('ops-devs', 'OPS', 'member'))
    const second = await started(place)
    expect(stateOf(place.sandbox)).toEqual(whole)
    await write(place, 'teams/pay/a.yaml', rule('pay-devs', 'PAY'))
    await second.cycle()
    expect(stateOf(place.sandbox)).toEqual(['OPS ops-devs → member', 'PAY pay-devs → member'])
    expect(await second.metric('declaration_files_invalid{owner="team-pay"}')).toBe(undefined)
    expect(await second.metric('configuration_valid{part="declaration"}')).toBe(1)
    await second.stop()
  })

  test('a folder that is gone keeps its last text until the settings no longer name it', async () => {
    await using place = await openTeams(files)
    const daemon = await started(place)
    await rm(place.path('groups/teams/pay'), { recursive: true })
    await write(place, 'teams/ops/a.yaml', rule('ops-devs', 'OPS', 'guest'))
    await daemon.cycle()
    expect(stateOf(place.sandbox)).toEqual(edited)
    await daemon.stop()
    const again = await started(place)
    expect(stateOf(place.sandbox)).toEqual(edited)
    await again.stop()
  })

  test('a fence that becomes narrower than its file, and than the last text of this file, stops no other file', async () => {
    await using place = await openTeams(files)
    const daemon = await started(place)
    await place.settings({ fences: { ...settings.fences, 'teams/pay/**': team('pay', ['ENG']) } })
    await write(place, 'teams/ops/a.yaml', rule('ops-devs', 'OPS', 'guest'))
    await daemon.cycle()
    expect(stateOf(place.sandbox)).toEqual(edited)
    expect(daemon.daemon.err()).toContain('(team-pay, and nothing of it is used)')
    await daemon.stop()
  })

  test('what such a file gave is not deleted as undeclared by a file that owns the whole list', async () => {
    await using place = await openTeams({ ...files, 'platform/a.yaml': 'projectRoles: []' })
    const daemon = await started(place)
    expect(stateOf(place.sandbox)).toEqual(whole)
    await place.settings({ fences: { ...settings.fences, 'teams/pay/**': team('pay', ['ENG']) } })
    await write(place, 'teams/ops/a.yaml', rule('ops-devs', 'OPS', 'guest'))
    for (let cycle = 0; cycle < 3; cycle++) await daemon.cycle()
    expect(stateOf(place.sandbox)).toEqual(edited)
    await write(place, 'teams/pay/a.yaml', rule('pay-devs', 'ENG'))
    await daemon.cycle()
    expect(stateOf(place.sandbox)).toEqual(['ENG pay-devs → member', 'OPS ops-devs → guest'])
    await daemon.stop()
  })

  test('two files that contradict each other hold that key alone', async () => {
    await using place = await openTeams(files)
    const daemon = await started(place)
    await write(place, 'teams/ops/a.yaml', `${rule('ops-devs', 'OPS', 'guest')}\n    removed: [ { group: all-staff, project: PAY } ]`)
    await write(
      place,
      'teams/pay/a.yaml',
      'projectRoles: [ { group: pay-devs, project: PAY, role: guest }, { group: all-staff, project: PAY, role: member } ]',
    )
    await daemon.cycle()
    const held = ['OPS ops-devs → guest', 'PAY all-staff → member', 'PAY pay-devs → guest']
    expect(stateOf(place.sandbox)).toEqual(held)
    expect(daemon.daemon.err()).toContain('files of different owners contradict each other, and the mappings in dispute are held')
    const two = 'projectRoles: [ { group: ops-devs, project: OPS, role: guest }, { group: all-staff, project: PAY, role: guest } ]'
    await write(place, 'teams/ops/a.yaml', two)
    await daemon.cycle()
    expect(stateOf(place.sandbox)).toEqual(held)
    await daemon.stop()
  })

  test('a declaration with a mapping in dispute is used again after a restart', async () => {
    await using place = await openTeams(files)
    const daemon = await started(place)
    await write(place, 'teams/ops/a.yaml', `${rule('ops-devs', 'OPS')}\n    removed: [ { group: all-staff, project: PAY } ]`)
    await daemon.cycle()
    await daemon.stop()
    await write(place, 'platform/a.yaml', 'workspaceRoles: {}')
    const again = await started(place)
    expect([await again.ready(), stateOf(place.sandbox)]).toEqual([200, whole])
    await again.stop()
  })

  test('a text that was taken back does not come back when its file is invalid', async () => {
    const one = rule('pay-devs', 'PAY')
    await using place = await openTeams({ ...files, 'teams/pay/a.yaml': one })
    const daemon = await started(place)
    await write(place, 'teams/pay/a.yaml', 'projectRoles: [ { group: [pay-devs, all-staff], project: PAY, role: member } ]')
    await write(place, 'teams/pay/b.yaml', 'nonsense: 1')
    await daemon.cycle()
    expect(stateOf(place.sandbox)).toEqual(whole)
    await write(place, 'teams/pay/a.yaml', one)
    await rm(place.path('groups/teams/pay/b.yaml'))
    await daemon.cycle()
    await write(place, 'teams/pay/a.yaml', 'nonsense: 1')
    await daemon.cycle()
    expect(stateOf(place.sandbox)).toEqual(['OPS ops-devs → member', 'PAY pay-devs → member'])
    await daemon.stop()
  })

  test('a mistake in a file without limits keeps the whole last valid declaration', async () => {
    await using place = await openTeams(files)
    const daemon = await started(place)
    await write(place, 'platform/a.yaml', 'workspaceRoles: {}')
    await write(place, 'teams/ops/a.yaml', rule('ops-devs', 'OPS', 'guest'))
    await daemon.cycle()
    expect(stateOf(place.sandbox)).toEqual(whole)
    await daemon.stop()
  })
})
