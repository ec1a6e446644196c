import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { answered } from '../process/answered.ts'
import { runAlone } from '../process/emptyFolder.ts'
import { openPlace, type Place } from '../process/program.ts'
import { hasTerminal } from '../process/terminals.ts'
import { type Keycloak, startKeycloak } from './keycloak.ts'
import { realm, secret } from './keycloakRealm.ts'
import { type Slapd, startSlapd } from './slapd.ts'

/** `init` as a newcomer starts it, with the servers themselves. What it writes must plan to no change, and name each secret without its value. */

/** A place whose Plane has these groups as members of ENG, and the last of them as guest of the workspace, too. */
const openWith = (...groups: readonly string[]) =>
  openPlace({
    declaration: { version: 1, workspaces: {} },
    groups: [],
    workspaces: {
      acme: {
        projects: ['ENG', 'OPS'],
        projectMappings: groups.map((group) => ({ project: 'ENG', idp_group_name: group, role: 'member' })),
        workspaceMappings: groups.slice(-1).map((group) => ({ idp_group_name: group, role: 'guest' })),
      },
    },
  })

const set = (values: Readonly<Record<string, string>>) => Object.entries(values).flatMap(([name, value]) => ['--set', `${name}=${value}`])

/** All that is in the folder now. */
async function filesOf(place: Place): Promise<string> {
  const entries = await readdir(place.path('empty'), { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name).slice(place.folder.length))
  return (await Promise.all(files.map((name) => place.read(name)))).join('\n')
}

async function expectNoChange(place: Place, mappings: number, env: Record<string, string>, verb = 'plan'): Promise<void> {
  const { code, out, err } = await runAlone(place, [verb], env)
  expect([code, out], err).toEqual([0, expect.stringContaining(`in sync: ${mappings} unchanged`)])
}

/** What was written runs: it is valid, plans no change, and a reconcile writes nothing. */
async function expectRuns(place: Place, mappings: number, env: Record<string, string>): Promise<void> {
  const { code, out } = await runAlone(place, ['validate'], env)
  expect([code, out]).toEqual([0, expect.stringContaining(`valid: ${mappings} mappings`)])
  for (const verb of ['plan', 'reconcile']) await expectNoChange(place, mappings, env, verb)
}

type Row = { readonly action: string; readonly group: string; readonly role: string; readonly target: { readonly project?: string } }

