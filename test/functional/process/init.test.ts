import { mkdir, readdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { answered } from './answered.ts'
import { runAlone } from './emptyFolder.ts'
import { openPlace } from './program.ts'
import { hasTerminal } from './terminals.ts'

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
const open = () => openPlace({ declaration, groups: ['eng-web', 'eng-db', 'eng-interns', 'all-staff'], workspaces })

const byFile = ['init', '--directory', 'file', '--set', 'path=../directory.yaml']

describe('init', () => {
  test('writes settings, a declaration that plans to nothing, and a workflow; a second time it writes nothing', async () => {
    await using place = await open()
    const { code, out, err } = await runAlone(place, [...byFile, '--ci', 'github'])
    expect([code, out]).toEqual([
      0,
      'plane-group-sync.yaml\ngroups/acme.yaml\n.gitignore\n.github/workflows/record.yml\n.github/workflows/plan.yml\n.github/workflows/comment.yml\n',
    ])
    expect(err).toContain('Plane: 3 mappings in the workspace acme\nfile: 4 groups\n')
    const files = await place.read('empty/groups/acme.yaml')
    expect(files).toContain('# - groupGlob: "eng-*" # for 2 groups above in ENG; adds 1 group today: eng-interns\n')
    expect(await place.read('empty/.github/workflows/plan.yml')).toContain('  CONFIG: plane-group-sync.yaml\n  DECLARATION: groups\n')
    expect(await place.read('empty/plane-group-sync.yaml')).toContain('credential: { apiKey: { env: PLANE_API_KEY } }')
    const planned = await runAlone(place, ['plan'])
    expect(planned.out).toContain('in sync: 3 unchanged')
    const again = await runAlone(place, [...byFile])
    expect([again.code, again.out]).toEqual([64, ''])
    expect(again.err).toContain('there are settings already')
    expect(await place.read('empty/groups/acme.yaml')).toBe(files)
  })

  test('a file that exists is never replaced, and then none is written', async () => {
    await using place = await open()
    await mkdir(place.path('empty/groups'), { recursive: true })
    await place.write('empty/groups/acme.yaml', 'mine')
    const { code, err } = await runAlone(place, byFile)
    expect([code, err]).toEqual([64, expect.stringContaining('groups/acme.yaml exists already')])
    expect(await readdir(place.path('empty'))).toEqual(['groups'])
    expect(await place.read('empty/groups/acme.yaml')).toBe('mine')
  })

  test('a file in the place of a folder stops it before anything is written', async () => {
    await using place = await open()
    await mkdir(place.path('empty'), { recursive: true })
    await place.write('empty/groups', 'mine')
    const { code, err } = await runAlone(place, byFile)
    expect([code, err]).toEqual([64, expect.stringContaining('groups/acme.yaml exists already')])
    expect(await readdir(place.path('empty'))).toEqual(['groups'])
  })

  test('the file of GitLab is not added to this repository, and settings that a variable names are not these', async () => {
    await using place = await open()
    const { code, err } = await runAlone(place, [...byFile, '--ci', 'gitlab'], { PLANE_GROUP_SYNC_CONFIG: '/elsewhere/config.yaml' })
    expect([code, err]).toEqual([0, expect.stringContaining('  move .gitlab-ci.yml to a project of its own')])
    expect(err).toContain('  git add plane-group-sync.yaml groups .gitignore\n')
    expect(err).toContain('  unset PLANE_GROUP_SYNC_CONFIG ')
  })

  test('--dry-run prints the files, and writes none', async () => {
    await using place = await open()
    const { code, out } = await runAlone(place, [...byFile, '--dry-run'])
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
    const ended = await runAlone(place, args, env)
    expect([ended.code, ended.out]).toEqual([code, ''])
    expect(ended.err.replaceAll(/\s+/g, ' ')).toContain(says)
    expect(ended.err).not.toContain('plane_api_0123456789')
    expect(await readdir(place.path('empty'))).toEqual([])
  })

  test('groups of mappings that the directory does not have: the form of the names may differ', async () => {
    await using place = await open()
    await place.groups(['/eng/web', '/eng/db'])
    const { code, err } = await runAlone(place, [...byFile, '--dry-run'])
    expect([code, err]).toEqual([0, expect.stringContaining('3 groups of these mappings are not in the directory')])
    expect(err).toContain('its own names are such as /eng/')
  })
})

describe('what git must not get', () => {
  test('a new .gitignore has the journal and the secrets of this folder, and git add names only what was written', async () => {
    await using place = await open()
    await mkdir(place.path('empty/keys'), { recursive: true })
    await place.write('empty/keys/plane.txt', 'key-of-a-test')
    const { code, err } = await runAlone(place, ['init', '--directory', 'none', '--key', 'file:keys/plane.txt'], { PLANE_API_KEY: '' })
    expect(code, err).toBe(0)
    expect(await place.read('empty/.gitignore')).toBe('/state/\n/keys/plane.txt\n')
    expect(err).toContain('  git add plane-group-sync.yaml groups .gitignore\n')
    expect(err).not.toContain('printf')
  })

  test('one that exists stays as it is; the lines that it lacks are shown', async () => {
    await using place = await open()
    await mkdir(place.path('empty'), { recursive: true })
    await place.write('empty/.gitignore', 'node_modules\n')
    const first = await runAlone(place, ['init', '--directory', 'none', '--dry-run'])
    expect(first.out).not.toContain('.gitignore')
    const { code, err } = await runAlone(place, ['init', '--directory', 'none'])
    expect([code, err]).toEqual([0, expect.stringContaining("  printf '\\n%s\\n' /state/ >> .gitignore")])
    expect(err).toContain('  git add plane-group-sync.yaml groups\n')
    expect(await place.read('empty/.gitignore')).toBe('node_modules\n')
  })

  test.each(['/state/\n!/state/\n', '/state-of-mind/\n'])(
    'a line that ignores something else, or takes it back, is not enough: %j',
    async (lines) => {
      await using place = await open()
      await mkdir(place.path('empty'), { recursive: true })
      await place.write('empty/.gitignore', lines)
      expect((await runAlone(place, ['init', '--directory', 'none'])).err).toContain('/state/ >> .gitignore')
    },
  )

  test('nothing is shown if it has them', async () => {
    await using place = await open()
    await mkdir(place.path('empty'), { recursive: true })
    await place.write('empty/.gitignore', 'state\n')
    expect((await runAlone(place, ['init', '--directory', 'none'])).err).not.toContain('.gitignore')
  })
})

describe.skipIf(!hasTerminal)('init at a terminal', () => {
  const kind = ['Directory with the groups', 'file'] as const
  const path = (answer: string) => ['YAML file with the groups, such as groups: [{ name: eng }]', answer] as const
  const ci = ['Workflow', ''] as const

  test('a wrong answer is asked again, with the answers so far; an empty variable is as good as none', async () => {
    await using place = await open()
    const { code, out } = await answered(
      place,
      ['init'],
      [
        ['Slug of the workspace', 'nowhere'],
        ['Address of Plane', ''],
        ['Slug of the workspace, from its address in Plane [nowhere]', 'acme'],
        ['API key of Plane (only where it is: env:NAME or file:PATH) [env:PLANE_API_KEY]', ''],
        ['Directory with the groups', 'files'],
        kind,
        path('../missing.yaml'),
        ['Directory with the groups: ldap, keycloak, entra, okta, google, scim, file, none [file]', ''],
        ['YAML file with the groups, such as groups: [{ name: eng }] [../missing.yaml]', '../directory.yaml'],
        ci,
      ],
      { PLANE_WORKSPACE_SLUG: '' },
    )
    expect(code, out).toBe(0)
    expect(out).toContain('--directory takes one of')
    expect(out).toContain('the directory cannot be read')
    expect(out.indexOf('Plane: 3 mappings')).toBeLessThan(out.indexOf('Directory with the groups'))
    expect(await place.read('empty/plane-group-sync.yaml')).toContain('    path: "../directory.yaml"\n')
    expect((await runAlone(place, ['plan'])).out).toContain('in sync: 3 unchanged')
  })

  test('no group of the mappings in the directory: asked again; the same answers once more are taken', async () => {
    await using place = await open()
    await place.groups(['/eng/web', '/eng/db'])
    const { code, out } = await answered(
      place,
      ['init'],
      [kind, path('../directory.yaml'), ['[file]', ''], ['[../directory.yaml]', ''], ci],
    )
    expect(code, out).toBe(0)
    expect(out).toContain('the form of the names probably differs')
    expect(await place.read('empty/groups/acme.yaml')).not.toContain('groupGlob')
  })

  test('a directory without a group is a wrong answer', async () => {
    await using place = await open()
    await place.groups([])
    const ended = await runAlone(place, [...byFile, '--quiet'])
    expect([ended.code, ended.out]).toEqual([1, ''])
    expect(ended.err).toContain('the directory answers, but shows no group')
  })

  test('a variable that is not set is said at once', async () => {
    await using place = await open()
    const { code, out } = await answered(
      place,
      ['init'],
      [
        ['Directory with the groups', 'scim'],
        ['Address of the SCIM server', 'https://scim.example.com/v2'],
        ['Bearer token', ''],
        ['Bearer token', '\u0003'],
      ],
    )
    expect([code, out]).toEqual([130, expect.stringContaining('the variable SCIM_TOKEN is not set')])
  })

  test.each([
    ['Ctrl-C', '\u0003', 130],
    ['Ctrl-D', '\u0004', 64],
  ])('%s ends it at once, writes nothing, and shows the command that begins with the answers so far', async (_, sign, expected) => {
    await using place = await open()
    const { code, out } = await answered(place, ['init'], [kind, ['YAML file with the groups, such as groups: [{ name: eng }]', sign]])
    expect(code, out).toBe(expected)
    expect(out.includes('the input ended before the last answer')).toBe(sign === '\u0004')
    expect(out).toMatch(/init --base-url \S+ --workspace acme --key env:PLANE_API_KEY \\\n +--directory file\n/)
    expect(await readdir(place.path('empty'))).toEqual([])
  })

  test('a secret in place of its name is asked again, and never shown', async () => {
    await using place = await open()
    const key = ['API key of Plane', 'plane_api_0123456789'] as const
    const { code, out } = await answered(place, ['init', '--directory', 'none'], [key, ['API key of Plane', '\u0003']], {
      PLANE_API_KEY: '',
    })
    expect(code, out).toBe(130)
    // The terminal itself shows what is typed, once.
    expect(out.split('plane_api_0123456789')).toHaveLength(2)
  })
})
