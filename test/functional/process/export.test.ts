import { mkdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import type { PlanDocument } from '../../../src/documents/plan.ts'
import { openPlace, type Place, stateOf, writesTo } from './program.ts'

const declaration = { version: 1, workspaces: { acme: { projectRoles: [{ groupGlob: 'dev*', project: 'ENG', role: 'member' }] } } }

test.each(['export', 'export --undeclared', 'export --removed', 'export --renamed'])(
  '%s without an answer of Plane says what to check, and prints no declaration',
  async (verb) => {
    await using place = await openPlace({ declaration, groups: ['devs'] })
    const cases: readonly (readonly [what: string, settings: object, env: Record<string, string>, cure: string])[] = [
      [
        'no connection',
        { service: { baseUrl: 'http://127.0.0.1:9' } },
        { PLANE_BASE_URL: '' },
        'check the address of Plane (service.baseUrl, or PLANE_BASE_URL), that Plane runs',
      ],
      ['a wrong key', {}, { PLANE_API_KEY: 'a-wrong-key' }, 'make a new key'],
      ['an unknown workspace', { workspaces: { acme: { slug: 'acne' } } }, {}, 'check the workspace slug "acne"'],
    ]
    for (const [what, settings, env, cure] of cases) {
      await place.settings(settings)
      const { code, out, err } = await place.run([...verb.split(' '), '--log-format', 'pretty'], { env })
      expect([code, out], what).toEqual([1, ''])
      expect(err, what).toMatch(new RegExp(`^\\S.*cannot be read: .*\\n  .*${RegExp.escape(cure)}.*\\n$`))
    }
  },
)

test('export --undeclared with a pattern and a directory that cannot be read: says which, and the next step', async () => {
  await using place = await openPlace({ declaration, groups: ['devs'], settings: { directories: { corp: { path: 'missing.yaml' } } } })
  const { code, out, err } = await place.run(['export', '--undeclared', '--log-format', 'pretty'])
  expect([code, out]).toEqual([1, ''])
  expect(err).toMatch(/^not exported: corp could not be read whole.*missing\.yaml.*\n {2}repair this, then export again\n$/)
})

test('group-sync settings that Plane does not give: plan says what to check', async () => {
  const groupSync = { version: 1, workspaces: { acme: { groupSync: { autoRemove: false } } } }
  await using place = await openPlace({ declaration: groupSync, groups: ['devs'], sandbox: { faults: ['GET config: 403'] } })
  const { code, err } = await place.run(['plan'])
  expect(code).toBe(1)
  expect(err).toMatch(/the group-sync settings cannot be read: .*\n {2}\S.*\n$/)
})

describe('export --removed', () => {
  const made = (project: string | undefined, group: string, role: string) => ({
    ...(project === undefined ? { all_projects: true } : { project }),
    idp_group_name: group,
    role,
  })
  const undeclared = {
    projects: ['ENG', 'OPS', 'NO'],
    projectMappings: [
      made('ENG', 'devs', 'member'),
      made('ENG', 'by hand: "yes", all', 'guest'),
      made('NO', 'no', 'admin'),
      made('OPS', 'twice', 'member'),
      made('OPS', 'twice', 'guest'),
      made(undefined, '#all', 'contributor'),
      made('OPS', 'legacy-ops', 'guest'),
    ],
    workspaceMappings: [' blank', 'devs'].map((group) => ({ idp_group_name: group, role: 'member' })),
  }
  const lists = {
    workspaceRoles: [{ group: 'devs', role: 'member' }],
    projectRoles: [{ groupGlob: 'dev*', project: 'ENG', role: 'member' }],
    unmanaged: [{ groupGlob: 'legacy-*' }],
  }
  const guards = { deletes: { count: 50, share: '100%' }, run: { deletes: 50 }, day: { deletes: 50 } }
  const open = (policy: string) =>
    openPlace({
      declaration: { version: 1, workspaces: { acme: lists } },
      groups: ['devs'],
      workspaces: { acme: undeclared },
      settings: { declaration: 'files', policy, guards },
    })

  async function planned(place: Place): Promise<readonly string[]> {
    const { out, err } = await place.run(['plan', '-o', 'json'])
    expect(err).toBe('')
    const plan = (JSON.parse(out) as PlanDocument).workspaces[0]
    if (plan === undefined || 'failed' in plan) throw new Error(out)
    const changes = [...plan.changes, ...plan.holds.flatMap(({ change }) => change ?? [])]
    return changes
      .map((change) => ('target' in change && change.action === 'delete' ? `${change.why} ${change.key}` : change.action))
      .toSorted()
  }

  test.each(['upsert-only', 'sync', 'exclusive'])('prints a file with which %s deletes exactly the undeclared mappings', async (policy) => {
    await using place = await open(policy)
    await mkdir(place.path('files'))
    await place.write('files/acme.yaml', await place.read('groups.yaml'))
    const { code, out, err } = await place.run(['export', '--removed'])
    expect([code, err]).toEqual([0, ''])
    expect(out).toBe(`version: 1
workspaces:
  acme:
    removed:
      - { group: "no", project: "NO" } # admin, protected
      - { group: "#all", allProjects: true } # contributor
      - { group: " blank", workspace: true } # member
      - { group: "by hand: \\"yes\\", all", project: ENG } # guest
      - { group: twice, project: OPS } # guest, member
`)
    await place.write('files/clean-up.yaml', out)
    expect((await place.run(['validate'])).code).toBe(0)
    const keys = [
      'project/ENG/by hand: "yes", all',
      'project/NO/no',
      'project/OPS/twice',
      'project/OPS/twice',
      'allProjects/#all',
      'workspace/ blank',
    ]
    expect(await planned(place)).toEqual(keys.map((key) => `removed acme/${key}`).toSorted())
    const applied = await place.run(['apply', '--yes'])
    expect(stateOf(place.sandbox), applied.out).toEqual(['- devs → member', 'ENG devs → member', 'OPS legacy-ops → guest'])
    expect((await place.run(['export', '--removed'])).out).toBe('version: 1\nworkspaces:\n  acme: {}\n')
  })
})

test('export --removed prints nothing of a renamed project until the file follows, and then its identifier of today', async () => {
  const declaredIn = (project: string) => ({
    version: 1,
    workspaces: { acme: { projectRoles: [{ group: 'devs', project: [project, 'OPS'], role: 'member' }] } },
  })
  const byHand = ['one', 'two'].map((group) => ({ idp_group_name: group, project: 'ENG', role: 'guest' }))
  await using place = await openPlace({
    declaration: declaredIn('ENG'),
    groups: ['devs'],
    workspaces: { acme: { projects: ['ENG', 'OPS'], projectMappings: byHand } },
    settings: { declaration: 'files' },
  })
  await mkdir(place.path('files'))
  await place.write('files/acme.yaml', await place.read('groups.yaml'))
  expect((await place.run(['apply', '--yes'])).code).toBe(0)
  const { projects = [], projectMappings = [] } = place.sandbox.state.workspaces.acme ?? {}
  for (const project of projects) if (project.identifier === 'ENG') project.identifier = 'ENGX'
  for (const mapping of projectMappings) if (mapping.project === 'ENG') mapping.project = 'ENGX'
  expect((await place.run(['export', '--removed'])).out).toBe('version: 1\nworkspaces:\n  acme: {}\n')
  await place.write('files/acme.yaml', declaredIn('ENGX'))
  const { out } = await place.run(['export', '--removed'])
  expect(out.match(/^ +- .*$/gm)?.map((line) => line.trim())).toEqual([
    '- { group: one, project: ENGX } # guest',
    '- { group: two, project: ENGX } # guest',
  ])
  await place.write('files/clean-up.yaml', out)
  expect((await place.run(['apply', '--yes'])).code).toBe(0)
  expect(stateOf(place.sandbox)).toEqual(['ENGX devs → member', 'OPS devs → member'])
})

describe('export --renamed', () => {
  const teams = ['web', 'api', 'ops', 'data']
  const others = ['a', 'b', 'c', 'd', 'e']
  const know = (place: Place, parent: string) =>
    place.write('directory.yaml', {
      groups: [...teams.map((team) => ({ name: `${parent}/${team}`, id: team })), ...others.map((name) => ({ name, id: name }))],
    })
  const projectRoles = [
    { group: teams.map((team) => `/eng/${team}`), project: ['ENG', 'OPS'], role: 'member', reason: 'ACC-1' },
    { group: others, project: 'ENG', role: 'guest' },
  ]
  const declared = (roles: readonly object[]) => ({
    version: 1,
    workspaces: { acme: { workspaceRoles: [{ group: '/eng/web', role: 'guest' }], projectRoles: roles } },
  })

  test('prints the rules of groups below a renamed parent; in their place they rename each mapping, and do nothing else', async () => {
    await using place = await openPlace({ declaration: declared(projectRoles), groups: [], settings: { declaration: 'files' } })
    await mkdir(place.path('files'))
    await place.write('files/acme.yaml', await place.read('groups.yaml'))
    await know(place, '/eng')
    expect((await place.run(['apply', '--yes'])).code).toBe(0)
    const before = stateOf(place.sandbox)
    expect(before).toHaveLength(14)

    await know(place, '/engineering')
    const plan = (await place.run(['plan'])).out.replaceAll(/\s+/g, ' ')
    expect(plan.match(/group-renamed/g)).toHaveLength(1)
    expect(plan).toContain('put what export --workspace acme --renamed prints in the place of these rules')
    const { code, out, err } = await place.run(['export', '--workspace', 'acme', '--renamed'])
    expect([code, err]).toEqual([0, ''])
    expect(out.split('\n').slice(2, 14)).toEqual([
      'version: 1',
      'workspaces:',
      '  acme:',
      '    workspaceRoles:',
      expect.stringMatching(/^ {6}# \/eng\/web of corp, acme.yaml:\d+:\d+$/),
      '      - group: "/engineering/web"',
      '        previously: "/eng/web"',
      '        role: guest',
      '    projectRoles:',
      expect.stringMatching(/^ {6}# \/eng\/web of corp, acme.yaml:\d+:\d+$/),
      '      - group: "/engineering/web"',
      '        previously: "/eng/web"',
    ])
    await place.write('files/acme.yaml', { version: 1, workspaces: { acme: { projectRoles: projectRoles.slice(1) } } })
    await place.write('files/renamed.yaml', out)
    expect((await place.run(['apply', '--yes'])).code).toBe(0)
    expect(stateOf(place.sandbox)).toEqual(before.map((line) => line.replace('/eng/', '/engineering/')).toSorted())
    const writes = writesTo(place.sandbox).map(({ method }) => method)
    expect(writes.slice(14)).toEqual(Array.from({ length: 9 }, () => 'PATCH'))
    expect((await place.run(['export', '--renamed'])).out).toBe('version: 1\nworkspaces:\n  acme: {}\n')
    expect((await place.run(['plan', '--detailed-exitcode', '--fail-on', 'held,findings'])).code).toBe(0)
  })
})

test('two parts are a mistake of the command line', async () => {
  await using place = await openPlace({ declaration, groups: ['devs'] })
  const { code, out, err } = await place.run(['export', '--undeclared', '--removed'])
  expect([code, out]).toEqual([64, ''])
  expect(err).toContain('--undeclared and --removed print different parts: give one of them')
})
