import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDeclared } from '../../src/settings/declared.ts'
import { type LoadedSettings, loadSettings } from '../../src/settings/load.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unchanged-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const settings = (policy: string) => `version: 1
service: { baseUrl: "http://127.0.0.1:9", credential: { apiKey: { env: KEY } } }
workspaces: { acme: {} }
declaration: groups.yaml
policy: ${policy}
`
const groups = (name: string) => `version: 1\nworkspaces: { acme: { workspaceRoles: [{ group: ${name}, role: member }] } }\n`

async function load(text: string, previous?: LoadedSettings): Promise<LoadedSettings> {
  const file = join(folder, 'config.yaml')
  await writeFile(file, text)
  const loaded = await loadSettings(file, {}, previous)
  if (!loaded.valid) throw new Error(loaded.text)
  return loaded
}

test('settings that are as they were are not read anew, others are', async () => {
  const first = await load(settings('observe'))
  expect(await load(settings('observe'), first)).toBe(first)
  const second = await load(settings('exclusive'), first)
  expect(second.settings.policy).toBe('exclusive')
  expect(second.hash).not.toBe(first.hash)
  expect((await load(settings('observe'), second)).settings).toEqual(first.settings)
})

test('a declaration that is as it was is not understood anew, another is', async () => {
  const loaded = await load(settings('observe'))
  const declared = openDeclared(loaded.path(loaded.settings.declaration), loaded.settings, Date.now)
  const write = (name: string) => writeFile(join(folder, 'groups.yaml'), groups(name))
  await write('devs')
  const first = await declared()
  expect((await declared()).workspaces).toBe(first.workspaces)
  await write('ops')
  const second = await declared()
  expect([...second.workspaces.values()].flatMap(({ rules }) => rules.map((rule) => rule.groups))).toEqual([{ kind: 'exact', name: 'ops' }])
  expect(second.hash).not.toBe(first.hash)
  await writeFile(join(folder, 'groups.yaml'), 'version: 2\n')
  const invalid = await declared()
  expect([invalid.kept?.split('\n')[0], [...invalid.workspaces.values()].flatMap(({ rules }) => rules)]).toEqual([
    'groups.yaml:1:1: "workspaces" is missing',
    [],
  ])
  await write('ops')
  expect((await declared()).workspaces).toBe(second.workspaces)
})
