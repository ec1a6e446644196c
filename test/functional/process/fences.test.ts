import { mkdir, rename, rm } from 'node:fs/promises'
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
  policy: 'exclusive',
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
  for (const folder of ['groups/teams/pay', 'groups/teams/ops', 'groups/teams/new', 'groups/platform'])
    await mkdir(place.path(folder), { recursive: true })
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
        'The most that the present files of teams/pay/** can give:',
        '  PAY: names like * among pay-*, all-staff → guest  teams/pay/a.yaml:4:70',
        '  PAY: pay-devs → member  teams/pay/a.yaml:4:21',
        'The most that any files of teams/pay/** may give:',
        '  PAY: pay-*, all-staff → guest or member',
        '  also: removed',
        '',
      ],
    ])
    const wide = {
      ...team('pay', ['PAY']),
      workspaceRoles: { roles: ['guest'], groups: ['pay-leads'] },
      projectRoles: { projects: ['PAY', 'OPS'], allProjects: true, roles: ['member'], groups: ['pay-*'] },
      may: ['expires', 'removed'],
      demand: { reason: true, expires: { member: '90d' } },
    }
    await place.settings({ ...settings, fences: { ...settings.fences, 'teams/pay/**': wide } })
    await place.write('groups/teams/pay/a.yaml', acme('projectRoles: []'))
    const empty = await place.run(['validate', '--ceiling', 'teams/pay/**'])
    expect(empty.out.split('\n').slice(2)).toEqual([
      'The files of teams/pay/** give no role.',
      'The most that any files of teams/pay/** may give:',
      '  workspace: pay-leads → guest',
      '  PAY, OPS, all projects: pay-* → member',
      '  member ends at most 90 d after today',
      '  also: expires, removed',
      '',
    ])
    const document = JSON.parse((await place.run(['validate', '--ceiling', 'teams/pay/**', '-o', 'json'])).out)
    expect([document.ceiling, document.fence]).toEqual([
      [],
      {
        bounds: [
          { targets: ['workspace'], groups: 'pay-leads', roles: ['guest'] },
          { targets: ['PAY', 'OPS', 'all projects'], groups: 'pay-*', roles: ['member'] },
        ],
        expiresMs: { member: 90 * 86_400_000 },
        may: ['expires', 'removed'],
      },
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

type Planned = {
  readonly changes: readonly { readonly action: string; readonly group: string }[]
  readonly holds: readonly { readonly group: string; readonly reason: { readonly kind: string; readonly at: string } }[]
  readonly findings: readonly unknown[]
}

describe('a mistake in the file of one team stops only this team', () => {
  const files = {
    'teams/pay/a.yaml': 'projectRoles: [ { group: [pay-devs, all-staff], project: PAY, role: member } ]',
    'teams/ops/a.yaml': rule('ops-devs', 'OPS'),
    'platform/a.yaml': 'workspaceRoles: []',
  }
  const whole = ['OPS ops-devs → member', 'PAY all-staff → member', 'PAY pay-devs → member']
  const edited = ['OPS ops-devs → guest', ...whole.slice(1)]
  const write = (place: Place, file: string, text: string) => place.write(`groups/${file}`, acme(text))

  test('a running daemon uses its last text; the log and a metric name the file and its owner', async () => {
    await using place = await openTeams(files)
    const { daemon, cycle, metric, stop } = await started(place)
    expect(stateOf(place.sandbox)).toEqual(whole)
    await write(place, 'teams/pay/a.yaml', rule('ops-devs', 'ENG', 'admin'))
    await write(place, 'teams/ops/a.yaml', rule('ops-devs', 'OPS', 'guest'))
    await cycle()
    expect(stateOf(place.sandbox)).toEqual(edited)
    const line = daemon.log().find(({ event, level }) => event === 'declaration' && level === 'error')
    expect(line).toMatchObject({
      msg: expect.stringMatching(/^teams\/pay\/a\.yaml \(team-pay\) is invalid\. The last valid text stays in use: /),
      files: [{ file: 'teams/pay/a.yaml', owner: 'team-pay', isUsed: true }],
    })
    await cycle()
    const next = daemon.log().find(({ msg }) => msg.includes('is still invalid'))
    expect(next?.msg).toContain('; plane-group-sync validate shows what to correct')
    expect(await metric('declaration_files_invalid{owner="team-pay"}')).toBe(1)
    expect(await metric('configuration_valid{part="declaration"}')).toBe(0)
    await write(place, 'teams/pay/a.yaml', rule('pay-devs', 'PAY'))
    await cycle()
    expect(stateOf(place.sandbox)).toEqual(['OPS ops-devs → guest', 'PAY pay-devs → member'])
    expect(await metric('declaration_files_invalid{owner="team-pay"}')).toBe(undefined)
    expect(await metric('configuration_valid{part="declaration"}')).toBe(1)
    await stop()
  })

  test('plan beside a running daemon says that the daemon has a text of the file, and may plan otherwise', async () => {
    await using place = await openTeams(files)
    const { stop } = await started(place)
    await write(place, 'teams/pay/a.yaml', 'projectRoles: [ { group: pay-devs, project: PAY, role: guest, rol: x } ]')
    const beside = await place.run(['plan', '--out', 'plan.json'])
    expect([beside.code, beside.out.replaceAll(/\s+/g, ' ')]).toEqual([
      78,
      expect.stringContaining('A running daemon uses the last valid text of it, if it has one, so it may plan otherwise. Here nothing'),
    ])
    expect(beside.err).toMatch(/plan\.json decides from the last valid text of it, if the running daemon has one, and refuses this plan/)
    await stop()
    const alone = await place.run(['plan', '--out', 'plan.json'])
    expect([alone.code, (alone.out + alone.err).includes('daemon')]).toEqual([78, false])
  })

  test('after a start its fence is frozen, and validate, plan, apply, run and the daemon say the same', async () => {
    await using place = await openTeams({ ...files, 'platform/a.yaml': 'projectRoles: []' })
    expect((await place.run(['apply', '--yes'])).code).toBe(0)
    expect(stateOf(place.sandbox)).toEqual(whole)
    await write(place, 'teams/pay/a.yaml', 'projectRoles: [ { group: pay-devs, project: PAY, role: guest, rol: x } ]')
    await write(place, 'teams/ops/a.yaml', 'projectRoles: [ { group: [ops-devs, all-staff], project: OPS, role: guest } ]')
    const mistake = 'teams/pay/a.yaml:4:67: unknown key'
    const validated = await place.run(['validate'])
    expect([validated.code, validated.err]).toEqual([78, expect.stringContaining(mistake)])

    const plan = await place.run(['plan', '-o', 'json'])
    const [acmePlan] = (JSON.parse(plan.out) as { workspaces: readonly Planned[] }).workspaces
    expect([plan.code, plan.err]).toEqual([78, expect.stringContaining(mistake)])
    expect(acmePlan?.changes.map(({ action, group }) => `${action} ${group}`).toSorted()).toEqual(['create all-staff', 'patch ops-devs'])
    expect(acmePlan?.holds.map(({ group, reason }) => `${group} ${reason.kind} ${reason.at}`).toSorted()).toEqual([
      'all-staff fileInvalid teams/pay/a.yaml:4:67',
      'pay-devs fileInvalid teams/pay/a.yaml:4:67',
    ])
    expect(acmePlan?.findings).toContainEqual(
      expect.objectContaining({ code: 'file-invalid', severity: 'error', place: 'teams/pay/a.yaml:4:67' }),
    )
    expect((await place.run(['export', '--undeclared'])).code).toBe(1)

    const after = ['OPS all-staff → guest', ...edited]
    const once = await place.run(['run', '--once'])
    expect([once.code, once.err]).toEqual([78, expect.stringContaining(mistake)])
    expect(stateOf(place.sandbox)).toEqual(after)
    expect((await place.run(['apply', '--yes'])).code).toBe(78)

    const { daemon, ready, metric, stop } = await started(place)
    expect([await ready(), await metric('configuration_valid{part="declaration"}')]).toEqual([200, 0])
    const line = daemon.log().find(({ event }) => event === 'declaration')
    expect(line?.msg).toContain(mistake)
    expect(stateOf(place.sandbox)).toEqual(after)
    await stop()
  })

  test('in a frozen fence a file without limits still decides about what it names', async () => {
    await using place = await openTeams(files)
    expect((await place.run(['apply', '--yes'])).code).toBe(0)
    await write(place, 'teams/pay/a.yaml', 'nonsense: 1')
    await write(place, 'platform/a.yaml', 'removed: [ { group: all-staff, project: PAY } ]')
    expect((await place.run(['apply', '--yes'])).code).toBe(78)
    expect(stateOf(place.sandbox)).toEqual(['OPS ops-devs → member', 'PAY pay-devs → member'])
  })

  test('a folder of a team that is gone is lines that are gone, for the daemon and for commands beside it', async () => {
    await using place = await openTeams(files)
    const daemon = await started(place)
    await rm(place.path('groups/teams/pay'), { recursive: true })
    const plan = await place.run(['plan', '-o', 'json'])
    const [acmePlan] = (JSON.parse(plan.out) as { workspaces: readonly Planned[] }).workspaces
    expect(acmePlan?.changes.map(({ action, group }) => `${action} ${group}`).toSorted()).toEqual(['delete all-staff', 'delete pay-devs'])
    await daemon.cycle()
    expect(stateOf(place.sandbox)).toEqual(['OPS ops-devs → member'])
    await daemon.stop()
  })

  test('a declaration that is not there at all keeps all last texts while the daemon runs', async () => {
    await using place = await openTeams(files)
    const daemon = await started(place)
    await rm(place.path('groups'), { recursive: true })
    await daemon.cycle()
    expect(stateOf(place.sandbox)).toEqual(whole)
    expect(await daemon.metric('configuration_valid{part="declaration"}')).toBe(0)
    expect((await place.run(['plan'])).code).toBe(78)
    await daemon.stop()
  })

  test('a file that no fence matches stops no other edit, and is counted under the owner none', async () => {
    await using place = await openTeams({ ...files, 'platform/a.yaml': 'projectRoles: []' })
    const daemon = await started(place)
    await write(place, 'teams/new/a.yaml', rule('new-devs', 'NEW'))
    await write(place, 'teams/ops/a.yaml', rule('ops-devs', 'OPS', 'guest'))
    await write(place, 'teams/pay/a.yaml', rule('pay-devs', 'PAY'))
    await daemon.cycle()
    expect(stateOf(place.sandbox)).toEqual(edited)
    expect(await daemon.metric('declaration_files_invalid{owner="none"}')).toBe(1)
    expect((await place.run(['validate'])).err).toContain('no fence of the settings matches this file')
    await rm(place.path('groups/teams/new'), { recursive: true })
    await daemon.cycle()
    expect(stateOf(place.sandbox)).toEqual(['OPS ops-devs → guest', 'PAY pay-devs → member'])
    await daemon.stop()
  })

  test('a mistyped fence, and a file that is moved, delete nothing', async () => {
    await using place = await openTeams({ ...files, 'platform/a.yaml': 'projectRoles: []' })
    const daemon = await started(place)
    const { 'teams/pay/**': pay, ...others } = settings.fences as Record<string, unknown>
    await place.settings({ fences: { ...others, 'teams/pya/**': pay } })
    for (let cycle = 0; cycle < 2; cycle++) await daemon.cycle()
    expect(stateOf(place.sandbox)).toEqual(whole)
    await place.settings({ fences: settings.fences })
    await rename(place.path('groups/teams/pay/a.yaml'), place.path('groups/teams/pay/b.yaml'))
    for (let cycle = 0; cycle < 2; cycle++) await daemon.cycle()
    await rename(place.path('groups/teams/pay/b.yaml'), place.path('groups/teams/b.yaml'))
    for (let cycle = 0; cycle < 2; cycle++) await daemon.cycle()
    expect(stateOf(place.sandbox)).toEqual(whole)
    await daemon.stop()
  })

  test('a fence that becomes narrower than its file, and than the last text of this file, stops no other file', async () => {
    await using place = await openTeams(files)
    const daemon = await started(place)
    await place.settings({ fences: { ...settings.fences, 'teams/pay/**': team('pay', ['ENG']) } })
    await write(place, 'teams/ops/a.yaml', rule('ops-devs', 'OPS', 'guest'))
    await daemon.cycle()
    expect(stateOf(place.sandbox)).toEqual(edited)
    expect(daemon.daemon.err()).toContain('(team-pay) is invalid. Nothing of it is used')
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
    expect(daemon.daemon.err()).toContain(
      'Files contradict each other, and what is in dispute is held, or decided by a file without limits',
    )
    const two = 'projectRoles: [ { group: ops-devs, project: OPS, role: guest }, { group: all-staff, project: PAY, role: guest } ]'
    await write(place, 'teams/ops/a.yaml', two)
    await daemon.cycle()
    expect(stateOf(place.sandbox)).toEqual(held)
    await daemon.stop()
  })

  test('a text that was taken back does not come back when its file is invalid', async () => {
    const one = rule('pay-devs', 'PAY')
    await using place = await openTeams({ ...files, 'teams/pay/a.yaml': one })
    const daemon = await started(place)
    await write(place, 'teams/pay/a.yaml', 'projectRoles: [ { group: [pay-devs, all-staff], project: PAY, role: member } ]')
    await daemon.cycle()
    expect(stateOf(place.sandbox)).toEqual(whole)
    await write(place, 'teams/pay/a.yaml', one)
    await daemon.cycle()
    await write(place, 'teams/pay/a.yaml', 'nonsense: 1')
    await daemon.cycle()
    expect(stateOf(place.sandbox)).toEqual(['OPS ops-devs → member', 'PAY pay-devs → member'])
    await daemon.stop()
  })

  test('a mistake in a file without limits stops no other file either', async () => {
    await using place = await openTeams(files)
    const daemon = await started(place)
    await write(place, 'platform/a.yaml', 'workspaceRoles: {}')
    await write(place, 'teams/ops/a.yaml', rule('ops-devs', 'OPS', 'guest'))
    await daemon.cycle()
    expect(stateOf(place.sandbox)).toEqual(edited)
    await daemon.stop()
  })
})
