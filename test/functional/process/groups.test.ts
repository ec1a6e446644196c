import { readdir, stat } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { clientId, entraStandIn, tenantId } from '../standIns/entra.ts'
import { idOf, user } from '../standIns/entraMembers.ts'
import { openPlace } from './program.ts'

const declaration = { version: 1, workspaces: { acme: { projectRoles: [{ group: 'ops', project: 'OPS', role: 'guest' }] } } }
const names = (count: number) => ['ops', ...Array.from({ length: count - 1 }, (_, n) => `g${n}`)]
const open = (settings: object = {}) => openPlace({ declaration, groups: names(20), settings })

describe('the groups are listed without what only Plane needs', () => {
  test.each<[string, object, Record<string, string | undefined>]>([
    ['no key in the environment', {}, { PLANE_API_KEY: undefined }],
    ['a key file that is not there', { service: { credential: { apiKey: { file: 'missing' } } } }, {}],
    ['a variable that is not set', { service: { credential: { apiKey: { env: 'NOWHERE' } } } }, {}],
    ['certificates of the service that are not there', { service: { caFile: 'missing.pem' } }, {}],
  ])('%s', async (_, settings, env) => {
    await using place = await open(settings)
    // A variable with an empty value still exists. `env -u` removes it.
    const unset = Object.entries(env).flatMap(([name, value]) => (value === undefined ? ['-u', name] : []))
    const ended = await place.run(['groups', '--format', 'json'], { wrap: (command) => ['env', ...unset, ...command] })
    expect(ended).toMatchObject({ code: 0, err: '' })
    const [corp] = (JSON.parse(ended.out) as { directories: { status: string; groups: object[] }[] }).directories
    expect(corp).toMatchObject({ status: 'complete', groups: { length: 20 } })
    expect((await place.run(['plan'], { wrap: (command) => ['env', ...unset, ...command] })).code).toBe(78)
  })

  test('but not without what an asked directory needs', async () => {
    const ldap = {
      kind: 'ldap',
      addresses: ['ldap://127.0.0.1:9'],
      bind: { dn: 'cn=r', password: { file: 'missing' } },
      groups: { base: 'dc=a' },
    }
    await using place = await open({ directories: { lab: ldap } })
    expect(await place.run(['groups', '--directory', 'corp'])).toMatchObject({ code: 0 })
    for (const asked of [[], ['--directory', 'lab']]) {
      const ended = await place.run(['groups', ...asked])
      expect(ended.code).toBe(78)
      expect(ended.err).toContain('does not exist')
    }
  })
})

test('the groups say partial where a plan does, by what the journal remembers', async () => {
  await using place = await open()
  expect((await place.run(['groups'])).out).toContain('corp (file) complete · 20 groups')
  expect((await place.run(['apply', '--yes'])).code).toBe(0)
  await place.groups(names(5))
  const why = '5 now, 20 before: 75 % fewer; if that is right, set directories.corp.shrink.share to 100% for one cycle'
  const plan = await place.run(['plan'])
  expect(plan.out.replaceAll(/\s+/g, ' ')).toContain(`WARNING corp could not be read whole: ${why}`)
  const listed = await place.run(['groups'])
  expect(listed).toMatchObject({ code: 1, out: expect.stringContaining(`corp (file) partial: ${why} · 5 groups`) })
  await place.settings({ directories: { corp: { shrink: { share: '100%' } } } })
  expect(await place.run(['groups'])).toMatchObject({ code: 0, out: expect.stringContaining('corp (file) complete · 5 groups') })
})

