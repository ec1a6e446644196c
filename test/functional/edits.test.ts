import { mkdir, mkdtemp, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { CycleReport } from '../../src/cycle/cycleReport.ts'
import { type Edits, openEdits } from '../../src/daemon/edits.ts'
import { type LoadedSettings, loadSettings } from '../../src/settings/load.ts'
import { longTest } from '../long.ts'

const { signal } = new AbortController()
let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'edits-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function write(name: string, text: string) {
  await mkdir(dirname(join(folder, name)), { recursive: true })
  await writeFile(join(folder, name), text)
}

const settingsText = (more = '') => `version: 1
service: { baseUrl: "http://127.0.0.1:9", credential: { apiKey: { file: key } } }
workspaces: { acme: {} }
declaration: groups
directories:
  corp: { kind: ldap, addresses: ["ldaps://127.0.0.1:9"], caFile: ca.pem, bind: { dn: "cn=reader", password: { file: password } }, groups: { base: "dc=corp", filter: "(cn=*)", name: cn } }
${more}`

async function loadedSettings(): Promise<LoadedSettings> {
  const loaded = await loadSettings(join(folder, 'config.yaml'), {})
  if (!loaded.valid) throw new Error(loaded.text)
  return loaded
}

/** Edits of a folder with settings, two files of a declaration and secrets. `begin` is called as a cycle does it. */
async function opened() {
  await write('config.yaml', settingsText())
  for (const name of ['groups/a.yaml', 'groups/b.yaml', 'key', 'password', 'ca.pem']) await write(name, name)
  let loaded = await loadedSettings()
  const edits = openEdits(() => loaded)
  const begin = (isOrder = false) =>
    edits.begin(
      async () => {
        loaded = await loadedSettings()
      },
      { isOrder, signal },
    )
  /** Begins a cycle that does not use the edited settings. `then` happens after it has read the secrets that they name. */
  const refuse = (then = async () => {}) =>
    edits.begin(
      async (beforeSecrets) => {
        await beforeSecrets(await loadedSettings())
        await then()
      },
      { signal },
    )
  await begin()
  return { begin, order: () => begin(true), refuse, look: lookOf(edits) }
}

/** Looks twice, as the second look confirms what the first one saw. */
function lookOf(edits: Edits) {
  return async (last?: CycleReport) => {
    const first = await edits.look(last, signal)
    return [first, await edits.look(last, signal)]
  }
}

const quiet = [[], []]
/** A cycle in which something failed with the credential `default` or the directory `corp`. */
const report = (part: 'credential' | 'directory') =>
  ({
    workspaces: part === 'credential' ? [{ kind: 'failed', about: { credential: 'default' } }] : [],
    directories: part === 'directory' ? [{ name: 'corp', status: 'failed' }] : [{ name: 'corp', status: 'complete' }],
  }) as unknown as CycleReport

describe('an edit counts from the second look that finds it, until a cycle has begun', () => {
  test.each<readonly [what: string, edit: () => Promise<void>, name: string]>([
    ['a file of the declaration is written', () => write('groups/a.yaml', 'another'), 'declaration'],
    ['a file of the declaration is written with as many bytes', () => write('groups/a.yaml', 'groups/c.yaml'), 'declaration'],
    ['a file is added', () => write('groups/teams/new.yaml', 'new'), 'declaration'],
    ['a file is removed', () => rm(join(folder, 'groups/b.yaml')), 'declaration'],
    ['a file gets another name', () => rename(join(folder, 'groups/b.yaml'), join(folder, 'groups/c.yaml')), 'declaration'],
    [
      'two files swap their contents',
      () => write('groups/a.yaml', 'groups/b.yaml').then(() => write('groups/b.yaml', 'groups/a.yaml')),
      'declaration',
    ],
    [
      'a link takes the place of a file',
      () => rm(join(folder, 'groups/b.yaml')).then(() => symlink('nowhere', join(folder, 'groups/b.yaml'))),
      'declaration',
    ],
    ['the folder is removed', () => rm(join(folder, 'groups'), { recursive: true }), 'declaration'],
    ['the settings are written', () => write('config.yaml', settingsText('policy: sync\n')), 'settings'],
    ['the settings are removed', () => rm(join(folder, 'config.yaml')), 'settings'],
  ])('%s', async (_what, edit, name) => {
    const { look, begin } = await opened()
    expect(await look()).toEqual(quiet)
    await edit()
    expect(await look()).toEqual([[], [name]])
    expect(await look()).toEqual([[name], [name]])
    if (name === 'settings') return
    await begin()
    expect(await look()).toEqual(quiet)
  })

  test('a file that has other content at each look counts only when it stays', async () => {
    const { look } = await opened()
    for (let n = 0; n < 5; n++) {
      await write('groups/a.yaml', `part ${n}`)
      expect((await look())[0]).toEqual([])
    }
  })

  test('the same content is no edit, whatever its time says', async () => {
    const { look } = await opened()
    await write('groups/a.yaml', 'groups/a.yaml')
    await utimes(join(folder, 'groups/b.yaml'), 1, 1)
    await write('groups/note.txt', 'no part of the declaration')
    expect(await look()).toEqual(quiet)
  })

  test('an edit while a cycle reads the settings is seen after it', async () => {
    await write('config.yaml', settingsText())
    await write('groups/a.yaml', 'a')
    const loaded = await loadedSettings()
    const edits = openEdits(() => loaded)
    await edits.begin(() => write('config.yaml', settingsText('policy: sync\n')), { signal })
    expect(await lookOf(edits)()).toEqual([[], ['settings']])
  })

  test('settings that name another declaration are one edit, not two', async () => {
    const { look, begin } = await opened()
    await write('other/a.yaml', 'a')
    await write('config.yaml', settingsText().replace('declaration: groups', 'declaration: other'))
    expect(await look()).toEqual([[], ['settings']])
    await begin()
    expect(await look()).toEqual(quiet)
  })
})

