import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { settingsJsonSchema } from '../../src/settings/jsonSchemas.ts'
import { cronProblem } from '../../src/settings/patterns/time.ts'
import { at, edited, everySetting, type Path, pathsOf } from '../unit/settings/everySetting.ts'
import { anyCron } from '../unit/settings/patterns/anyCron.ts'
import { problemsOf } from '../unit/settings/problems.ts'
import { configOf, render } from './helm.ts'
import { refusedByHelm } from './judge.ts'

const folder = await mkdtemp(join(tmpdir(), 'chart-settings-'))
afterAll(() => rm(folder, { recursive: true }))

const schema = settingsJsonSchema()
const dotted = (path: Path): string => path.join('.')

/** Texts that are valid for some settings and invalid for others. */
const texts = [
  ...['', ' ', 'x', 'acme', 'a b', '../admin', 'yes', 'none', 'grants', 'anonymous', 'sync-all', 'loud', 'default'],
  ...['5', '0s', '30s', '7d', '8d', '169h', '1234567s', '100%', '200%', '10', '@daily', 'every 5m', '5-1 * * * *', '61 * * * *'],
  ...['utc', '+02:00', 'Mars/Phobos', '9464', ':9464', 'h:65536', '[::1]:0', 'plane.example.com', 'https://h', ' https://h', 'https:h'],
  ...['HTTPS://h', 'https://1.2.3', 'https://h?x', 'https://u:p@h', 'http://h', 'http://LOCALHOST:80', 'http://[0::1]/x', 'ftp://h'],
  ...['ldap1.example.com', 'ldaps://h', 'ldaps://h/dc=x', 'ldap://h', 'ldap://127.0.0.1'],
]
const others = [
  0,
  1,
  -1,
  1.5,
  1e17,
  true,
  false,
  null,
  [],
  {},
  ['x'],
  [''],
  { x: 1 },
  { file: 'x' },
  { env: '' },
  { file: 'x', env: 'x' },
  undefined,
]

/** Errors that a schema cannot find: names that another place must have, arithmetic, the calendar, the format of a DN. */
const beyondSchemas = [
  /^credential ".*" is not one of those in the settings/,
  /^the slug ".*" is used twice/,
  /^the reserve leaves nothing of the limit$/,
  /^"credential" is missing$/,
  /^no workspace is named$/,
  /^no directory of these settings says who the members of groups are, /,
  /is an impossible day of month/,
  /is not one of the roles in roles\.order$/,
  /^these aliases lead in a circle/,
  /^this is not a DN$/,
  /^"people" needs the attribute with the members of groups, /,
  /^there are two credentials with the name "default"$/,
  /^\d+ groups are more than groupsMax, \d+$/,
  /^the groups of this directory are named by their (?:paths|ids)$/,
  /^this group is not below groups\.under, /,
  /^the groups of this directory are named by their e-mail addresses$/,
  /^the settings name no workspace ".*"$/,
  /^nothing is inside this fence$/,
  /^no project is inside this fence$/,
  /^no fence has the owner (?:".*"|an address)$/,
]

