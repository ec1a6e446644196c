import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readFiles } from '../../src/declaration/files.ts'
import { loadDeclaration } from '../../src/declaration/load.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'declaration-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const { signal } = new AbortController()
const context = { workspaces: ['acme'], directories: [], defaults: { unknownGroups: 'hold', unknownProjects: 'hold' } } as const
const file = (group: string) => `version: 1\nworkspaces:\n  acme:\n    workspaceRoles:\n      - { group: ${group}, role: member }\n`

async function write(files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true })
    await writeFile(join(folder, name), text)
  }
}

/** The groups that a declaration names with their files, or the text of its problems. */
async function groups(path = folder): Promise<string[] | string> {
  const loaded = await loadDeclaration(path, context, signal)
  if (!loaded.valid) return loaded.text
  return [...loaded.declaration.values()].flatMap(({ rules }) =>
    rules.map(({ groups, because }) => `${groups.kind === 'exact' ? groups.name : ''} ${because.at.file}`),
  )
}

describe('a folder', () => {
  test('is read with its folders, by name, without what begins with a dot or is not YAML', async () => {
    await write({
      'b.yml': file('b'),
      'a.YAML': file('a'),
      'teams/x/c.yaml': file('c'),
      '.hidden.yaml': 'x',
      '.git/d.yaml': 'x',
      'README.md': 'x',
      'e.yaml~': 'x',
    })
    expect(await groups()).toEqual(['a a.YAML', 'b b.yml', 'c teams/x/c.yaml'])
  })

  test('as a ConfigMap is mounted gives each file once, and the new ones after the swap', async () => {
    await write({ '..2026_01/a.yaml': file('a'), '..2026_01/teams.yaml': file('b'), '..2026_02/a.yaml': file('c') })
    await symlink('..2026_01', join(folder, '..data'))
    await symlink('..data/a.yaml', join(folder, 'a.yaml'))
    expect(await groups()).toEqual(['a a.yaml'])
    await symlink('..2026_02', join(folder, '..data_tmp'))
    await rename(join(folder, '..data_tmp'), join(folder, '..data'))
    expect(await groups()).toEqual(['c a.yaml'])
  })

  test('without any YAML file is a mistake, not an empty declaration', async () => {
    await write({ 'README.md': '' })
    expect(await groups()).toContain('there is no .yaml or .yml file in this folder')
    expect(await groups(join(folder, 'missing'))).toContain('there is no such file or folder')
  })

  test('that a link makes endless, a link to nowhere and a pipe are told, not followed', async () => {
    await write({ 'a.yaml': file('a') })
    await symlink('.', join(folder, 'again'))
    await symlink('nowhere', join(folder, 'b.yaml'))
    execFileSync('mkfifo', [join(folder, 'c.yaml')])
    expect(await groups()).toBe(
      'again: this folder contains itself through a link\n\nb.yaml: there is no such file or folder\n\nc.yaml: this is not a file',
    )
  })
})

describe('the hash', () => {
  const hash = async (path: string) => {
    const read = await readFiles(path, { pauseMs: 1, signal })
    return 'hash' in read ? read.hash : ''
  }

  test('is of names and contents, not of times', async () => {
    await write({ 'a.yaml': file('a') })
    const first = await hash(folder)
    expect(first).toMatch(/^[0-9a-f]{64}$/)
    await write({ 'a.yaml': file('a') })
    expect(await hash(folder)).toBe(first)
    await write({ 'a.yaml': file('b') })
    expect(await hash(folder)).not.toBe(first)
    await write({ 'a.yaml': file('a') })
    await rename(join(folder, 'a.yaml'), join(folder, 'b.yaml'))
    expect(await hash(folder)).not.toBe(first)
  })

  test('of a folder that changes while it is read is of one state of it', async () => {
    const names = Array.from({ length: 200 }, (_, index) => `${index}.yaml`)
    await write(Object.fromEntries(names.flatMap((name) => ['..one', '..two'].map((state) => [`${state}/${name}`, file(state)]))))
    await symlink('..one', join(folder, '..data'))
    for (const name of names) await symlink(`..data/${name}`, join(folder, name))
    const swapping = (async () => {
      for (let swap = 0; swap < 300; swap++) {
        await symlink(swap % 2 === 0 ? '..two' : '..one', join(folder, '..data_tmp'))
        await rename(join(folder, '..data_tmp'), join(folder, '..data'))
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
    })()
    const read = await readFiles(folder, { pauseMs: 300, signal })
    await swapping
    if (!('hash' in read)) throw new Error(read[0]?.message)
    expect(new Set(read.files.map(({ bytes }) => new TextDecoder().decode(bytes))).size).toBe(1)
  })
})

describe('too much', () => {
  test('in one file is read no further than its limit', async () => {
    await write({ 'a.yaml': file('a'), 'b.yaml': Buffer.alloc(2 * 1024 * 1024, '#') })
    expect(await groups()).toMatch(/^b\.yaml: the file is larger than 1024 KiB/)
  })

  test('together, and too many', async () => {
    const big = Buffer.alloc(1024 * 1024, '#')
    await write(Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`${index}.yaml`, big])))
    expect(await groups()).toContain('the files together have more than 16777216 bytes')
    await rm(folder, { recursive: true })
    await write(Object.fromEntries(Array.from({ length: 2_001 }, (_, index) => [`${index}.yaml`, ''])))
    expect(await groups()).toContain('more than 2000 files')
  })
})

test('files that did not change are not parsed again', async () => {
  await write({ 'a.yaml': file('a') })
  const first = await loadDeclaration(folder, context, signal)
  if (!first.valid) throw new Error(first.text)
  expect(await loadDeclaration(folder, { ...context, previous: first }, signal)).toBe(first)
  await write({ 'a.yaml': file('b') })
  expect(await loadDeclaration(folder, { ...context, previous: first }, signal)).not.toBe(first)
})

test('an abort ends the reading', async () => {
  await write({ 'a.yaml': file('a') })
  await expect(loadDeclaration(folder, context, AbortSignal.abort())).rejects.toThrow('abort')
})

test('the examples are valid', async () => {
  const settings = { ...context, directories: ['corp'] }
  const loaded = await loadDeclaration(new URL('../../config/groups', import.meta.url).pathname, settings, signal)
  expect(loaded.valid ? '' : loaded.text).toBe('')
})