test('an account that sees only a part of the groups is found at the first reading, by what the settings expect', async () => {
  await using place = await open({ directories: { corp: { expect: { atLeast: 21, names: ['ops', 'all-staff'] } } } })
  const why =
    'it has 20 groups, and directories.corp.expect.atLeast is 21; it lacks all-staff, and directories.corp.expect.names requires this group; ' +
    'check that the account may read all groups, or correct directories.corp.expect'
  expect(await place.run(['groups'])).toMatchObject({ code: 1, out: expect.stringContaining(`corp (file) partial: ${why} · 20 groups`) })
  expect((await place.run(['plan'])).out.replaceAll(/\s+/g, ' ')).toContain(`WARNING corp could not be read whole: ${why}`)

  const proposed = await place.run(['groups', '--expect'])
  expect(proposed).toMatchObject({ code: 0, err: '' })
  const settings = parse(proposed.out) as { directories: { corp: { expect: object } } }
  expect(settings.directories.corp.expect).toMatchObject({ atLeast: 16, names: { length: 10 } })
  await place.settings(settings)
  expect(await place.run(['groups'])).toMatchObject({ code: 0, out: expect.stringContaining('corp (file) complete · 20 groups') })
  for (const more of [
    ['--format', 'json'],
    ['--match', 'ops'],
  ])
    expect((await place.run(['groups', '--expect', ...more])).code).toBe(64)
})

test('a directory that the settings do not name', async () => {
  await using place = await open()
  const ended = await place.run(['groups', '--directory', 'crop'])
  expect(ended).toMatchObject({ code: 64, out: '', err: 'the settings name no directory "crop"; they have corp\n' })
})

test('a plan tells that a glob reaches deeper than it looks, until the file says that this is meant', async () => {
  const rule = (groupGlob: string) => ({
    version: 1,
    workspaces: { acme: { projectRoles: [{ groupGlob, project: 'OPS', role: 'guest' }] } },
  })
  await using place = await openPlace({ declaration: rule('/eng*'), groups: ['/eng', '/eng/web', '/engine'] })
  const { out } = await place.run(['plan'])
  expect(out.replaceAll(/\s+/g, ' ')).toContain(
    'glob-crosses-slash: in groupGlob "/eng*" the * also stands for /, so 1 of its 3 groups lies deeper, such as /eng/web',
  )
  await place.write('groups.yaml', rule('/eng**'))
  const meant = await place.run(['plan'])
  expect(meant.out).not.toContain('glob-crosses-slash')
  expect(meant.out).toContain('3 create')
})

test('groups whose names are ids are listed with what people call them', async () => {
  await using server = await entraStandIn({ groups: [{ id: idOf(1), displayName: 'Engineering' }] })
  const address = server.url.origin
  const client = { id: clientId, secret: { env: 'PLANE_API_KEY' } }
  const entra = { kind: 'entra', tenant: tenantId, graphUrl: address, loginUrl: address, client }
  await using place = await open({ directories: { entra } })
  const listed = await place.run(['groups', '--directory', 'entra'])
  expect(listed.out).toMatch(/^entra \(entra\) complete · 1 group · /)
  expect(listed.out).toContain(`  ${idOf(1)}  Engineering\n`)
  const { directories } = JSON.parse((await place.run(['groups', '--directory', 'entra', '--format', 'json'])).out) as {
    directories: { groups: object[] }[]
  }
  expect(directories[0]?.groups).toEqual([{ name: idOf(1), id: idOf(1), place: `/groups/${idOf(1)}`, label: 'Engineering' }])
  expect((await place.run(['groups', '--directory', 'entra', '--match', 'ENGIN'])).out).toContain(idOf(1))
  expect((await place.run(['groups', '--directory', 'entra', '--match', 'sales'])).out).not.toContain(idOf(1))
})

test('a plan speaks of such groups by what people call them, and proposes the id for a label', async () => {
  await using server = await entraStandIn({
    groups: [
      { id: idOf(1), displayName: 'Engineering' },
      { id: idOf(2), displayName: 'Sales EMEA' },
    ],
  })
  const address = server.url.origin
  const client = { id: clientId, secret: { env: 'PLANE_API_KEY' } }
  const corp = { kind: 'entra', tenant: tenantId, graphUrl: address, loginUrl: address, client }
  await using place = await open()
  await place.write('config.yaml', { ...(JSON.parse(await place.read('config.yaml')) as object), directories: { corp } })
  const rule = (group: string) => ({ group, project: 'ENG', role: 'guest' })
  await place.write('groups.yaml', { version: 1, workspaces: { acme: { projectRoles: [rule(idOf(2)), rule('Engineering')] } } })
  const { out } = await place.run(['plan'])
  expect(out).toContain(`+ ENG  "Sales EMEA" ${idOf(2).slice(0, 8)}… → guest`)
  expect(out.replaceAll(/\s+/g, ' ')).toContain(`did you mean ${idOf(1)}, which is called Engineering?`)
  const { workspaces } = JSON.parse((await place.run(['plan', '-o', 'json'])).out) as { workspaces: { changes: object[] }[] }
  expect(workspaces[0]?.changes).toMatchObject([{ group: idOf(2), label: 'Sales EMEA' }])
})

