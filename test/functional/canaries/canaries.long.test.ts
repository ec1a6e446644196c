import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fileSchema } from '../../../src/declaration/schema.ts'
import { parseGroups } from '../../../src/directories/file.ts'
import { loadState } from '../../../src/sandbox/load.ts'
import { loadSettings } from '../../../src/settings/load.ts'
import { settingsSchema } from '../../../src/settings/schema.ts'
import { parseDeclaration } from '../../unit/declaration/parseDeclaration.ts'
import { inBraces, inLines, isHolder, isLeaf, isMap, isSecret, type Place, placesOf } from './places.ts'
import { addresses, canary, number, type Shape, shapes } from './shapes.ts'

/** Reads a wrong file, and returns all messages about it. */
type Reader = (text: string) => string | Promise<string>
type Leak = { readonly document: string; readonly said: string }

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'canaries-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const settings: Reader = async (text) => {
  const file = join(folder, 'config.yaml')
  await writeFile(file, text)
  const loaded = await loadSettings(file, {})
  return loaded.valid ? '' : loaded.text + JSON.stringify(loaded.problems)
}

const declaration: Reader = (text) => {
  const files = [{ file: 'groups.yaml', bytes: Buffer.from(text) }]
  const defaults = { unknownGroups: 'hold', unknownProjects: 'hold' } as const
  const loaded = parseDeclaration({ files, hash: '' }, { workspaces: ['acme'], directories: ['corp'], defaults })
  return loaded.valid ? '' : loaded.text + JSON.stringify(loaded.problems)
}

const groups: Reader = (text) => {
  const parsed = parseGroups({ bytes: Buffer.from(text), file: 'corp.yaml' })
  return parsed.valid ? '' : JSON.stringify(parsed.problems)
}

const state: Reader = (text) => {
  try {
    loadState({ name: 'state.yaml', text })
    return ''
  } catch (error) {
    return String(error)
  }
}

/** Documents that have the shape at a path. It stands between other keys, or beside text that cannot be parsed, or on one line. */
function documentsWith(path: Place['path'], { text, isLine }: Shape, secret = canary): readonly string[] {
  const lines = inLines(path, (indent) => text(secret, indent))
  const braces = isLine ? [inBraces(path, text(secret, '')), inBraces(path, `{ x: ${text(secret, '')}, y: [ }`)] : []
  return [`version: 1\nnonsense: 1\n${lines}later: 1\n`, ...braces, `version: 1\n${lines}  broken: [\n`, `a: b: c\n${lines}`]
}

/** Combines each item with a few of the others. All combinations would take minutes. */
const paired = <A, B>(items: readonly A[], others: readonly B[], times: number): readonly (readonly [A, B])[] =>
  items.flatMap((item, index) =>
    Array.from({ length: times }, (_, time) => [item, others[(index * times + time) % others.length] as B] as const),
  )

async function leaks(read: Reader, documents: readonly string[], secret = canary): Promise<readonly Leak[]> {
  const found: Leak[] = []
  for (const document of documents) {
    const said = await read(document)
    if (said.includes(secret)) found.push({ document, said })
  }
  return found.slice(0, 2)
}

const secretNames = ['apiKey', 'password', 'token', 'secret', 'clientSecret', 'api_key', 'DB-PASSWORD', 'credentials', '"pass\\u0077ord"']
const nameOf = ({ path }: Place): string => path.join('.') || 'the whole file'

