import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readFiles } from '../../src/declaration/files.ts'
import { readInWorker } from '../../src/declaration/inWorker.ts'
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
  if (loaded.invalid !== undefined) return loaded.invalid.text
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

  test('with a name that is not UTF-8 is told so, if the file would be read', async () => {
    await write({ 'a.yaml': file('a') })
    const odd = (text: string) => Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(text, 'latin1')])
    await writeFile(odd('b\xff.yaml'), file('b'))
    await writeFile(odd('c\xff.txt'), 'no YAML')
    await mkdir(odd('d\xff'))
    await symlink('a.yaml', odd('e\xff.yaml'))
    const told = (name: string) => `${name}: its name is not UTF-8\n  rename it`
    expect(await groups()).toBe([told('b\ufffd.yaml'), told('d\ufffd'), told('e\ufffd.yaml')].join('\n\n'))
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
      `again: this is the same folder as ${folder}: it would be read twice
  remove one of the two

b.yaml: there is no such file or folder

c.yaml: this is a pipe, not a file`,
    )
  })
})

describe('links', () => {
  const secret = 'plane-key-of-somebody'
  let elsewhere: string
  beforeEach(async () => {
    elsewhere = await mkdtemp(join(tmpdir(), 'elsewhere-'))
    await writeFile(join(elsewhere, 'key'), secret)
    await writeFile(join(elsewhere, 'a.yaml'), `apiKey: ${secret}\n`)
  })
  afterEach(() => rm(elsewhere, { recursive: true, force: true }))

  const leadsOut = (name: string, to: string, root = folder) =>
    `${name}: this link leads out of ${root}, to ${to} replace the link with a file, or set "declaration" in the settings to a folder that contains both`
  /** Each problem in one line. */
  const lines = (text: string[] | string) =>
    String(text)
      .split('\n\n')
      .map((one) => one.replaceAll(/\s+/g, ' '))
      .toSorted()

  test.each([
    ['a file', 'key', 'x.yaml'],
    ['a YAML file', 'a.yaml', 'x.yml'],
    ['a folder', '.', 'teams'],
    ['a folder whose name is that of a file', '.', 'x.yaml'],
  ])('out of the folder to %s are refused with both paths, and nothing of it is read', async (_, to, name) => {
    await write({ 'b.yaml': file('b'), 'teams.d/c.yaml': file('c') })
    await symlink(join(elsewhere, to), join(folder, name))
    await symlink(join(elsewhere, to), join(folder, 'teams.d', name))
    const shown = await groups()
    const [outer, inner] = [name, `teams.d/${name}`].map((one) => leadsOut(one, join(elsewhere, to)))
    expect(lines(shown)).toEqual(lines(`${outer}\n\n${inner}`))
    expect(shown).not.toContain(secret)
  })

  test.each([
    [
      'over another link',
      async () => symlink(join(elsewhere, 'key'), join(folder, '.hop')).then(() => symlink('.hop', join(folder, 'x.yaml'))),
    ],
    ['with ..', () => symlink(join('..', elsewhere.split('/').at(-1) as string, 'key'), join(folder, 'x.yaml'))],
    [
      'to a neighbour whose name begins alike',
      async () => {
        await mkdir(`${folder}-more`)
        await writeFile(`${folder}-more/key`, secret)
        await symlink(`${folder}-more/key`, join(folder, 'x.yaml'))
      },
    ],
    ['to a device', () => symlink('/dev/zero', join(folder, 'x.yaml'))],
  ])('out of the folder %s are refused, too', async (_, link) => {
    await write({ 'b.yaml': file('b') })
    await link()
    const shown = await groups()
    expect(shown).toContain(`x.yaml: this link leads out of ${folder}, to /`)
    expect(shown).not.toContain(secret)
    await rm(`${folder}-more`, { recursive: true, force: true })
  })

  test('out of the folder that are neither folder nor YAML are left aside, as other files are', async () => {
    await write({ 'b.yaml': file('b') })
    await symlink(join(elsewhere, 'key'), join(folder, 'README'))
    await symlink('/nowhere', join(folder, 'LICENSE'))
    expect(await groups()).toEqual(['b b.yaml'])
  })

  test('the folder itself may be one, and is found anew at each reading', async () => {
    await write({ '.worktrees/1/a.yaml': file('a'), '.worktrees/2/b.yaml': file('b') })
    await symlink('.worktrees/1', join(folder, 'current'))
    expect(await groups(join(folder, 'current'))).toEqual(['a a.yaml'])
    await rm(join(folder, 'current'))
    await symlink('.worktrees/2', join(folder, 'current'))
    expect(await groups(join(folder, 'current'))).toEqual(['b b.yaml'])
    await symlink('../1/a.yaml', join(folder, '.worktrees/2/c.yaml'))
    expect(lines(await groups(join(folder, 'current')))).toEqual([
      leadsOut('c.yaml', join(folder, '.worktrees/1/a.yaml'), join(folder, '.worktrees/2')),
    ])
  })

  test('of a ConfigMap with folders lead into its hidden folder', async () => {
    await write({ '..2026_01/a.yaml': file('a'), '..2026_01/teams/b.yaml': file('b') })
    await symlink('..2026_01', join(folder, '..data'))
    await symlink('..data/a.yaml', join(folder, 'a.yaml'))
    await symlink('..data/teams', join(folder, 'teams'))
    expect(await groups()).toEqual(['a a.yaml', 'b teams/b.yaml'])
  })

  const link = 'this is a link, and the path of a file says what it may contain'
  /** The files, or the mistakes, if the path of a file says its owner. */
  async function found(): Promise<readonly string[]> {
    const read = await readFiles(folder, { pauseMs: 1, ownerOf: () => undefined, signal })
    if (read.obstacles === undefined) return read.files.map((one) => one.file)
    return read.obstacles.map(({ problem: { at, message } }) => `${at.file}: ${message}`)
  }

  test('of a ConfigMap are all that fences allow, since the path of a file says its owner', async () => {
    await write({ '..2026_01/a.yaml': file('a'), '..2026_01/teams/b.yaml': file('b') })
    await symlink('..2026_01', join(folder, '..data'))
    await symlink('..data/a.yaml', join(folder, 'a.yaml'))
    await symlink('..data/teams', join(folder, 'teams'))
    expect(await found()).toEqual(['a.yaml', 'teams/b.yaml'])
    await symlink('..data/a.yaml', join(folder, 'c.yaml'))
    expect(await found()).toEqual([`c.yaml: ${link}`])
    await rm(join(folder, 'c.yaml'))
    await symlink('../a.yaml', join(folder, '..2026_01/teams/c.yaml'))
    expect(await found()).toEqual([`teams/c.yaml: ${link}`])
    await rm(join(folder, '..2026_01/teams/c.yaml'))
    await mkdir(join(folder, 'own'))
    await symlink('..data/a.yaml', join(folder, 'own/a.yaml'))
    expect(await found()).toEqual([`own/a.yaml: ${link}`])
  })

  test('of a ConfigMap in a folder of its own are allowed by fences only if they stay in this folder', async () => {
    await write({ 'platform/a.yaml': file('a'), 'teams/pay/..2026_01/b.yaml': file('b') })
    await symlink('..2026_01', join(folder, 'teams/pay/..data'))
    await symlink('..data/b.yaml', join(folder, 'teams/pay/b.yaml'))
    expect(await found()).toEqual(['platform/a.yaml', 'teams/pay/b.yaml'])

    for (const target of ['../../platform', '../pay/..2026_01', '..elsewhere']) {
      await rm(join(folder, 'teams/pay/..data'))
      await rm(join(folder, 'teams/pay/..elsewhere'), { force: true })
      await symlink(target, join(folder, 'teams/pay/..data'))
      await symlink('../../platform', join(folder, 'teams/pay/..elsewhere'))
      await rm(join(folder, 'teams/pay/a.yaml'), { force: true })
      await symlink('..data/a.yaml', join(folder, 'teams/pay/a.yaml'))
      expect(await found(), target).toEqual(expect.arrayContaining([`teams/pay/a.yaml: ${link}`]))
    }

    await rm(join(folder, 'teams/pay'), { recursive: true })
    await write({ 'teams/pay/..2026_01/c.yaml': file('c') })
    await symlink('..2026_01', join(folder, 'teams/pay/..data'))
    await symlink('../../../platform/a.yaml', join(folder, 'teams/pay/..2026_01/b.yaml'))
    await symlink('..data/b.yaml', join(folder, 'teams/pay/b.yaml'))
    expect(await found()).toEqual([`teams/pay/b.yaml: ${link}`])
  })

  test('are refused if the path of a file says whether it may have waivers', async () => {
    await write({ 'platform/a.yaml': file('a'), 'teams/b.txt': file('b') })
    await symlink('../teams/b.txt', join(folder, 'platform/c.yaml'))
    const loaded = await loadDeclaration(folder, { ...context, waiverFiles: ['platform/*'] }, signal)
    expect(loaded.valid && loaded.invalid?.problems.map(({ at, message }) => `${at.file}: ${message}`)).toEqual([
      'platform/c.yaml: this is a link, and the path of a file says what it may contain',
    ])
    expect(await loadDeclaration(folder, { ...context, waiverFiles: [] }, signal)).not.toHaveProperty('invalid')
  })

  test('to the one file that the settings name may come from anywhere', async () => {
    await writeFile(join(elsewhere, 'real.yaml'), file('a'))
    await symlink(join(elsewhere, 'real.yaml'), join(folder, 'groups.yaml'))
    expect(await groups(join(folder, 'groups.yaml'))).toEqual(['a groups.yaml'])
  })

  test('within the folder that reach a file or folder twice are told with both paths', async () => {
    await write({ 'a.yaml': file('a'), 'teams/b.yaml': file('b') })
    await symlink('a.yaml', join(folder, 'b.yaml'))
    await symlink('teams', join(folder, 'units'))
    expect(await groups()).toBe(`b.yaml: this is the same file as a.yaml: it would be read twice
  remove one of the two

units: this is the same folder as teams: it would be read twice
  remove one of the two`)
  })

  test('that multiply in a chain of folders do not multiply the time', async () => {
    for (let number = 0; number < 14; number++) await mkdir(join(folder, `${number}`))
    for (let number = 0; number < 13; number++) for (const name of 'abc') await symlink(`../${number + 1}`, join(folder, `${number}`, name))
    await write({ '13/x.yaml': file('x') })
    const beganMs = performance.now()
    expect(await groups()).toContain('this is the same folder as')
    // Three to the power of thirteen folders would take minutes.
    expect(performance.now() - beganMs).toBeLessThan(20_000)
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
    expect(read.obstacles).toBeUndefined()
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
    expect(await groups()).toContain('9.yaml: the files have more than 16777216 bytes together, and this one is not read')
    await rm(folder, { recursive: true })
    await write(Object.fromEntries(Array.from({ length: 2_001 }, (_, index) => [`${index}.yaml`, file('a')])))
    expect(await groups()).toContain('999.yaml: the declaration has more than 2000 files')
  })

  test('depth', async () => {
    const deep = (levels: number) => Array.from({ length: levels }, () => 'x').join('/')
    await write({ [`${deep(15)}/a.yaml`]: file('a') })
    expect(await groups()).toEqual([`a ${deep(15)}/a.yaml`])
    await write({ [`${deep(16)}/a.yaml`]: file('a') })
    expect(await groups()).toBe(`${deep(16)}: folders more than 16 deep are not read`)
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

test('waivers for many changes arrive whole from the worker that reads them', async () => {
  const names = (letter: string, length: number) => Array.from({ length }, (_, index) => `${letter}${index}`)
  const entry = (group: string) =>
    `      - { group: ${group}, project: [${names('P', 100).join(', ')}], from: none, to: admin, until: 2026-01-20, reason: x }\n`
  const text = `version: 1\nworkspaces:\n  acme:\n    waivers:\n${names('g', 60).map(entry).join('')}`
  await write({ 'a.yaml': text })
  const loaded = await loadDeclaration(folder, { ...context, waiverFiles: ['a.yaml'], dateMs: Date.parse('2026-01-01') }, signal)
  if (!loaded.valid) throw new Error(loaded.text)
  const waivers = [...loaded.declaration.values()].flatMap((declared) => declared.waivers ?? [])
  expect(waivers.map(({ because, words }) => [because.at.line, words.changes.length])).toEqual(
    names('g', 60).map((_, index) => [index + 5, 100]),
  )
  expect(waivers[59]?.words.changes[99]).toEqual({ key: 'acme/project/P99/g59', after: 'admin' })
})

describe('patterns that take minutes', () => {
  const rule = (index: number) => `      - { groupRegex: "${'a{1000}'.repeat(100)}${index}", role: guest, project: ENG }\n`
  const costly = `version: 1\nworkspaces:\n  acme:\n    projectRoles:\n${Array.from({ length: 200 }, (_, index) => rule(index)).join('')}`
  const files = () => ({ files: [{ file: 'a.yaml', bytes: new TextEncoder().encode(costly) }], hash: 'h' })

  test('are given up at the deadline, with the file that was read then', async () => {
    const { loaded } = await readInWorker(files(), context, signal, 2_000)
    expect(loaded.valid ? [] : loaded.problems).toMatchObject([
      {
        at: { file: 'a.yaml' },
        message: 'to read this file, with those before it, takes more than 2 s',
        cure: 'use fewer or simpler patterns, or split the declaration',
      },
    ])
  })
  test('are given up at an abort', async () => {
    const stop = new AbortController()
    const beganMs = performance.now()
    setTimeout(() => stop.abort(new Error('asked to stop')), 1_000)
    await expect(readInWorker(files(), context, stop.signal)).rejects.toThrow('asked to stop')
    expect(performance.now() - beganMs).toBeLessThan(5_000)
  })
})
