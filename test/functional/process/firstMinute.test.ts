import { mkdir, readdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { openPlace, type Place } from './program.ts'

const declaration = { version: 1, workspaces: {} }
const workspaces = {
  acme: {
    projects: ['ENG', 'OPS'],
    projectMappings: [
      { project: 'ENG', idp_group_name: 'eng-web', role: 'member' },
      { project: 'ENG', idp_group_name: 'eng-db', role: 'member' },
    ],
    workspaceMappings: [{ idp_group_name: 'all-staff', role: 'guest' }],
  },
}
/** Runs the program in an empty folder, without `--config`. */
async function alone(place: Place, args: readonly string[], env: Record<string, string> = {}) {
  await mkdir(place.path('empty'), { recursive: true })
  const wrap = (command: readonly string[]) => ['env', '-C', place.path('empty'), ...command.slice(0, command.indexOf('--config'))]
  return place.run(args, { wrap, env: { PLANE_WORKSPACE_SLUG: 'acme', ...env } })
}
const open = () => openPlace({ declaration, groups: ['eng-web', 'eng-db', 'eng-interns', 'all-staff'], workspaces })

describe('with three variables and no file', () => {
  test('export prints what exists, and plan compares it with a file', async () => {
    await using place = await open()
    const exported = await alone(place, ['export'])
    expect([exported.code, exported.err]).toEqual([0, ''])
    expect(exported.out).toContain('      - group: [eng-db, eng-web]\n        project: ENG\n        role: member\n')
    await place.write('empty/groups.yaml', exported.out)
    const planned = await alone(place, ['plan', '--declaration', 'groups.yaml'])
    expect(planned.code).toBe(0)
    expect(planned.out).toContain('in sync: 3 unchanged')
    const removed = await alone(place, ['export', '--removed'])
    expect([removed.code, removed.out]).toEqual([64, ''])
    expect(await readdir(place.path('empty'))).toEqual(['groups.yaml'])
  })

  test('plan without a declaration says how many mappings there are and what to do; a wrong key is an error', async () => {
    await using place = await open()
    const { code, out, err } = await alone(place, ['plan'])
    expect([code, err]).toEqual([0, expect.stringContaining('Plane has 3 mappings here, and there is no declaration')])
    expect(out).toContain('declaration none')
    expect((await alone(place, ['plan'], { PLANE_API_KEY: 'a-wrong-key' })).code).toBe(1)
    expect(await readdir(place.path('empty'))).toEqual([])
  })

  test('groups and doctor say what is missing', async () => {
    await using place = await open()
    const groups = await alone(place, ['groups'])
    expect([groups.code, groups.err]).toEqual([78, expect.stringContaining('names no directory')])
    const doctor = await alone(place, ['doctor'])
    expect([doctor.code, doctor.out]).toEqual([0, expect.stringContaining('no-settings-file')])
  })

  test.each(['run --once', 'apply --yes', 'reconcile', 'status', 'validate'])('%s needs a file, and says so', async (verb) => {
    await using place = await open()
    const { code, err } = await alone(place, verb.split(' '))
    expect([code, err]).toEqual([78, expect.stringContaining('plane-group-sync init')])
    expect(err.replaceAll(/\s+/g, ' ')).toContain('export, plan, groups and doctor need none')
  })

  test.each(['PLANE_BASE_URL', 'PLANE_API_KEY', 'PLANE_WORKSPACE_SLUG'])('export without %s names it', async (name) => {
    await using place = await open()
    const { code, err } = await alone(place, ['export'], { [name]: '' })
    expect([code, err.replaceAll(/\s+/g, ' ')]).toEqual([78, expect.stringContaining(`has no ${name}`)])
  })
})

describe('init', () => {
  const byFile = ['init', '--directory', 'file', '--set', 'path=../directory.yaml']

  test('writes settings, a declaration that plans to nothing, and a workflow; a second time it writes nothing', async () => {
    await using place = await open()
    const { code, out, err } = await alone(place, [...byFile, '--ci', 'github'])
    expect([code, out]).toEqual([
      0,
      'plane-group-sync.yaml\ngroups/acme.yaml\n.github/workflows/record.yml\n.github/workflows/plan.yml\n.github/workflows/comment.yml\n',
    ])
    expect(err).toContain('Plane: 3 mappings in the workspace acme\nfile: 4 groups\n')
    const files = await place.read('empty/groups/acme.yaml')
    expect(files).toContain('# - groupGlob: "eng-*" # for 2 groups above in ENG; adds 1 group today: eng-interns\n')
    expect(await place.read('empty/.github/workflows/plan.yml')).toContain('  CONFIG: plane-group-sync.yaml\n  DECLARATION: groups\n')
    expect(await place.read('empty/plane-group-sync.yaml')).toContain('credential: { apiKey: { env: PLANE_API_KEY } }')
    const planned = await alone(place, ['plan'])
    expect(planned.out).toContain('in sync: 3 unchanged')
    const again = await alone(place, [...byFile])
    expect([again.code, again.out]).toEqual([64, ''])
    expect(again.err).toContain('there are settings already')
    expect(await place.read('empty/groups/acme.yaml')).toBe(files)
  })

  test('a file that exists is never replaced, and then none is written', async () => {
    await using place = await open()
    await mkdir(place.path('empty/groups'), { recursive: true })
    await place.write('empty/groups/acme.yaml', 'mine')
    const { code, err } = await alone(place, byFile)
    expect([code, err]).toEqual([64, expect.stringContaining('groups/acme.yaml exists already')])
    expect(await readdir(place.path('empty'))).toEqual(['groups'])
    expect(await place.read('empty/groups/acme.yaml')).toBe('mine')
  })

  test('--dry-run prints the files, and writes none', async () => {
    await using place = await open()
    const { code, out } = await alone(place, [...byFile, '--dry-run'])
    expect([code, out]).toEqual([0, expect.stringContaining('# plane-group-sync.yaml\n')])
    expect(out).toContain('# groups/acme.yaml\n')
    expect(await readdir(place.path('empty'))).toEqual([])
  })

  test.each<[what: string, args: readonly string[], env: Record<string, string>, code: number, says: string]>([
    ['a wrong key', byFile, { PLANE_API_KEY: 'a-wrong-key' }, 1, 'make a new key'],
    [
      'a directory that cannot be read',
      ['init', '--directory', 'file', '--set', 'path=missing.yaml'],
      {},
      1,
      'the directory cannot be read',
    ],
    ['a secret in place of its name', ['init', '--directory', 'none', '--key', 'plane_api_0123456789'], {}, 64, 'never the secret itself'],
    ['an unknown value', ['init', '--directory', 'okta', '--set', 'realm=x'], {}, 64, 'name one of: url, token'],
    ['a missing value', ['init', '--directory', 'ldap'], {}, 64, '--set address is missing'],
    ['a slug that leads out of the folder', ['init', '--workspace', '../up'], {}, 78, 'has no slash'],
    ['an address that is none', ['init', '--base-url', 'plane'], {}, 78, 'not an address'],
  ])('%s: says so, and writes nothing', async (_, args, env, code, says) => {
    await using place = await open()
    const ended = await alone(place, args, env)
    expect([ended.code, ended.out]).toEqual([code, ''])
    expect(ended.err.replaceAll(/\s+/g, ' ')).toContain(says)
    expect(ended.err).not.toContain('plane_api_0123456789')
    expect(await readdir(place.path('empty'))).toEqual([])
  })

  test('groups of mappings that the directory does not have: the form of the names may differ', async () => {
    await using place = await open()
    await place.groups(['/eng/web', '/eng/db'])
    const { code, err } = await alone(place, [...byFile, '--dry-run'])
    expect([code, err]).toEqual([0, expect.stringContaining('3 groups of these mappings are not in the directory')])
    expect(err).toContain('its own names are such as /eng/')
  })
})