describe('what the program refuses, the schema refuses, and nothing else', () => {
  const paths = pathsOf(everySetting)
  const { fences: _, ...unfenced } = everySetting
  /** Two settings are of one kind if `everySetting` has the same text for both. One setting of each kind is tried with all texts. */
  const kinds = new Map(paths.map((path) => [at(everySetting, path), dotted(path)]))
  /** Directories are judged one by one, and fences without them: Helm would take minutes for all of them in each case. */
  const around = (path: (typeof paths)[number]): unknown => {
    const [top, name = ''] = path
    if (top === 'fences') return { ...everySetting, directories: {} }
    return top === 'directories' && name !== '' ? { ...unfenced, directories: { [name]: at(everySetting, [top, name]) } } : unfenced
  }
  const tried = paths.flatMap((path) => {
    const own = at(everySetting, path)
    const values = typeof own === 'string' && kinds.get(own) === dotted(path) ? [...texts, ...others] : ['x', 'yes', ...others]
    return values.map((value) => ({ what: `${dotted(path)}: ${JSON.stringify(value)}`, settings: edited(around(path), path, value) }))
  })
  const unknown = ['', ...paths.map(dotted)]
    .map((text) => text.split('.').filter((key) => key !== ''))
    .map((path) => ({ what: `${dotted(path)}.unknown`, settings: edited(around(path), [...path, 'unknown'], 1) }))
  const both = (...pairs: readonly (readonly [string, unknown])[]) => ({
    what: JSON.stringify(pairs),
    settings: pairs.reduce<unknown>((settings, [path, value]) => edited(settings, path.split('.'), value), everySetting),
  })
  const together = [
    both(['service.baseUrl', 'http://h'], ['service.allowPlaintext', true]),
    both(['service.baseUrl', 'http://h'], ['service.allowPlaintext', undefined]),
    both(['directories.sso.url', 'http://h'], ['directories.sso.allowPlaintext', true]),
    both(['directories.sso.url', 'http://127.1.2.3'], ['directories.sso.allowPlaintext', undefined]),
    both(['directories.entra.graphUrl', 'http://h'], ['directories.entra.allowPlaintext', true]),
    both(['directories.entra.graphUrl', 'http://h'], ['directories.entra.loginUrl', undefined]),
    both(['directories.entra.loginUrl', 'http://h'], ['directories.entra.graphUrl', undefined]),
    both(['directories.entra.client.secret', undefined]),
    both(['directories.entra.client.assertion', { file: 'a.jwt' }]),
    both(['directories.corp.addresses.1', 'ldap://h'], ['directories.corp.allowPlaintext', true]),
    both(['directories.corp.addresses', ['ldap://h']], ['directories.corp.startTls', true]),
    both(['directories.corp.addresses', ['ldap://h']], ['directories.corp.bind', 'anonymous']),
    both(['directories.corp.addresses.1', 'ldap://h'], ['directories.corp.startTls', undefined]),
    both(['directories.corp.startTls', undefined], ['directories.corp.allowPlaintext', undefined]),
    both(['directories.certified.addresses', ['ldap://127.0.0.1']]),
    both(['directories.certified.addresses', ['ldap://h']], ['directories.certified.startTls', true]),
    both(['directories.certified.addresses', ['ldap://h']], ['directories.certified.allowPlaintext', true]),
    both(['directories.certified.bind.password', { env: 'P' }]),
    both(['directories.certified.bind.external', undefined]),
    both(['directories.certified.bind.proof', 'none']),
    both(['directories.corp.expect', undefined], ['directories.corp.bind.proof', 'anonymousSeesLess']),
    ...[undefined, {}, { names: ['x'] }].flatMap((expect) => [
      both(['directories.corp.expect', expect]),
      both(['directories.provisioned.expect', expect]),
      both(['directories.provisioned.expect', expect], ['directories.provisioned.pageSize', undefined]),
    ]),
    both(['workspaces', { 'Acme Corp': { slug: 'acme' }, beta: {} }]),
    both(['workspaces', { 'Acme Corp': {} }]),
    both(['service.credential', undefined], ['service.credentials', undefined]),
    both(['directories.sso.client.secret', undefined]),
    both(['directories.sso.client.secret', undefined], ['directories.sso.client.authentication', undefined]),
    both(['directories.sso.client.privateKey', { key: { env: 'K' } }]),
    both(['directories.signed.client.authentication', 'client_secret_post']),
    both(['directories.roles.groups.from', 'realmRoles']),
    both(['directories.roles.groups.under', '/plane']),
    both(['directories.roles.groups.members', true]),
    both(['directories.roles.groups.members', false], ['directories.roles.groups.slashes', 'plain']),
    both(['directories.roles.groups.slashes', 'escaped']),
    both(['directories.sso.groups.from', 'realmRoles']),
    both(['directories.sso.groups.from', 'groups']),
    both(['directories.mutual.client.assertion', { file: 'a.jwt' }]),
    both(['directories.mutual.client.tls', undefined], ['directories.mutual.client.assertion', { file: 'a.jwt' }]),
    both(['directories.cloud.token', { env: 'T' }]),
    both(['directories.cloud.token', { env: 'T' }], ['directories.cloud.client', undefined]),
    both(['directories.cloud.client', undefined]),
    both(['directories.cloud.client.secret', { env: 'K' }]),
    ...[
      'http://h',
      'http://127.0.0.1:8080',
      'https://h/',
      'https://h/api/v1',
      'https://h-Admin.okta.com',
      'https://h-admin.example.com',
    ].map((url) => both(['directories.cloud.url', url])),
    both(['directories.workspace.account.key', undefined]),
    both(['directories.workspace.account.token', { env: 'T' }]),
    both(['directories.given.account.subject', 'admin@example.com']),
    both(['directories.workspace.domain', 'example.com']),
    both(['directories.workspace.domain', 'example.com'], ['directories.workspace.customer', undefined]),
    both(['directories.workspace.stsUrl', 'http://h'], ['directories.workspace.allowPlaintext', true]),
    both(['directories.workspace.tokenUrl', 'http://127.1.2.3'], ['directories.workspace.allowPlaintext', undefined]),
    both(['directories.workspace.tokenUrl', 'http://h'], ['directories.workspace.allowPlaintext', undefined]),
    both(['directories.provisioned.token', { env: 'T' }]),
    both(['directories.provisioned.client', undefined]),
    both(['directories.provisioned.issuer', undefined]),
    both(['directories.provisioned.tokenUrl', 'https://h/token']),
    both(['directories.provisioned.issuer', undefined], ['directories.provisioned.tokenUrl', 'https://h/token']),
    both(['directories.provisioned.issuer', 'http://h'], ['directories.provisioned.allowPlaintext', undefined]),
    both(['directories.provisionedAtEndpoint.tokenUrl', 'http://h'], ['directories.provisionedAtEndpoint.allowPlaintext', true]),
    both(['directories.provisionedByToken.token', undefined]),
    both(['directories.provisionedByToken.issuer', 'https://h']),
    both(['directories.provisionedByToken.tokenUrl', 'https://h/token']),
    both(['directories.provisionedByToken.scopes', ['read']]),
    both(['directories.provisionedByToken.scopes', []]),
    both(['directories.provisionedByToken.groups', { filter: 'displayName sw' }]),
    ...['nothing', null, { owner: 'x' }, { owner: 'x', workspace: 'acme' }, ['everything']].map((fence) =>
      both(['fences.platform/**', fence]),
    ),
    both(['fences.teams/payments/**.workspaceRoles', undefined]),
    both(['fences.teams/payments/**.projectRoles', undefined]),
    both(['fences.teams/payments/**.projectRoles.projects', undefined]),
    both(['fences.teams/payments/**.demand', undefined]),
    both(['fences.teams/payments/**.demand.expires.member', '3651d']),
    both(['fences.teams/payments/**.demand.expires.member', '3650d']),
    both(['fences.teams/payments/**.may', ['removed', 'removed']]),
    both(['fences.teams/payments/**.may', ['projects']]),
    ...[['pay-[ab]'], ['pay-[ab]*'], ['{a,b}'], ['{a,b}?'], ['*'.repeat(256)]].map((groups) =>
      both(['fences.teams/payments/**.projectRoles.groups', groups]),
    ),
    both(['service.credential.oauth', at(everySetting, ['service', 'credentials', 'other', 'oauth'])]),
  ]
  const all = [...tried, ...unknown, ...together]

  it('of every setting, with values of every kind', async () => {
    expect(all.length).toBeGreaterThan(3_000)
    const wrong: string[] = []
    // Helm takes at most 5 MiB in one file.
    const atOnce = 500
    for (let from = 0; from < all.length; from += atOnce) {
      const some = all.slice(from, from + atOnce)
      const refused = await refusedByHelm(
        schema,
        some.map(({ settings }) => settings),
      )
      for (const [index, { what, settings }] of some.entries()) {
        const problems = await problemsOf(settings)
        const sayable = problems.filter((problem) => !beyondSchemas.some((one) => one.test(problem)))
        if (refused.has(index) !== sayable.length > 0)
          wrong.push(`${what}: the program says ${JSON.stringify(problems)}; Helm says ${refused.get(index)}`)
      }
    }
    expect(wrong).toEqual([])
  }, 900_000)

  it('of the paths of fences', async () => {
    const own = schema as { readonly properties: { readonly fences: { readonly propertyNames: object } } }
    const paths = [
      ...['a', 'teams/pay', 'teams/**', 'teams/*/*.yaml', 't?/a b.yaml', 'é/日本', 'a*b', '**', '*.yaml', 'a..b', 'a#b', '#a', '@a', '+a'],
      ...['', '/a', 'a/', 'a//b', './a', '../a', 'a/../b', 'a/.b', '.a', 'a\\b', 'a[b]', '{a,b}', '!a', '@(a)', '+(a)', 'a\nb'],
    ]
    const refused = await refusedByHelm(own.properties.fences.propertyNames, paths)
    const wrong = await Promise.all(
      paths.map(async (path, index) => {
        const problems = await problemsOf(edited(everySetting, ['fences', path], 'everything'))
        return refused.has(index) === problems.length > 0 ? [] : [path]
      }),
    )
    expect(wrong.flat()).toEqual([])
    expect(refused.size).toBe(16)
  })

  it('of thousands of cron expressions', async () => {
    const drawn = fc.sample(anyCron, { numRuns: 4_000, seed: 1 }).map(({ text }) => text)
    const { schedule } = (schema as { readonly properties: { readonly schedule: { readonly properties: { readonly cron: object } } } })
      .properties
    const refused = await refusedByHelm(schedule.properties.cron, drawn)
    expect(drawn.filter((text, index) => refused.has(index) !== (cronProblem(text) !== undefined))).toEqual([])
    expect(refused.size).toBeGreaterThan(500)
    expect(refused.size).toBeLessThan(3_500)
  })
})

