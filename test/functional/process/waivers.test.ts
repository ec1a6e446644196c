import { mkdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { openPlace, type Place, stateOf } from './program.ts'
import { started } from './startedDaemon.ts'

const settings = { declaration: 'groups', waivers: { files: ['platform/*'] } }
const projects = { acme: { projects: ['ENG', 'OPS'] } }
const acme = (text: string) => `version: 1\nworkspaces:\n  acme:\n    ${text}\n`
/** A mapping that is taken away must not be most of its list, since such a list would not be believed. */
const others = ['d1', 'd2', 'd3', 'd4', 'd5']
const grant = acme(
  `projectRoles: [ { group: leads, project: ENG, role: admin }, { group: [${others.join(', ')}], project: OPS, role: guest } ]`,
)
const waived = (...entries: readonly string[]) => acme(`waivers: [ ${entries.map((one) => `{ ${one}, reason: INC-99 }`).join(', ')} ]`)
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const inSeconds = (seconds: number) => `${new Date(Date.now() + seconds * 1_000).toISOString().slice(0, 19)}Z`
const right = 'project: ENG, group: leads, from: none, to: admin'

async function openFiles(files: Readonly<Record<string, string>>, more: object = {}, existing: readonly string[] = []): Promise<Place> {
  const mappings = existing.map((group) => ({ project: 'ENG', idp_group_name: group, role: 'guest' }))
  const place = await openPlace({
    settings: { ...settings, ...more },
    declaration: '',
    groups: ['leads', 'devs', 'pay-leads', ...others, ...existing],
    workspaces: { acme: { ...projects.acme, projectMappings: mappings } },
  })
  await mkdir(place.path('groups/platform'), { recursive: true })
  await mkdir(place.path('groups/teams'), { recursive: true })
  for (const [file, text] of Object.entries(files)) await place.write(`groups/${file}`, text)
  return place
}

const admins = ({ sandbox }: Place) => stateOf(sandbox).filter((line) => line.endsWith('admin'))

/** Takes a mapping away at Plane, after `unknownOutcomeWait`: before, the missing mapping would count as a write that the list does not show yet. */
async function take({ sandbox }: Place, group: string): Promise<void> {
  await sleep(1_500)
  const { projectMappings = [] } = sandbox.state.workspaces['acme'] ?? {}
  projectMappings.splice(
    projectMappings.findIndex(({ idp_group_name }) => idp_group_name === group),
    1,
  )
}

describe('plan', () => {
  const planOf = async (waiver: string | undefined) => {
    await using place = await openFiles({ 'a.yaml': grant, ...(waiver === undefined ? {} : { 'platform/w.yaml': waived(waiver) }) })
    await place.write('directory.yaml', { groups: [{ name: 'leads', id: '8f1c' }, ...['devs', ...others].map((name) => ({ name }))] })
    const { code, out } = await place.run(['plan'])
    return [code, /waiver-\w+/.exec(out)?.[0], out] as const
  }
  const end = `until: ${inDays(2)}`

  test('a protected grant waits without a waiver, and is let pass by its words', async () => {
    expect((await planOf(undefined)).slice(0, 2)).toEqual([3, undefined])
    const [code, finding, out] = await planOf(`${right}, ${end}`)
    expect([code, finding]).toEqual([0, 'waiver-used'])
    expect(out.replaceAll(/\s+/g, ' ')).toContain('the waiver of platform/w.yaml lets 1 change of acme pass the guards until')
    expect((await planOf(`${right}, id: 8f1c, ${end}`)).slice(0, 2)).toEqual([0, 'waiver-used'])
  })

  test.each([
    ['another role', right.replace('admin', 'owner')],
    ['another project', right.replace('ENG', 'OPS')],
    ['the workspace', right.replace('project: ENG', 'workspace: true')],
    ['another group', right.replace('leads', 'devs')],
    ['another role before', right.replace('none', 'member')],
    ['a mapping without a role before', right.replace('none', 'null')],
    ['another id', `${right}, id: 8f1d`],
  ])('is not let pass by a waiver for %s', async (_, waiver) =>
    expect((await planOf(`${waiver}, ${end}`)).slice(0, 2)).toEqual([3, 'waiver-unmatched']),
  )

  test('is not let pass by a waiver that has ended', async () =>
    expect((await planOf(`${right}, until: ${inDays(-2)}`)).slice(0, 2)).toEqual([3, 'waiver-expired']))

  test.each<readonly [what: string, declared: string, waiver: string, more: object]>([
    [
      'a rename',
      'projectRoles: [ { group: leads, previously: chiefs, project: ENG, role: admin } ]',
      'project: ENG, group: leads, previously: chiefs, from: guest, to: admin',
      {},
    ],
    [
      'a protected role in all projects',
      'projectRoles: [ { group: leads, allProjects: true, role: admin } ]',
      'allProjects: true, group: leads, from: none, to: admin',
      {},
    ],
    [
      'a change of settings',
      'groupSync: { autoRemove: true, syncOnLogin: false }',
      'groupSync: { autoRemove: { from: false, to: true }, syncOnLogin: { from: true, to: false } }',
      {},
    ],
    [
      'a change for many people',
      'projectRoles: [ { group: leads, project: ENG, role: member } ]',
      'project: ENG, group: leads, from: none, to: member, people: 2',
      { guards: { people: { raise: 1 } } },
    ],
    [
      'too many creates',
      'projectRoles: [ { group: [leads, devs], project: ENG, role: member } ]',
      'changes: [ { project: [ENG, OPS], group: [leads, devs], from: none, to: member } ]',
      { guards: { creates: { count: 1 } } },
    ],
  ])('%s waits, and is let pass by its waiver', async (_, declared, waiver, more) => {
    await using place = await openFiles({ 'a.yaml': acme(declared) }, more, ['chiefs'])
    await place.write('directory.yaml', { groups: [{ name: 'leads', members: ['a', 'b'] }, { name: 'devs' }] })
    expect((await place.run(['plan'])).code).toBe(3)
    await place.write('groups/platform/w.yaml', waived(`${waiver}, ${end}`))
    const { code, out } = await place.run(['plan'])
    expect([code, /waiver-\w+/.exec(out)?.[0]]).toEqual([0, 'waiver-used'])
  })

  test('of deletes that exceed their limit those pass that a waiver describes, and the rest as far as the limit allows', async () => {
    const old = ['old-a', 'old-b', 'old-c', 'old-d']
    const removed = acme(`removed: [ { group: [${old.join(', ')}], project: ENG } ]`)
    const leftWith = async (groups: readonly string[]) => {
      const waiver = `changes: [ { group: [${groups.join(', ')}], project: ENG, from: guest, to: none } ], ${end}`
      const limits = { guards: { deletes: { count: 2 } } }
      await using place = await openFiles({ 'a.yaml': removed, 'platform/w.yaml': waived(waiver) }, limits, [...old, 'same'])
      const { code } = await place.run(['apply', '--yes'])
      return [code, ...stateOf(place.sandbox)]
    }
    const [first, second, third, last] = old.map((group) => `ENG ${group} → guest`)
    const same = 'ENG same → guest'
    expect(await leftWith(old)).toEqual([0, same])
    expect(await leftWith([...old, 'old-e', 'old-f'])).toEqual([0, same])
    expect(await leftWith(old.slice(2))).toEqual([0, same])
    expect(await leftWith(old.slice(3))).toEqual([3, first, second, third, same])
    expect(await leftWith(['same'])).toEqual([3, first, second, third, last, same])
  })
})

test('a file that the settings do not name may not have waivers', async () => {
  await using place = await openFiles({ 'a.yaml': grant, 'teams/w.yaml': waived(`${right}, until: ${inDays(2)}`) })
  const refused = await place.run(['validate'])
  expect([refused.code, refused.err]).toEqual([78, expect.stringContaining('teams/w.yaml:4:5: this file may not have "waivers"')])
  expect((await place.run(['apply', '--yes'])).code).toBe(78)
  expect(admins(place)).toEqual([])
  await place.settings({ waivers: { files: ['teams/*'] } })
  expect((await place.run(['apply', '--yes'])).code).toBe(0)
  expect(admins(place)).toEqual(['ENG leads → admin'])
})

describe('a daemon', () => {
  const waiting = ({ metric }: Awaited<ReturnType<typeof started>>) => metric('waiting_for_approval{workspace="acme"}')

  test('writes a protected grant after a commit with its waiver, and not any more after its end', async () => {
    await using place = await openFiles({ 'a.yaml': grant })
    const daemon = await started(place)
    expect([admins(place), await waiting(daemon)]).toEqual([[], 1])
    const endMs = Date.now() + 12_000
    await place.write('groups/platform/w.yaml', waived(`${right}, until: ${inSeconds(12)}`))
    await daemon.cycle()
    await daemon.cycle()
    expect(admins(place)).toEqual(['ENG leads → admin'])
    await sleep(Math.max(0, endMs - Date.now()) + 500)
    await take(place, 'leads')
    await daemon.cycle()
    await daemon.cycle()
    expect([admins(place), await waiting(daemon)]).toEqual([[], 1])
    await daemon.stop()
  })

  test('uses no waiver while the last valid declaration is in use', async () => {
    await using place = await openFiles({ 'a.yaml': grant, 'platform/w.yaml': waived(`${right}, until: ${inDays(2)}`) })
    const daemon = await started(place)
    expect(admins(place)).toEqual(['ENG leads → admin'])
    await place.write('groups/platform/w.yaml', acme('waivers: {}'))
    await take(place, 'leads')
    await daemon.cycle()
    await daemon.cycle()
    expect([admins(place), await waiting(daemon)]).toEqual([[], 1])
    await place.write('groups/platform/w.yaml', waived(`${right}, until: ${inDays(2)}`))
    await daemon.cycle()
    await daemon.cycle()
    expect(admins(place)).toEqual(['ENG leads → admin'])
    await daemon.stop()
  })

  test('with fences, uses no waiver of an invalid file, and those of the other files', async () => {
    const pay = {
      owner: 'team-pay',
      workspace: 'acme',
      projectRoles: { projects: ['OPS'], roles: ['guest', 'admin'], groups: ['pay-*'] },
      may: ['waivers'],
    }
    const rule = 'projectRoles: [ { group: pay-leads, project: OPS, role: admin } ]'
    const own = `{ project: OPS, group: pay-leads, from: none, to: admin, until: ${inDays(2)}, reason: x }`
    const files = {
      'platform/a.yaml': grant,
      'platform/w.yaml': waived(`${right}, until: ${inDays(2)}`),
      'teams/pay.yaml': acme(`${rule}\n    waivers: [ ${own} ]`),
    }
    await using place = await openFiles(files, { fences: { 'platform/*': 'everything', 'teams/*': pay } })
    const daemon = await started(place)
    expect(admins(place)).toEqual(['ENG leads → admin', 'OPS pay-leads → admin'])
    await place.write('groups/teams/pay.yaml', acme(`${rule}\n    waivers: [ ${own.replace('pay-leads', 'leads')} ]`))
    await take(place, 'leads')
    await take(place, 'pay-leads')
    await daemon.cycle()
    await daemon.cycle()
    expect([admins(place), await waiting(daemon)]).toEqual([['ENG leads → admin'], 1])
    expect(daemon.daemon.err()).toContain('teams/pay.yaml (team-pay) is invalid')
    await daemon.stop()
  })
})
