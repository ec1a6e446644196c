import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { checkSettings } from '../../../src/settings/check.ts'
import { settingsJsonSchema } from '../../../src/settings/jsonSchemas.ts'
import { checkFilters, checkSchedule } from '../../../src/settings/load.ts'
import { type Settings, settingsSchema } from '../../../src/settings/schema.ts'
import { parseYaml } from '../../../src/yaml/parse.ts'
import type { Problem } from '../../../src/yaml/problem.ts'
import { validate } from '../../../src/yaml/validate.ts'
import { leavesOf } from '../../functional/everySetting/leaves.ts'
import { edited, everySetting, type Path } from './everySetting.ts'
import { address, neverWorks } from './neverWorks.ts'

/** The problems of a settings file, as `validate` finds them without reading another file. */
async function problemsIn(settings: unknown): Promise<readonly Problem[]> {
  const bytes = new TextEncoder().encode(JSON.stringify(settings, undefined, 1))
  const { document, problems } = parseYaml(bytes, { file: 'config.yaml', schema: settingsSchema })
  if (document === undefined) return problems
  const checked = validate<Settings>(document, settingsSchema)
  if (!checked.valid) return checked.problems
  const { problems: ofSchedule } = await checkSchedule(checked.value, document)
  return [...checkSettings(checked.value, document), ...(await checkFilters(checked.value, document)), ...ofSchedule]
}

/** The names in `everySetting` for those of `leavesOf`. */
const names: Readonly<Record<string, string>> = {
  '<ldap>': 'corp',
  '<keycloak>': 'sso',
  '<entra>': 'entra',
  '<okta>': 'cloud',
  '<google>': 'workspace',
  '<scim>': 'provisioned',
  '<file>': 'more',
}
const namesIn: Readonly<Record<string, string>> = {
  workspaces: 'acme',
  credentials: 'other',
  aliases: 'member',
  fences: 'teams/payments/**',
  expires: 'member',
}

/**
 * The settings with a value at a place. A secret has either `file` or `env`, a credential either `apiKey` or `oauth`: if the value is at one of these
 * keys, the other key is removed.
 */
function withValue(setting: string, value: unknown): unknown {
  const steps = setting.split('.')
  const path = steps.map((step, index) => names[step] ?? (step === '<name>' ? (namesIn[steps[index - 1] ?? ''] ?? step) : step))
  if (setting === 'http.page.hosts') return edited(everySetting, ['http', 'page'], { open: true, hosts: value })
  const choice = path.findIndex((step) => ['apiKey', 'oauth', 'file', 'env'].includes(step))
  if (choice === -1) return edited(everySetting, path, value)
  const whole = credentialLike(path.slice(0, choice + 1))
  return edited(whole, path, value)
}

const oauth = everySetting.service.credentials.other.oauth

function credentialLike(path: Path): unknown {
  const key = path.at(-1)
  const parent = path.slice(0, -1)
  if (key === 'apiKey') return edited(everySetting, parent, { apiKey: {} })
  if (key === 'oauth') return edited(everySetting, parent, { oauth: { ...oauth } })
  return edited(everySetting, parent, {})
}

test('every setting has a value that never works, and no entry is without a setting', () => {
  const settings = leavesOf(settingsSchema).map(({ path }) => path)
  expect(Object.keys(neverWorks).toSorted()).toEqual(settings.toSorted())
  expect(Object.entries(neverWorks).filter(([, values]) => values.length === 0)).toEqual([])
})

test('the settings around the values are valid', async () => {
  expect(await problemsIn(everySetting)).toEqual([])
})

/** The names of a path. The name of a fence may be in double quotes, since it can have points. */
const namesOf = (path: string): readonly string[] => {
  const [, fence] = /^fences\.(".*")$/su.exec(path) ?? []
  return fence === undefined ? path.split('.') : ['fences', String(JSON.parse(fence))]
}

