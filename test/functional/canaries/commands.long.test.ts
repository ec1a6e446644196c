import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { logLevels } from '../../../src/log/levels.ts'
import { settingsSchema } from '../../../src/settings/schema.ts'
import { inLines, isSecret, placesOf } from './places.ts'
import { canary, shapes } from './shapes.ts'
import { say } from './terminal.ts'

let folder: string
const at = (name: string) => join(folder, name)
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'canaries-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const commands = [
  ['validate'],
  ['validate', '--format', 'json'],
  ['validate', '--format', 'github'],
  ['plan'],
  ['plan', '--format', 'json'],
  ['plan', '--format', 'markdown'],
  ['apply', '--yes'],
  ['apply', '--yes', '--format', 'json'],
  ['run', '--once'],
  ['run', '--once', '--dry-run'],
  ['run'],
  ['groups'],
  ['groups', '--format', 'json'],
  ['export'],
  ['explain', 'acme', 'ENG', 'devs'],
] as const
const logs = logLevels.flatMap((level) =>
  ['json', 'pretty', 'auto'].map((format) => ['--log-level', level, '--log-format', format] as const),
)

const service = 'service: { baseUrl: "http://127.0.0.1:9", credential: { apiKey: { file: key } } }'
const around = 'workspaces: { acme: {} }\ndeclaration: groups.yaml\njournal: none\nhttp: none\n'
const usual = {
  'config.yaml': `version: 1\n${service}\n${around}`,
  'groups.yaml': 'version: 1\nworkspaces: {}\n',
  key: 'a-usual-key\n',
}

/** Runs the command with the usual files, some of which are replaced. */
async function runWith(files: Readonly<Record<string, string | Buffer>>, args: readonly string[], env: Record<string, string> = {}) {
  for (const [name, content] of Object.entries({ ...usual, ...files })) await writeFile(at(name), content, { mode: 0o600 })
  return say([...args, '--config', at('config.yaml')], { env })
}

describe.each(commands.map((args) => [args.join(' '), args] as const))('%s', (_, args) => {
  const places = placesOf(settingsSchema).filter(isSecret)

  test('with a secret in the settings, at every place, at every level, in every format', async () => {
    for (const [index, log] of logs.entries()) {
      for (const [offset, { path }] of places.entries()) {
        const shape = shapes[(index * places.length + offset * 7) % shapes.length]
        const config = `version: 1\n${inLines(path, (indent) => shape?.text(canary, indent) ?? '')}`
        const { code, said } = await runWith({ 'config.yaml': config }, args[0] === 'validate' ? args : [...args, ...log])
        expect(said, config).not.toContain(canary)
        expect(code, said).toBe(78)
      }
    }
  })

  test('with a secret in place of a name', async () => {
    for (const [index, reference] of [`{ env: ${canary} }`, `{ file: ${canary} }`, `{ file: "${canary}\\0" }`].entries()) {
      const config = usual['config.yaml'].replace('{ file: key }', reference)
      const { said } = await runWith({ 'config.yaml': config.replaceAll(/$/gm, `  # ${canary}`) }, [...args, ...(logs[index] ?? [])])
      expect(said, config).not.toContain(canary)
    }
  })
})

describe('a secret that is not fit for one', () => {
  test.each<[name: string, content: string | Buffer]>([
    ['of several lines', `${canary}\n${canary}\n`],
    ['with its name', `PLANE_API_KEY=${canary}\nOTHER=${canary}\n`],
    ['with a control character', `${canary}\u0007`],
    ['with a NUL', `${canary}\0`],
    ['with letters that no header takes', `${canary}é`],
    ['that is not UTF-8', Buffer.concat([Buffer.from(canary), Buffer.from([0xff])])],
    ['that is far too long', canary.repeat(10_000)],
    ['as JSON', JSON.stringify({ key: canary })],
    ['as YAML', `key: ${canary}\n`],
  ])('%s', async (_, key) => {
    for (const args of [['plan'], ['run', '--once'], ['plan', '--log-level', 'debug'], ['export']]) {
      expect((await runWith({ key }, args)).said).not.toContain(canary)
    }
    const ldap =
      '{ kind: ldap, addresses: ["ldap://127.0.0.1:9"], bind: { dn: "cn=a", password: { file: key } }, groups: { base: "dc=a" } }'
    const config = `${usual['config.yaml']}directories: { corp: ${ldap} }\n`
    expect((await runWith({ key, 'config.yaml': config }, ['groups', '--log-level', 'debug'])).said).not.toContain(canary)
  })
})