/** Uses the first proposed pattern in place of the rules of the project, and gives what the plan then creates. */
async function createdByPattern(place: Place, env: Record<string, string>): Promise<readonly string[]> {
  const text = await place.read('empty/groups/acme.yaml')
  const pattern = /^# - groupGlob: .*\n#   project: ENG\n#   role: member\n/m.exec(text)?.[0].replaceAll(/^# /gm, '      ')
  await place.write('empty/groups/acme.yaml', text.replace(/projectRoles:\n[^#]*/, `projectRoles:\n${pattern}`))
  const { code, out, err } = await runAlone(place, ['plan', '--format', 'json'], env)
  expect(code, err).toBe(0)
  // The policy observe holds what it does not write.
  const [{ changes, holds }] = JSON.parse(out).workspaces
  const rows: readonly Row[] = [...changes, ...holds.map(({ change }: { readonly change: Row }) => change)]
  return rows.flatMap(({ action, group, role, target }) => (action === 'create' ? [`${target.project} ${group} → ${role}`] : [])).toSorted()
}

/** The groups that the comment of the first pattern says it would add. */
const saidToAdd = (text: string): readonly string[] =>
  (/^# - groupGlob: .* today: (.*)$/m.exec(text)?.[1] ?? '').split(/, | and /).toSorted()

describe('with Keycloak', () => {
  let keycloak: Keycloak
  const env = { KEYCLOAK_SECRET: secret }
  const leaves = ['/Team 01/sub-1-1/leaf-1-1-1', '/Team 01/sub-1-1/leaf-1-1-2', '/Team 01/sub-1-1/leaf-1-1-3', '/Big']
  beforeAll(async () => {
    keycloak = await startKeycloak()
  })
  afterAll(() => keycloak[Symbol.asyncDispose]())
  const values = () => ({ url: keycloak.url.origin, realm, client: 'view-users' })
  const options = (more: Readonly<Record<string, string>> = {}) => ['init', '--directory', 'keycloak', ...set({ ...values(), ...more })]

  test('by options: the settings, the exact rules, and a pattern that adds exactly what its comment says', async () => {
    await using place = await openWith(...leaves)
    const { code, out, err } = await runAlone(place, options(), env)
    expect([code, out], err).toEqual([0, 'plane-group-sync.yaml\ngroups/acme.yaml\n.gitignore\n'])
    expect(err).toContain('Plane: 5 mappings in the workspace acme\nkeycloak: 443 groups\nNext:\n')
    expect(parse(await place.read('empty/plane-group-sync.yaml'))).toMatchObject({
      policy: 'observe',
      service: { credential: { apiKey: { env: 'PLANE_API_KEY' } } },
      directories: {
        corp: {
          kind: 'keycloak',
          ...{ url: keycloak.url.origin, realm },
          client: { id: 'view-users', secret: { env: 'KEYCLOAK_SECRET' } },
          groups: { name: 'path' },
        },
      },
    })
    expect(`${out}${err}${await filesOf(place)}`).not.toMatch(new RegExp(`${secret}|key-of-a-test`))
    await expectRuns(place, 5, env)
    const said = saidToAdd(await place.read('empty/groups/acme.yaml'))
    expect(said).toEqual(['/Team 01/sub-1-1/leaf-1-1-4', '/Team 01/sub-1-1/leaf-1-1-5'])
    expect(await createdByPattern(place, env)).toEqual(said.map((group) => `ENG ${group} → member`))
  })

  test('names with unusual signs plan to no change', async () => {
    await using place = await openWith('/a/b', '/tilde~/y', '/x,y=z', '/100%', '/ÜBER', '/Case', '/case')
    const { code, err } = await runAlone(place, options(), env)
    expect(code, err).toBe(0)
    expect(err).not.toContain('not in the directory')
    await expectNoChange(place, 8, env)
  })

  test.each([
    ['an unknown realm', { realm: 'nowhere' }, 'check the address and the realm in'],
    ['a wrong secret', { secret: 'env:WRONG' }, 'client "view-users" is refused, 401'],
    ['an account without the role', { client: 'none' }, 'the role view-users of the client realm-management'],
    ['an account with too small a role', { client: 'query-groups' }, 'the role view-users of the client realm-management'],
    ['the address of a realm', { url: 'https://sso.example.com/realms/corp' }, 'leave out /realms/'],
  ])('%s: says so, and writes nothing', async (_, more, says) => {
    await using place = await openWith('/Big')
    const { code, out, err } = await runAlone(place, options(more), { ...env, WRONG: 'wr0ng-s3cret' })
    expect([code === 0, out]).toEqual([false, ''])
    expect(err).toContain(says)
    expect(err).not.toMatch(new RegExp(`${secret}|wr0ng-s3cret`))
    expect(await readdir(place.path('empty'))).toEqual([])
  })

  test.skipIf(!hasTerminal)('by a person: a wrong realm, then a wrong form of names, then it works', async () => {
    await using place = await openWith('leaf-1-1-1', 'leaf-1-1-2')
    const again = [
      ['Directory with the groups', ''],
      ['Address of Keycloak', ''],
    ] as const
    const { code, out } = await answered(
      place,
      ['init', '--ci', 'github'],
      [
        ['Directory with the groups', 'keycloak'],
        ['Address of Keycloak', keycloak.url.origin],
        ['Realm', 'nowhere'],
        ['Client id', 'view-users'],
        ['Its secret', ''],
        ['Names of groups', ''],
        ...again,
        ['Realm [nowhere]', realm],
        ['Client id, whose service account has the role view-users [view-users]', ''],
        ['Its secret', ''],
        ['Names of groups', ''],
        ...again,
        ['Realm [t1]', ''],
        ['Client id', ''],
        ['Its secret', ''],
        ['Names of groups', 'name'],
      ],
      env,
    )
    expect(code, out).toBe(0)
    expect(out).toContain('check the address and the realm in')
    expect(out).toContain(
      '2 groups of these mappings are not in the directory: leaf-1-1-1 and leaf-1-1-2; its own names are such as / Space, /',
    )
    expect(out).not.toContain(secret)
    await expectNoChange(place, 3, env)
  })
})

describe('with slapd', () => {
  let slapd: Slapd
  beforeAll(async () => {
    const nobody = 'dn: cn=nobody,dc=example,dc=org\nobjectClass: applicationProcess\nobjectClass: simpleSecurityObject\ncn: nobody\n'
    const access = [
      'access to attrs=userPassword by anonymous auth by * none',
      'access to dn.subtree="ou=groups,dc=example,dc=org" by dn.exact="cn=nobody,dc=example,dc=org" none by users read by * none',
      'access to * by users read by * none',
    ]
    slapd = await startSlapd({ groups: 5, members: 1, ldif: `${nobody}userPassword: of-nobody\n`, access: access.join('\n') })
  })
  afterAll(() => slapd[Symbol.asyncDispose]())
  const env = () => ({ LDAP_PASSWORD: slapd.reader.password })
  const values = () => ({ address: slapd.ldaps, caFile: slapd.caFile, bindDn: slapd.reader.dn, base: slapd.groupsBase })
  const options = (more: Readonly<Record<string, string>> = {}) => ['init', '--directory', 'ldap', ...set({ ...values(), ...more })]

  test.each([
    ['ldaps', (): Readonly<Record<string, string>> => ({}), ['caFile']],
    ['StartTLS, without being asked for', () => ({ address: slapd.ldap }), ['startTls', 'caFile']],
    ['no TLS, asked for', () => ({ address: slapd.ldap, tls: 'none', caFile: 'none' }), ['allowPlaintext']],
  ])('by options, %s: the settings and the exact rules', async (_, more, security) => {
    await using place = await openWith('g0000', 'g0001')
    const { code, out, err } = await runAlone(place, options(more()), env())
    expect([code, out], err).toEqual([0, 'plane-group-sync.yaml\ngroups/acme.yaml\n.gitignore\n'])
    expect(err).toContain('Plane: 3 mappings in the workspace acme\nldap: 5 groups\nNext:\n')
    const { directories } = parse(await place.read('empty/plane-group-sync.yaml'))
    expect(Object.keys(directories.corp)).toEqual(['kind', 'addresses', ...security, 'bind', 'groups'])
    expect(directories.corp.bind).toEqual({ dn: slapd.reader.dn, password: { env: 'LDAP_PASSWORD' } })
    const everything = `${out}${err}${await filesOf(place)}`
    for (const value of [slapd.reader.password, 'key-of-a-test']) expect(everything).not.toContain(value)
    await expectNoChange(place, 3, env())
  })

  test('a password in a file of the folder: git does not get it', async () => {
    await using place = await openWith('g0000')
    await mkdir(place.path('empty'), { recursive: true })
    await place.write('empty/password', `${slapd.reader.password}\n`)
    const { code, err } = await runAlone(place, options({ password: 'file:password' }))
    expect(code, err).toBe(0)
    expect(await place.read('empty/.gitignore')).toBe('/state/\n/password\n')
    await expectRuns(place, 2, {})
  })

  test.each([
    ['a CA that is not known', () => ({ caFile: 'none' }), 'name the CA that issued it in the settings (caFile)'],
    ['a wrong password', () => ({ password: 'env:WRONG' }), 'the name or the password is wrong'],
    ['an unknown account', () => ({ bindDn: 'cn=nowhere,dc=example,dc=org' }), 'the name or the password is wrong'],
    ['a base that is not there', () => ({ base: 'ou=nowhere,dc=example,dc=org' }), 'check groups.base'],
    ['a base without groups', () => ({ base: slapd.reader.dn }), 'the directory answers, but shows no group'],
    ['no permission', () => ({ bindDn: 'cn=nobody,dc=example,dc=org', password: 'env:OF_NOBODY' }), 'may read it'],
    ['an attribute that groups do not have', () => ({ name: 'sAMAccountName' }), 'sAMAccountName'],
    ['no TLS on the port of TLS', () => ({ address: slapd.ldap.replace('ldap:', 'ldaps:') }), 'check that this port speaks TLS'],
    ['no scheme', () => ({ address: '127.0.0.1' }), 'write ldaps://host or ldap://host'],
    ['a password in the address', () => ({ address: 'ldaps://cn:s3cretword@127.0.0.1' }), 'must not contain credentials'],
  ])('%s: says so, and writes nothing', async (_, more: () => Readonly<Record<string, string>>, says) => {
    await using place = await openWith('g0000')
    const { code, out, err } = await runAlone(place, options(more()), { ...env(), WRONG: 'wr0ng-s3cret', OF_NOBODY: 'of-nobody' })
    expect([code === 0, out]).toEqual([false, ''])
    expect(err).toContain(says)
    for (const value of [slapd.reader.password, 'wr0ng-s3cret', 's3cretword']) expect(err).not.toContain(value)
    expect(await readdir(place.path('empty'))).toEqual([])
  })

  test.skipIf(!hasTerminal)('by a person: the CA is asked for when the certificate is refused', async () => {
    await using place = await openWith('g0000', 'g0001')
    const { code, out } = await answered(
      place,
      ['init'],
      [
        ['Directory with the groups', 'ldap'],
        ['Address of the LDAP server', slapd.ldaps],
        ['DN of the account', slapd.reader.dn],
        ['Its password', ''],
        ['DN below which', slapd.groupsBase],
        ['Attribute with the names', ''],
        ['Directory with the groups', ''],
        ['Address of the LDAP server', ''],
        ['PEM file with the CA', slapd.caFile],
        ['Name in the server', ''],
        ['DN of the account', ''],
        ['Its password', ''],
        ['DN below which', ''],
        ['Attribute with the names', ''],
        ['Workflow', ''],
      ],
      env(),
    )
    expect(code, out).toBe(0)
    expect(out).toContain('the certificate is refused')
    expect(out).not.toContain(slapd.reader.password)
    await expectNoChange(place, 3, env())
  })
})