describe('settings', () => {
  const places = placesOf(settingsSchema)
  const secrets = places.filter(isSecret)

  test('the schema marks its secrets', () => {
    // Kinds of directories share names of places.
    const names = new Set(secrets.map(nameOf).filter((name) => !name.startsWith('service.credentials')))
    expect([...names]).toEqual([
      'service.credential.apiKey',
      'service.credential.oauth.clientSecret',
      'workspaces.one.credential',
      'directories.one.bind.password',
      'directories.one.bind.external.key',
      'directories.one.client.secret',
      'directories.one.client.privateKey.key',
      'directories.one.client.assertion',
      'directories.one.client.tls.key',
      'directories.one.token',
      'directories.one.account.key',
      'directories.one.account.workloadIdentity.token',
      'directories.one.account.token',
      'http.page.token',
      'notify.0.url',
    ])
  })

  test.each(secrets.map((place) => [nameOf(place), place] as const))('%s', async (_, { path }) => {
    const documents = shapes.flatMap((shape) => documentsWith(path, shape))
    expect(await leaks(settings, documents)).toEqual([])
  })

  test.each(places.filter(isHolder).map((place) => [nameOf(place), place] as const))('%s, too high', async (_, { path }) => {
    const documents = shapes.flatMap((shape) => documentsWith(path, shape).slice(0, 2))
    expect(await leaks(settings, documents)).toEqual([])
  })

  test('a number, at each of these', async () => {
    const documents = places
      .filter((place) => isSecret(place) || isHolder(place))
      .flatMap(({ path }) => shapes.filter(({ isLine }) => isLine).flatMap((shape) => documentsWith(path, shape, number).slice(0, 1)))
    expect(await leaks(settings, documents, number)).toEqual([])
  })

  test.each([
    ['in the name of a credential', 'acme: {}', `acme: { credential: ${canary} }`],
    ['in the name of a credential, as a number', 'acme: {}', `acme: { credential: "${number}" }`],
    ...['graphUrl', 'loginUrl'].map((setting) => [
      `in the ${setting} of Entra`,
      'directories: {}',
      `directories: { corp: { kind: entra, tenant: t.example, ${setting}: "https://u:${canary}@h", client: { id: 00001111-aaaa-2222-bbbb-3333cccc4444, secret: { env: X } } } }`,
    ]),
    [
      'in an address of LDAP',
      'directories: {}',
      `directories: { corp: { kind: ldap, addresses: ["ldaps://u:${canary}@h"], bind: anonymous, groups: { base: x } } }`,
    ],
    [
      'in what is no address of LDAP',
      'directories: {}',
      `directories: { corp: { kind: ldap, addresses: ["u:${canary}@h"], bind: anonymous, groups: { base: x } } }`,
    ],
    [
      'in an issuer',
      'directories: {}',
      `directories: { corp: { kind: keycloak, url: "https://h", realm: x, issuer: "https://u:${canary}@h", client: { id: x, secret: { env: X } } } }`,
    ],
    [
      'in the address of Keycloak',
      'directories: {}',
      `directories: { corp: { kind: keycloak, url: "https://u:${canary}@h", realm: x, client: { id: x, secret: { env: X } } } }`,
    ],
    ['in the address of the service', 'https://plane.example', `https://u:${canary}@plane.example`],
    ['in a comment', 'acme: {}', `acme: { slug: a }, b: { slug: a } } # ${canary}`],
    ['in the name of a workspace', 'acme: {}', `acme: { slug: a }, "https://u:${canary}@h": { slug: a }`],
  ])('of which all else is right: %s', async (_, from, to) => {
    const right = `version: 1
service: { baseUrl: "https://plane.example", credential: { apiKey: { env: KEY } } }
workspaces: { acme: {} }
declaration: groups
directories: {}
`
    expect(await settings(right)).toBe('')
    const said = await settings(right.replace(from, to))
    expect(said).not.toBe('')
    expect(said).not.toContain(canary)
    expect(said).not.toContain(number)
  })

  test('keys that name a secret, or nearly, where the schema has none', async () => {
    const names = places
      .filter(isMap)
      .flatMap(({ path }) => [...secretNames, 'apiKye', 'pasword', 'pw', 'x'].map((name) => [...path, name]))
    const documents = paired(names, shapes, 2).flatMap(([path, shape]) => documentsWith(path, shape).slice(0, 1))
    expect(await leaks(settings, documents)).toEqual([])
  })

  test('passwords in addresses, whatever the place', async () => {
    const documents = paired(places.filter(isLeaf), addresses, 2).flatMap(([{ path }, shape]) => documentsWith(path, shape))
    expect(await leaks(settings, documents)).toEqual([])
  })

  // The patterns of secrets in any text end at a blank. So a message that quotes this value is cleaned by the value itself.
  test('a password with blanks in an address, at every place', async () => {
    const withBlanks = addresses.filter(({ name }) => name === 'userinfo and blanks')
    const documents = places.filter(isLeaf).flatMap(({ path }) => withBlanks.flatMap((shape) => documentsWith(path, shape)))
    expect(documents.length).toBeGreaterThan(300)
    expect(await leaks(settings, documents)).toEqual([])
  })
})