test('a volume of the kubelet: the swap of ..data is one edit', async () => {
  await write('config.yaml', settingsText())
  for (const n of [1, 2]) await write(`groups/..${n}/a.yaml`, `version ${n}`)
  await symlink('..1', join(folder, 'groups/..data'))
  await symlink('..data/a.yaml', join(folder, 'groups/a.yaml'))
  const loaded = await loadedSettings()
  const edits = openEdits(() => loaded)
  await edits.begin(async () => {}, { signal })
  const look = lookOf(edits)
  expect(await look()).toEqual(quiet)
  await symlink('..2', join(folder, 'groups/..data_tmp'))
  await rename(join(folder, 'groups/..data_tmp'), join(folder, 'groups/..data'))
  await rm(join(folder, 'groups/..1'), { recursive: true })
  expect(await look()).toEqual([[], ['declaration']])
})

describe('what an order reads otherwise than the last cycle begins a cycle', () => {
  test('although its files stay as the order read them, because it may be about some workspaces only', async () => {
    const { look, begin, order } = await opened()
    await write('groups/a.yaml', 'another')
    await order()
    expect((await look())[1]).toEqual(['declaration'])
    await begin()
    expect(await look()).toEqual(quiet)
  })

  test.each([
    ['declaration', 'groups/a.yaml', 'another', 'groups/a.yaml'],
    ['settings', 'config.yaml', settingsText('suspend: true\n'), settingsText()],
  ])('also if they become as they were before it: %s', async (name, file, edited, before) => {
    const { look, begin, order } = await opened()
    await write(file, edited)
    await order()
    await write(file, before)
    expect((await look())[1]).toEqual([name])
    await order()
    expect((await look())[1]).toEqual([name])
    await begin()
    expect(await look()).toEqual(quiet)
  })

  test('and an order that reads what the last cycle read begins none', async () => {
    const { look, order } = await opened()
    await order()
    expect(await look()).toEqual(quiet)
  })
})

test('a secret or a certificate counts only if the last cycle failed with it', async () => {
  const { look, begin } = await opened()
  await write('key', 'rotated key')
  await write('password', 'rotated password')
  expect(await look()).toEqual(quiet)
  expect(await look(report('credential'))).toEqual([[], ['credential default']])
  expect(await look(report('directory'))).toEqual([[], ['directory corp']])
  await begin()
  expect(await look(report('credential'))).toEqual(quiet)
  await write('ca.pem', 'rotated certificates')
  expect(await look(report('credential'))).toEqual(quiet)
  expect(await look(report('directory'))).toEqual([[], ['directory corp']])
})

describe('a secret that only refused settings name counts at once', () => {
  const naming = settingsText().replace('file: key', 'file: new-key')
  const edited = [[], ['credential default of the edited settings']]

  test('when it comes', async () => {
    const { look, begin, refuse } = await opened()
    await write('config.yaml', naming)
    await refuse()
    expect(await look()).toEqual(quiet)
    await write('new-key', 'new key')
    expect(await look()).toEqual(edited)
    await begin()
    await write('new-key', 'rotated key')
    expect(await look()).toEqual(quiet)
  })

  test('when it comes while the cycle reads it', async () => {
    const { look, refuse } = await opened()
    await write('config.yaml', naming)
    await refuse(() => write('new-key', 'new key'))
    expect(await look()).toEqual(edited)
  })

  test('not when they are refused no longer', async () => {
    const { look, begin, refuse } = await opened()
    await write('config.yaml', naming)
    await refuse()
    await write('config.yaml', settingsText())
    await begin()
    await write('new-key', 'new key')
    expect(await look()).toEqual(quiet)
  })
})

longTest('a look at 2,000 files reads none of them again', async () => {
  await write('config.yaml', settingsText())
  for (let n = 0; n < 2_000; n++) await write(`groups/team-${n % 40}/file-${n}.yaml`, `# ${'x'.repeat(4_000)} ${n}\n`)
  const loaded = await loadedSettings()
  const edits = openEdits(() => loaded)
  const cpuMs = async (run: () => Promise<unknown>) => {
    const before = process.cpuUsage()
    await run()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  }
  const firstMs = await cpuMs(() => edits.begin(async () => {}, { signal }))
  const times: number[] = []
  for (let n = 0; n < 9; n++) times.push(await cpuMs(() => edits.look(undefined, signal)))
  const medianMs = times.toSorted((a, b) => a - b)[4] ?? 0
  expect(medianMs).toBeLessThan(firstMs)
})
