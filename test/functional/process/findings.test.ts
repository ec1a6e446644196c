import { expect, test } from 'vitest'
import { openPlace, stateOf, writesTo } from './program.ts'

/** The first moment of a day that many days from now. */
const inDays = (days: number): string => `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)}T00:00Z`
const declared = (more: object) => ({ version: 1, workspaces: { acme: more } })
const joinedLines = (text: string) => text.replaceAll(/\s+/g, ' ')

test('mappings that end soon have rows, and their ends that nobody feels are a finding; they cost no write and no approval', async () => {
  const projectRoles = [
    { group: 'devs', project: 'ENG', role: 'member', expires: inDays(10) },
    { group: 'ops', project: 'ENG', role: 'guest', expires: inDays(40) },
  ]
  const workspaces = { acme: { projects: ['ENG'], config: { is_enabled: true, auto_remove: false } } }
  await using place = await openPlace({ workspaces, declaration: declared({ projectRoles }), groups: ['devs', 'ops'] })
  // A read of the settings would create them in a workspace without mappings.
  const before = joinedLines((await place.run(['plan'])).out)
  expect(before).toMatch(/Later \(2\), up to \d{4}-\d\d-\d\d - ENG devs = member after/)
  expect(before).not.toMatch(/removal-not-felt|Takes effect/)
  expect(place.sandbox.requests.filter(({ path }) => path.includes('/config/'))).toEqual([])
  expect((await place.run(['apply', '--yes'])).code).toBe(0)
  const { out, code } = await place.run(['plan', '--detailed-exitcode'])
  expect([code, joinedLines(out)]).toEqual([
    0,
    expect.stringContaining(
      'warning removal-not-felt: auto-remove is off, so people keep the access of 1 mapping that ends within 14 days',
    ),
  ])
  expect(out).toContain('in sync: 2 unchanged, 2 later')
  Object.assign(place.sandbox.state.workspaces.acme?.config ?? {}, { auto_remove: true })
  expect((await place.run(['plan'])).out).not.toContain('removal-not-felt')
})

test('an archived project, and one that vanished under a mapping, are findings', async () => {
  const projects = ['ENG', { identifier: 'OLD', archived_at: '2026-01-31T12:00:00Z' }]
  const projectMappings = [
    { idp_group_name: 'devs', project: 'OLD', role: 'member' },
    { idp_group_name: 'devs', project: 'ENG', role: 'member' },
  ]
  const projectRoles = ['ENG', 'OLD'].map((project) => ({ group: 'devs', project, role: 'member' }))
  const workspaces = { acme: { projects, projectMappings } }
  await using place = await openPlace({ workspaces, declaration: declared({ projectRoles }), groups: ['devs'] })
  const seen = await place.run(['plan', '--detailed-exitcode'])
  expect([seen.code, joinedLines(seen.out)]).toEqual([
    0,
    expect.stringMatching(/info project-archived: project OLD is archived in Plane, and 1 mapping is there · groups\.yaml:\d+:\d+/),
  ])
  const acme = place.sandbox.state.workspaces.acme
  acme?.projects.splice(
    acme.projects.findIndex(({ identifier }) => identifier === 'ENG'),
    1,
  )
  const gone = joinedLines((await place.run(['plan'])).out)
  expect(gone).toMatch(
    /warning project-vanished: Plane's list does not show project ENG, and 1 mapping is there: .* · groups\.yaml:\d+:\d+/,
  )
  expect(stateOf(place.sandbox)).toEqual(['ENG devs → member', 'OLD devs → member'])
  expect(writesTo(place.sandbox)).toEqual([])
})

test('a plan that holds a group is not in sync', async () => {
  const workspaceRoles = [{ group: 'nobody', role: 'member' }]
  await using place = await openPlace({ declaration: declared({ workspaceRoles }), groups: ['devs'] })
  const { out, code } = await place.run(['plan', '--detailed-exitcode'])
  expect([code, out.trimEnd().split('\n').at(-1)]).toEqual([0, 'nothing to write: 1 held, 0 unchanged'])
})

test('an id after --allow that matches nothing is told, with those that would; an id that matches in one workspace is not', async () => {
  const workspaceRoles = [
    { group: 'devs', role: 'member' },
    { group: 'leads', role: 'admin' },
  ]
  const declaration = { version: 1, workspaces: { acme: { workspaceRoles }, other: { workspaceRoles: [workspaceRoles[0]] } } }
  const workspaces = { acme: { projects: ['ENG'] }, other: { projects: ['ENG'] } }
  const settings = { workspaces: { acme: {}, other: {} } }
  await using place = await openPlace({ workspaces, settings, declaration, groups: ['devs', 'leads'] })
  const wrong = '0123456789abcdef0123456789abcdef'
  const first = await place.run(['plan', '--out', 'plan.json', '--allow', wrong])
  const id = /--allow ([0-9a-f]{32})/.exec(first.out)?.[1] ?? ''
  const notice = `--allow ${wrong}: no plan, set, change, project or group has this ID, so it approves nothing. It may be from an earlier plan or of another workspace.\n`
  expect([first.code, first.err]).toEqual([3, `${notice}  Now these IDs approve what waits: ${id}\n`])
  expect(await place.run(['plan', '--allow', id])).toMatchObject({ code: 0, err: '' })
  const saved = await place.run(['apply', 'plan.json', '--yes', '--no-wait', '--allow', id, '--allow', wrong])
  expect([saved.code, saved.err]).toEqual([0, expect.stringContaining(`${notice}  Now nothing waits for approval\n`)])
  expect(stateOf(place.sandbox)).toEqual(['- devs → member', '- leads → admin'])
  // A job that is repeated names a change that is written already: no error.
  expect(await place.run(['apply', '--yes', '--allow', id])).toMatchObject({
    code: 0,
    err: expect.stringContaining(`--allow ${id}: no plan`),
  })
})