test('--transcript - prints the transcript, and saves nothing', async () => {
  await using place = await open()
  const ended = await place.run(['groups', '--transcript', '-'], { wrap: (command) => ['env', '-C', place.folder, ...command] })
  expect(ended.code).toBe(0)
  expect(JSON.parse(ended.out)).toMatchObject({ format: 'plane-group-sync/transcript' })
  expect(ended.err).toContain('This is the whole transcript. Read it before you give it away')
  expect((await readdir(place.folder)).filter((name) => name.startsWith('-'))).toEqual([])
})

test('--transcript shows the shape of the answers, in a file for the person alone, without names, ids, hosts and secrets', async () => {
  const company = [
    { id: idOf(1), displayName: 'Layoffs 2027' },
    { id: idOf(2), displayName: 'Engineering' },
  ]
  const people = [user(11), user(12, { accountEnabled: false })]
  await using server = await entraStandIn({ groups: company, members: { [idOf(1)]: people } })
  const address = server.url.origin
  const client = { id: clientId, secret: { env: 'PLANE_API_KEY' } }
  const entra = { kind: 'entra', tenant: tenantId, graphUrl: address, loginUrl: address, client }
  await using place = await open({ directories: { entra: { ...entra, people: {} } } })
  const ended = await place.run(['groups', '--directory', 'entra', '--transcript', place.path('entra.json')])
  expect(ended.code).toBe(0)
  const text = await place.read('entra.json')
  expect(ended.out).toBe(text)
  expect(ended.err).toContain('Read it before you give it away')
  expect((await stat(place.path('entra.json'))).mode & 0o777).toBe(0o600)
  const paths = (JSON.parse(text) as { exchanges: { path: string; status: number }[] }).exchanges.map(
    ({ path, status }) => `${status} ${path}`,
  )
  expect(paths).toContain('200 /groups')
  // Of a few groups also the members, if the settings have `people`.
  expect(paths.filter((path) => /^200 \/groups\/[^/]+\/members$/.test(path))).toHaveLength(2)
  expect(text).toContain('"accountEnabled": false')
  const persons = ['person-11', 'contoso', idOf(11)]
  for (const secret of ['Layoffs', 'Engineering', idOf(1), idOf(2), ...persons, address, tenantId, clientId, 'Bearer', 'access_token'])
    expect(text, secret).not.toContain(secret)
  expect(ended.err).toMatch(/entra \(entra\) complete · 2 groups · \d+ ms\n {2}members of 2 groups: complete\n$/)

  const chosen = await place.run(['groups', '--directory', 'entra', '--match', 'layoffs', '--transcript', place.path('one.json')])
  expect(chosen.err).toContain('members of 1 group: complete')
  await place.settings({ directories: { entra: { ...entra, checkTotal: true } } })
  const without = await place.run(['groups', '--directory', 'entra', '--transcript', place.path('none.json')])
  expect(without.code).toBe(0)
  expect(without.err).toContain('no members: the settings of entra have no "people"')
})

test('a plan counts the groups as the command groups does, also those that share a name', async () => {
  const rules = { projectRoles: [{ group: 'devs', project: 'ENG', role: 'member' }] }
  await using place = await openPlace({ declaration: { version: 1, workspaces: { acme: rules } }, groups: [] })
  await place.write('directory.yaml', { groups: ['devs', 'twice', 'twice'].map((name, n) => ({ name, id: `${n}` })) })
  expect((await place.run(['groups'])).out).toContain('complete · 3 groups')
  expect((await place.run(['plan'])).out).toContain('corp: complete, 3 groups')
})