/** Texts that come from zod, Node or libraries. */
const foreign = /Too (?:small|big)|Invalid (?:input|option|string|URL|key)|expected |received |Unrecognized|undefined|\[object|Error:/

const isAddress = (setting: string): boolean => /(?:url|issuer)$/i.test(setting)
test('every address of HTTP is tried with plain http:, with credentials and with a query', () => {
  const untried = Object.entries(neverWorks).filter(
    ([setting, values]) => isAddress(setting) && !address.every((one) => values.includes(one)),
  )
  expect(untried.map(([setting]) => setting)).toEqual([])
})

const acceptedByEditors = new Ajv2020({ strict: false, validateFormats: false }).compile(settingsJsonSchema())
test.each(Object.keys(neverWorks).filter(isAddress))('the schema for editors refuses plain http: in %s, but to this machine', (setting) => {
  // A client of SCIM has either an issuer or the address of a token endpoint.
  const other = setting === 'directories.<scim>.tokenUrl' ? ['directories', 'provisioned', 'issuer'] : undefined
  const accepts = (value: string) => {
    const settings = withValue(setting, value)
    return acceptedByEditors(other === undefined ? settings : edited(settings, other, undefined))
  }
  expect(accepts('http://plane.example.com')).toBe(false)
  expect([accepts('http://127.0.0.1:1'), acceptedByEditors.errors]).toEqual([true, null])
})

describe.each(Object.entries(neverWorks))('%s', (setting, values) => {
  test.each(values)('%j', async (value, message) => {
    const problems = await problemsIn(withValue(setting, value))
    expect(problems.map((problem) => problem.message)).toContainEqual(expect.stringMatching(message))
    for (const problem of problems) {
      expect(problem.at.line).toBeGreaterThan(0)
      expect(problem.cure, problem.message).toBeTruthy()
      expect(`${problem.message} ${problem.cure}`).not.toMatch(foreign)
    }
  })
})

describe('names', () => {
  test.each<readonly [path: string, value: unknown, message: RegExp]>([
    ['workspaces.ac\u001bme', { slug: 'x' }, /no invisible characters/],
    ['workspaces.ac\u202eme', { slug: 'x' }, /no invisible characters/],
    ['workspaces.acme ', { slug: 'x' }, /neither begins nor ends with a blank/],
    ['directories.\u200bcorp', { kind: 'file', path: 'x' }, /no invisible characters/],
    ['service.credentials.default', { apiKey: { env: 'K' } }, /two credentials with the name "default"/],
    ['roles.aliases.membr', 'contributor', /"membr" is not one of the roles/],
    ...[
      '',
      '/teams',
      'teams/',
      'teams//a',
      './teams',
      'teams/../a',
      '..',
      'teams/.a',
      'teams\\a',
      'teams/[ab]',
      '{a,b}',
      '!teams',
      '+(a)',
      'a\nb',
    ].map((path) => [`fences.${JSON.stringify(path)}`, 'everything', /is not a path below the declaration/] as const),
    ['fences.teams/payments/**.demand.expires.membr', '90d', /"membr" is not one of the roles/],
    ['roles.aliases.guest', 'member', /lead in a circle|is not one/],
  ])('%j: %j', async (path, value, message) => {
    const settings = path.endsWith('guest') ? edited(everySetting, ['roles', 'aliases', 'member'], 'guest') : everySetting
    const problems = await problemsIn(edited(settings, namesOf(path), value))
    expect(problems.map((problem) => problem.message)).toContainEqual(expect.stringMatching(message))
    expect(problems.every(({ cure }) => cure !== undefined && cure !== '')).toBe(true)
  })

  test('of every script are fine', async () => {
    const workspaces = { 'Équipe 1': { slug: 'x' }, 開発: { slug: 'y' }, 'a b': { slug: 'z' } }
    const unfenced = edited(edited(everySetting, ['fences'], undefined), ['notify'], undefined)
    expect(await problemsIn(edited(unfenced, ['workspaces'], workspaces))).toEqual([])
  })
})