/** Values as an operator passes them with `--set-json`, and the path that Helm shows for each. */
const refusals: readonly (readonly [path: string, value: unknown, place: string])[] = [
  ['schedule.cron', 'every 5m', '/settings/schedule/cron'],
  ['schedule.cron', '61 * * * *', '/settings/schedule/cron'],
  ['schedule.cron', '0 22-2 * * *', '/settings/schedule/cron'],
  ['schedule.cron', '*/0 * * * *', '/settings/schedule/cron'],
  ['schedule.timezone', 'Mars/Phobos', '/settings/schedule/timezone'],
  ['schedule.jitter', '5', '/settings/schedule/jitter'],
  ['service.baseUrl', 'plane.example.com', '/settings/service/baseUrl'],
  ['service.baseUrl', 'https://user:secret@plane.example.com', '/settings/service/baseUrl'],
  ['service.allowPlaintext', false, '/settings/service/allowPlaintext'],
  ['service.timeout', '5', '/settings/service/timeout'],
  ['service.limit.reserve', '200%', '/settings/service/limit/reserve'],
  ['service.limit.requests', 0, '/settings/service/limit/requests'],
  ['service.credential', { apiKey: 'x' }, '/settings/service/credential/apiKey'],
  ['service.credential', { apiKey: { env: 'K' }, oauth: {} }, '/settings/service/credential'],
  ['directories.corp.addresses', ['ldap1.example.com'], '/settings/directories/corp/addresses/0'],
  ['directories.corp.addresses', ['ldap://ldap1.example.com'], '/settings/directories/corp/addresses/0'],
  ['directories.corp.bind', { dn: 'cn=x', password: 'x' }, '/settings/directories/corp/bind/password'],
  ['directories.corp.kind', 'nis', '/settings/directories/corp'],
  ['workspaces.acme.slug', '../admin', '/settings/workspaces/acme/slug'],
  ['workspaces', { 'Acme Corp': {} }, '/settings/workspaces/Acme Corp'],
  ['workspaces', { ' acme': { slug: 'acme' } }, "invalid propertyName ' acme'"],
  ['policy', 'sync-all', '/settings/policy'],
  ['suspend', 'maybe', '/settings/suspend'],
  ['unknownGroups', 'drop', '/settings/unknownGroups'],
  ['guards.raises.count', '5', '/settings/guards/raises/count'],
  ['guards.flapping.span', '8d', '/settings/guards/flapping/span'],
  ['journal', 'no', '/settings/journal'],
  ['log.level', 'loud', '/settings/log/level'],
  ['polcy', 'sync', "additional properties 'polcy' not allowed"],
  ['schedule.every', '5m', "additional properties 'every' not allowed"],
]

