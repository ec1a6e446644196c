import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { compose } from '../../src/compose/compose.ts'
import { openEnvironment } from '../../src/compose/environment.ts'
import { emptyMemory } from '../../src/core/memory/memory.ts'
import { openScrubber } from '../../src/core/scrub.ts'
import { hidden as replacement } from '../../src/core/secretText.ts'
import { startSandbox } from '../../src/sandbox/server.ts'
import { loadSettings } from '../../src/settings/load.ts'
import { fakeKeycloak } from './keycloak-fake.ts'

const env = { SECRET: 'a-client-secret', KEY: 'sandbox-key' }
const never = new AbortController().signal

/** The program and its world, as the command line makes them from these settings. */
async function open(settings: object) {
  const folder = await mkdtemp(join(tmpdir(), 'tokens-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'config.yaml'), JSON.stringify({ version: 1, workspaces: { acme: {} }, declaration: 'groups', ...settings }))
  const loaded = await loadSettings(join(folder, 'config.yaml'), env)
  if (!loaded.valid) throw new Error(loaded.text)
  let logged = ''
  const err = (text: string) => {
    logged += text
  }
  const surroundings = { env, version: 'of a test', err, isTerminal: { err: false }, secrets: openScrubber() }
  const world = openEnvironment(loaded, { level: 'debug', format: 'json', color: false }, surroundings)
  const program = await compose(loaded, world, [], () => emptyMemory)
  onTestFinished(() => program.close())
  return { program, world, logged: () => logged }
}

test("the service's access tokens stay out of the log", async () => {
  const installationId = '0190f0a0-0000-4000-a000-000000000004'
  await using sandbox = await startSandbox({
    state: { applications: [{ clientId: 'app', clientSecret: env.SECRET, installationId, owner: 'admin' }] },
  })
  const oauth = { clientId: 'app', clientSecret: { env: 'SECRET' }, installation: installationId, scopes: ['projects:read'] }
  const { program, world, logged } = await open({ service: { baseUrl: sandbox.url, credential: { oauth } } })
  const [subject] = program.sources.bindings.get('default') ?? []
  expect(await subject?.read.projects(never)).toMatchObject({ status: 'complete' })
  const [token] = sandbox.state.tokens
  world.log.error({ authorization: `Bearer ${token?.value}` }, `refused ${token?.value}`)
  expect(token?.value).toMatch(/./)
  expect(logged()).toContain(`refused ${replacement}`)
  expect(logged()).not.toContain(token?.value)
})

test("Keycloak's access tokens stay out of the log", async () => {
  await using realm = await fakeKeycloak([{ name: 'engineers' }])
  const corp = { kind: 'keycloak', url: realm.url.href, realm: 't', client: { id: 'reader', secret: { env: 'SECRET' } } }
  const service = { baseUrl: 'http://127.0.0.1:9', credential: { apiKey: { env: 'KEY' } } }
  const { program, world, logged } = await open({ service, directories: { corp } })
  expect(await program.sources.directories.get('corp')?.read(never)).toMatchObject({ status: 'complete' })
  world.log.error('refused token-1')
  expect(logged()).toContain(`refused ${replacement}`)
})
