import { mkdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { validationSchema } from '../../../src/documents/validation.ts'
import { openPlace } from './program.ts'

const rule = (more = '') =>
  `version: 1\nworkspaces:\n  acme:\n    projectRoles:\n      - { group: devs, project: ENG, role: member${more} }\n`
const withoutKey = { PLANE_API_KEY: '' }
/** An environment that has no variable of this name cannot be given, so `env -u` removes it. */
const unset = (...names: readonly string[]) => ({
  wrap: (command: readonly string[]) => ['env', ...names.flatMap((name) => ['-u', name]), ...command],
})

const documentOf = (out: string) => {
  const document: unknown = JSON.parse(out)
  return validationSchema.parse(document)
}

test('counts the mappings that the lists of the rules stand for, and the patterns', async () => {
  const declaration = `version: 1
workspaces:
  acme:
    projectRoles:
      - { group: [devs, ops], project: [ENG, OPS], role: member }
      - { group: leads, allProjects: true, role: guest }
      - { groupGlob: "plane-*", project: ENG, role: guest }
`
  await using place = await openPlace({ declaration, groups: ['devs', 'ops', 'leads'] })
  expect((await place.run(['validate'])).out).toMatch(/^valid: 5 mappings and 1 pattern for 1 workspace in 1 file · /)
})

describe('validate without the secrets', () => {
  test('says in a note which secret it did not check, and ends with 0', async () => {
    await using place = await openPlace({ declaration: rule(), groups: ['devs'] })
    const { code, out, err } = await place.run(['validate'], unset('PLANE_API_KEY'))
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain(
      'note: not checked: service.credential.apiKey comes from the environment variable PLANE_API_KEY, which is not set',
    )
    expect(out).toMatch(/^valid: 1 mapping for 1 workspace in 1 file · /)
    const empty = await place.run(['validate'], { env: withoutKey })
    expect(empty).toMatchObject({ code: 0, err: '', out: expect.stringContaining('PLANE_API_KEY, which is empty') })
    expect((await place.run(['validate'])).out).not.toContain('not checked')
    for (const other of ['plan', 'export', 'run', 'apply']) {
      const { code, err } = await place.run([other, ...(other === 'apply' ? ['--yes'] : [])], unset('PLANE_API_KEY'))
      expect({ code, err }, other).toMatchObject({ code: 78, err: expect.stringContaining('config.yaml') })
    }
  })

  test('notes each absent file and variable, wherever it is', async () => {
    const settings = {
      service: {
        credentials: {
          one: { apiKey: { file: 'no-such-key' } },
          two: { oauth: { clientId: 'c', clientSecret: { env: 'NO_SECRET' }, installation: 'i' } },
        },
      },
      workspaces: { acme: { credential: 'one' }, globex: { credential: 'two' } },
      directories: {
        ldap: {
          kind: 'ldap',
          addresses: ['ldaps://l.example.com'],
          bind: { dn: 'cn=x', password: { file: 'no/password' } },
          groups: { base: 'dc=x' },
        },
        idp: { kind: 'keycloak', url: 'https://k.example.com', realm: 'r', client: { id: 'c', secret: { env: 'NO_CLIENT' } } },
      },
    }
    await using place = await openPlace({ declaration: rule(), groups: [], settings })
    const { code, out } = await place.run(['validate', '--format', 'json'])
    expect(code).toBe(0)
    const { valid, problems } = documentOf(out)
    expect(valid).toBe(true)
    expect(problems.map(({ severity, code, file, message }) => [severity, code, file, message.split(' ', 3)[2]])).toEqual(
      [
        'service.credentials.one.apiKey',
        'service.credentials.two.oauth.clientSecret',
        'directories.ldap.bind.password',
        'directories.idp.client.secret',
      ].map((name) => ['note', 'secret-not-checked', 'config.yaml', name]),
    )
    expect(problems.every(({ line = 0, column = 0 }) => line > 0 && column > 0)).toBe(true)
  })

  test('still finds every mistake', async () => {
    await using place = await openPlace({ declaration: rule(', expire: 2027-01-31'), groups: [] })
    const { code, out, err } = await place.run(['validate'], unset('PLANE_API_KEY'))
    expect({ code, out }).toEqual({ code: 78, out: '' })
    expect(err).toContain('groups.yaml:5:52: unknown key "expire"')
    await place.settings({ polcy: 'exclusive' })
    expect(await place.run(['validate'], unset('PLANE_API_KEY'))).toMatchObject({ code: 78, err: expect.stringContaining('polcy') })
  })
})

test('validate says what policy sync means now, wherever the settings have it', async () => {
  const settings = { policy: 'sync', workspaces: { acme: { policy: 'sync' } } }
  await using place = await openPlace({ declaration: rule(), groups: ['devs'], settings })
  const { problems } = documentOf((await place.run(['validate', '--format', 'json'])).out)
  expect(problems.filter(({ code }) => code === 'policy-sync').map(({ severity, cure }) => [severity, cure])).toEqual(
    Array.from({ length: 2 }, () => ['note', expect.stringContaining('policy: exclusive')]),
  )
  await place.settings({ policy: 'exclusive', workspaces: { acme: { policy: 'exclusive' } } })
  expect((await place.run(['validate'])).out).not.toContain('policy sync')
})

describe('validate --format', () => {
  const old = 'version: 1\nworkspaces:\n  acme:\n    workspaceRoles:\n      - { groups: [ops], role: guest, expires: 2020-01-31 }\n'

  test('json is one document that its schema describes, with warnings and hints', async () => {
    await using place = await openPlace({ declaration: '', groups: [], settings: { declaration: 'teams' } })
    await mkdir(place.path('teams'))
    await place.write('teams/old.yaml', old)
    const { code, out, err } = await place.run(['validate', '--format', 'json'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(documentOf(out)).toMatchObject({
      valid: true,
      settings: 'config.yaml',
      declaration: { files: 1, rules: 1, workspaces: 1, removed: 0, unmanaged: 0 },
      problems: [
        { severity: 'note', code: 'old-word', file: 'teams/old.yaml', line: 5, column: 11 },
        {
          severity: 'warning',
          code: 'rule-ended',
          file: 'teams/old.yaml',
          line: 5,
          column: 48,
          message: 'this rule ended at 2020-02-01 00:00 UTC, so it gives no role any more',
          cure: expect.stringContaining('later end'),
        },
      ],
    })
    const text = await place.run(['validate'])
    expect(text.out).toContain('old.yaml:5:48: warning: this rule ended at 2020-02-01 00:00 UTC')
    expect(text.out).toContain('old.yaml:5:11: note: "groups" is an old word for "group"')
  })

  test('json and github have the errors too, on standard output, and the exit code is that of text', async () => {
    await using place = await openPlace({ declaration: rule(', expire: 1'), groups: [] })
    const json = await place.run(['validate', '--format', 'json'])
    expect({ code: json.code, err: json.err }).toEqual({ code: 78, err: '' })
    const document = documentOf(json.out)
    expect(document).toMatchObject({ valid: false, problems: [{ severity: 'error', code: 'declaration', file: 'groups.yaml', line: 5 }] })
    expect(document.declaration).toBeUndefined()
    const github = await place.run(['validate', '--format', 'github'])
    expect({ code: github.code, err: github.err }).toEqual({ code: 78, err: '' })
    expect(github.out).toContain(
      '::error file=groups.yaml,line=5,col=52,title=plane-group-sync%3A declaration::unknown key "expire"%0Adid you mean "expires"? ',
    )
    expect(await place.run(['validate', '--format', 'xml'])).toMatchObject({ code: 64, out: '' })
  })

  test('github has warnings and notices, and no input begins a command of its own', async () => {
    const name = '50% off, a: b\\n::error::x'
    await using place = await openPlace({
      declaration: `version: 1\nworkspaces:\n  "${name}": {}\n`,
      groups: [],
      settings: { service: { credential: { apiKey: { env: 'NO_KEY' } } } },
    })
    const { out } = await place.run(['validate', '--format', 'github'])
    const lines = out.trimEnd().split('\n')
    expect(lines).toHaveLength(3)
    expect(lines[0]).toMatch(/^::error file=groups\.yaml,line=3,col=3,title=[^,:]*::[^\n]*50%25 off/)
    expect(lines[1]).toBe(
      '::notice file=config.yaml,line=12,col=17,title=plane-group-sync%3A secret-not-checked::not checked: service.credential.apiKey comes from the environment variable NO_KEY, which is not set%0Aall other commands need it; validate checks everything else without it',
    )
    expect(lines[2]).toBe('invalid: 1 problem')
  })

  test('settings that cannot be read are a document too', async () => {
    await using place = await openPlace({ declaration: rule(), groups: [] })
    await place.write('config.yaml', 'version: [')
    const { code, out } = await place.run(['validate', '--format', 'json'])
    expect(code).toBe(78)
    expect(documentOf(out).problems[0]).toMatchObject({ severity: 'error', code: 'settings', file: 'config.yaml' })
  })

  test('the mistakes of a file that the settings name and of the declaration are all there at once', async () => {
    await using place = await openPlace({ declaration: rule(', expire: 1'), groups: [] })
    await place.write('directory.yaml', 'groups: [devs]')
    const { code, err } = await place.run(['validate'])
    expect(code).toBe(78)
    const places = [...err.matchAll(/^\S*?(config\.yaml|groups\.yaml)[:\d]*: (\w+ \w+)/gm)].map(([, file, words]) => [file, words])
    expect(places).toEqual([
      ['config.yaml', 'the groups'],
      ['groups.yaml', 'unknown key'],
    ])
    const document = documentOf((await place.run(['validate', '--format', 'json'])).out)
    expect(document.problems.map(({ severity, code, file }) => [severity, code, file])).toEqual([
      ['error', 'settings', 'config.yaml'],
      ['error', 'declaration', 'groups.yaml'],
    ])
  })
})