describe('settings that are wrong', () => {
  const values = ['--values', 'test/chart/values/everything.yaml']

  it.each(refusals)('%s: %j', async (path, value, place) => {
    const said = await render(...values, '--set-json', `settings.${path}=${JSON.stringify(value)}`).then(
      () => 'nothing',
      (error: Error) => error.message,
    )
    expect(said).toContain(place)
    expect(said).not.toContain('secret')

    const good = parse(configOf(await render(...values))) as object
    const file = join(folder, 'config.yaml')
    await writeFile(file, JSON.stringify(edited(good, path.split('.'), value)))
    const validate = promisify(execFile)('bin/plane-group-sync', ['validate', '--config', file])
    await expect(validate).rejects.toMatchObject({ code: 78, stderr: expect.stringContaining('config.yaml:1:') })
  })

  it('an address to listen on, which the chart itself sets', async () => {
    await expect(render(...values, '--set', 'settings.http.listen=9464')).rejects.toThrow("additional properties 'http' not allowed")
    const listen = edited(everySetting, ['http', 'listen'], '9464')
    expect((await refusedByHelm(schema, [listen])).get(0)).toContain('/http/listen')
    expect(await problemsOf(listen)).toHaveLength(1)
  })

  it('no settings, no service and no credential at all', async () => {
    await expect(render('--set', 'existingSecret=', '--set-json', 'settings=null')).rejects.toThrow("missing property 'settings'")
    await expect(render('--set', 'existingSecret=')).rejects.toThrow("at '/settings/service': missing property 'credential'")
    await expect(render('--set', 'existingSecret=', '--set-json', 'settings.service.credentials={}')).rejects.toThrow('/settings/service')
    const fromEnvironment = '[{"name":"PLANE_API_KEY","valueFrom":{"secretKeyRef":{"name":"plane","key":"api-key"}}}]'
    await expect(render('--set', 'existingSecret=', '--set-json', `extraEnv=${fromEnvironment}`)).resolves.toContain('PLANE_API_KEY')
  })
})

it('every example passes both', async () => {
  const examples = ['config/config.yaml', 'config/demo/config.yaml'].map((file) => parse(readFileSync(file, 'utf8')) as object)
  const rendered = await Promise.all(
    ['small', 'everything', 'nothing-kept', 'volatile-journal'].map(async (name) =>
      parse(configOf(await render('--values', `test/chart/values/${name}.yaml`))),
    ),
  )
  const [example, demo] = examples
  // The demo takes the address and the credential from the environment.
  const service = { baseUrl: 'http://127.0.0.1:8000', credential: { apiKey: { env: 'PLANE_API_KEY' } } }
  const all = [example, { ...demo, service }, ...rendered, everySetting]
  expect(await Promise.all(all.map(problemsOf))).toEqual(all.map(() => []))
  expect(await refusedByHelm(schema, all)).toEqual(new Map())
})