describe('a declaration', () => {
  const places = placesOf(fileSchema)

  test('keys that name a secret', async () => {
    const names = places.filter(isMap).flatMap(({ path }) => secretNames.map((name) => [...path, name]))
    const documents = paired(names, shapes, 12).flatMap(([path, shape]) => documentsWith(path, shape).slice(0, 1))
    expect(await leaks(declaration, documents)).toEqual([])
  })

  test('passwords in addresses, whatever the place', async () => {
    const written = addresses.filter(({ name }) => !name.includes('blanks') && !name.includes('escape'))
    const documents = paired(places.filter(isLeaf), written, 4).flatMap(([{ path }, shape]) => documentsWith(path, shape))
    expect(await leaks(declaration, documents)).toEqual([])
  })
})

test.each([
  ['keys', (text: string) => [`keys:\n  - value: ${text}\n    owner: 1\n`, `keys: [{ value: ${text}, x: 1 }]\n`]],
  [
    'client secrets',
    (text: string) => [`applications:\n  - clientId: a\n    clientSecret: ${text}\n`, `applications: [{ clientSecret: ${text} }]\n`],
  ],
])("the sandbox's %s", async (_, documents) => {
  expect(
    await leaks(
      state,
      shapes.flatMap(({ text }) => documents(text(canary, '    '))),
    ),
  ).toEqual([])
})

describe('a file that is another one, such as the secret itself', () => {
  const files: readonly string[] = [
    ...shapes.map(({ text }) => text(canary, '')).filter((text) => !text.includes(': ')),
    `${canary}\n`,
    `\uFEFF${canary}\n`,
    `${canary}\n${canary}\n`,
    `PLANE_API_KEY=${canary}\nOTHER=x\n`,
    `export PLANE_API_KEY='${canary}'\n`,
    `[default]\npassword = ${canary}\n`,
    `machine host.example\n  login ann\n  password ${canary}\n`,
    `host.example:5432:db:ann:${canary}\n`,
    `ann:$2y$05$${canary}\n`,
    `-----BEGIN PRIVATE KEY-----\n${canary}\n-----END PRIVATE KEY-----\n`,
    `{"type":"service_account","private_key":"-----BEGIN PRIVATE KEY-----\\n${canary}\\n-----END PRIVATE KEY-----\\n"}`,
    `{"auths":{"registry.example":{"auth":"${canary}"}}}`,
    `{"data":{"api-key":"${canary}"},"kind":"Secret"`,
    `apiVersion: v1\nkind: Config\nusers:\n- name: a\n  user:\n    client-key-data: ${canary}\n    token: ${canary}\n`,
    `apiVersion: v1\nkind: Secret\nstringData:\n  api-key: |\n    ${canary}\n`,
    `[remote "origin"]\n\turl = https://x-access-token:${canary}@host.example/a.git\n`,
    `${canary}\0`,
    `${canary}\u001b[31m`,
  ]
  test.each([
    ['settings', settings],
    ['declaration', declaration],
    ['directory', groups],
  ] as const)('read as %s', async (_, read) => {
    expect(await leaks(read, files)).toEqual([])
  })

  test('not even where it is not text', async () => {
    const bytes = Buffer.concat([Buffer.from(`${canary}\n${canary}`), Buffer.from([0xff, 0x80]), Buffer.from(canary)])
    await writeFile(join(folder, 'latin.yaml'), bytes)
    const loaded = await loadSettings(join(folder, 'latin.yaml'), {})
    expect(loaded.valid ? canary : loaded.text).not.toContain(canary)
    expect(JSON.stringify(parseGroups({ bytes, file: 'a' }))).not.toContain(canary)
  })
})