describe('in another place', () => {
  test.each<[name: string, args: readonly string[]]>([
    ['as settings', ['validate', '--config', 'KEY']],
    ['as a saved plan', ['apply', 'KEY', '--yes']],
    ['as the state of the sandbox', ['sandbox', '--port', '0', '--state', 'KEY']],
  ])('%s', async (_, args) => {
    for (const content of [canary, `"${canary}`, `{"format":"${canary}"}`, `key: ${canary}`, `{"version":"${canary}"`, `[${canary}`]) {
      await writeFile(at('another'), content)
      const { said } = await say(args.map((one) => (one === 'KEY' ? at('another') : one)))
      expect(said, content).not.toContain(canary)
      expect(said).not.toBe('')
    }
  })

  test.each([
    ['as the declaration', ['validate'], `version: 1\n${service}\n${around.replace('groups.yaml', 'another')}`],
    ['as a directory', ['groups'], `version: 1\n${service}\n${around}directories: { corp: { kind: file, path: another } }\n`],
    ['as certificates', ['plan'], `version: 1\n${service.replace(', credential', ', caFile: another, credential')}\n${around}`],
  ])('%s', async (_, args, config) => {
    for (const another of [
      canary,
      `"${canary}`,
      `@${canary}`,
      `${canary}\n${canary}`,
      `{"token":"${canary}"}`,
      `[${canary}`,
      '7319460281',
    ]) {
      const { said } = await runWith({ another, 'config.yaml': config }, args)
      expect(said, another).not.toContain(canary)
      expect(said).not.toContain('7319460281')
      expect(said).not.toBe('')
    }
  })

  test('in the environment', async () => {
    const url = `https://u:${canary}@host.example`
    const noUrl = usual['config.yaml'].replace('baseUrl: "http://127.0.0.1:9", ', '')
    for (const PLANE_BASE_URL of [url, canary, `${canary}:x`, `//u:${canary}@host`]) {
      expect((await runWith({ 'config.yaml': noUrl }, ['validate'], { PLANE_BASE_URL })).said).not.toContain(canary)
    }
    const env = { PLANE_API_KEY: canary, https_proxy: `http://u:${canary}@127.0.0.1:9` }
    const twice = `version: 1\nservice: { baseUrl: "https://plane.example" }\n${around.replace('acme:', `${canary}:`)}`
    const { said } = await runWith({ 'config.yaml': twice, 'groups.yaml': 'version: 1\nworkspaces: { x: {} }\n' }, ['validate'], env)
    expect(said).toContain('•••')
    expect(said).not.toContain(canary)
  })

  test.each([
    `u:${canary}@127.0.0.1:9`,
    canary,
    `http://u:${canary}@127.0.0.1:99999`,
    `http://u:${canary}%zz@127.0.0.1:9`,
    `http://${canary}@127.0.0.1:9`,
    `http://u:${canary}@[`,
  ])('in the address of a proxy: %s', async (address) => {
    const config = usual['config.yaml'].replace('http://127.0.0.1:9', 'https://plane.invalid')
    const declared = 'version: 1\nworkspaces: { acme: { projectRoles: [{ group: a, project: A, role: guest }] } }\n'
    const files = { 'config.yaml': config, 'groups.yaml': declared }
    const { code, said } = await runWith(files, ['plan', '--log-level', 'debug'], { https_proxy: address })
    expect(said).not.toContain(canary)
    expect(said).not.toBe('')
    expect(code).not.toBe(0)
  })

  test.each([canary, `%${'C'.charCodeAt(0).toString(16)}${canary.slice(1)}`])('of a proxy, and in a name: %s', async (password) => {
    const files = {
      'config.yaml': usual['config.yaml'].replace('acme', canary),
      'groups.yaml': `version: 1\nworkspaces: { ${canary}: { workspaceRoles: [{ group: a, role: guest }] } }\n`,
    }
    const { said } = await runWith(files, ['plan'], { https_proxy: `http://u:${password}@127.0.0.1:9` })
    expect(said).toContain('••• at 127.0.0.1')
    expect(said).not.toContain(canary)
  })

  test('in a comment beside a reference that leads nowhere', async () => {
    const config = `version: 1\nservice:\n  baseUrl: "http://127.0.0.1:9" # ${canary}\n  caFile: nowhere # ${canary}\n  credential: { apiKey: { file: nowhere } } # ${canary}\n${around}`
    const { code, said } = await runWith({ 'config.yaml': config }, ['plan'])
    expect(code).toBe(78)
    expect(said).toContain('nowhere')
    expect(said).not.toContain(canary)
  })

  test('on the command line', async () => {
    const url = `https://u:${canary}@host.example/a`
    for (const args of [
      ['validate', '--config', url],
      ['apply', url, '--yes'],
      ['plan', '--log-level', `plane_api_${canary}`],
      ['plan', '--format', url],
      ['sandbox', '--state', url],
      ['sandbox', '--limit', url],
      ['apply', '--yes', '--allow', `plane_api_${canary}`],
    ])
      expect((await say(args)).said, args.join(' ')).not.toContain(canary)
  })
})
