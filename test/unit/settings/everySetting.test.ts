import { expect, test } from 'vitest'
import { settingsJsonSchema } from '../../../src/settings/jsonSchemas.ts'
import { everySetting, pathsOf } from './everySetting.ts'
import { problemsOf } from './problems.ts'

type Schema = {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  /** It is a setting of an earlier version. */
  readonly deprecated?: boolean
}

/** `directories.<name>.groups.base` for each setting of a schema. */
function settingsOf({ properties = {}, additionalProperties, items, anyOf = [], oneOf = [] }: Schema, before = ''): readonly string[] {
  const isSecret = anyOf.map((one) => Object.keys(one.properties ?? {}).join()).join() === 'file,env'
  if (isSecret) return []
  return [
    ...Object.entries(properties).flatMap(([name, one]) =>
      one.deprecated === true ? [] : [`${before}${name}`, ...settingsOf(one, `${before}${name}.`)],
    ),
    ...(typeof additionalProperties === 'object' ? settingsOf(additionalProperties, `${before}<name>.`) : []),
    ...(items === undefined ? [] : settingsOf(items, `${before}<item>.`)),
    ...[...anyOf, ...oneOf].flatMap((one) => settingsOf(one, before)),
  ]
}

const records = /^(workspaces|directories|service\.credentials|roles\.aliases|fences)\.[^.]+/

test('everySetting names every setting, and is valid', async () => {
  const named = new Set(
    pathsOf(everySetting).map((path) =>
      path
        .join('.')
        .replace(records, '$1.<name>')
        .replace(/^notify\.\d+/, 'notify.<item>'),
    ),
  )
  const missing = settingsOf(settingsJsonSchema() as Schema).filter((setting) => !named.has(setting))
  // A credential is an API key or an OAuth client, and a page has a password or is open, so each place in `everySetting` has only one of the two.
  expect(new Set(missing)).toEqual(
    new Set([
      ...['service.credential.oauth', 'service.credentials.<name>.apiKey', ...oauth('service.credential')],
      ...['http.page.open', 'http.page.hosts'],
    ]),
  )
  expect(await problemsOf(everySetting)).toEqual([])
})

const oauth = (where: string) => ['clientId', 'clientSecret', 'installation', 'scopes'].map((name) => `${where}.oauth.${name}`)
