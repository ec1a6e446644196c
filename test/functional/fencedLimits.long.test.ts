import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { FenceTexts } from '../../src/declaration/fence.ts'
import { openOwners } from '../../src/declaration/fenceOwner.ts'
import { readFiles } from '../../src/declaration/files.ts'
import { readInWorker } from '../../src/declaration/inWorker.ts'
import { loadDeclaration } from '../../src/declaration/load.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'limits-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const { signal } = new AbortController()
const fence = (name: string) => ({
  owner: `team-${name}`,
  workspace: 'acme',
  projectRoles: { projects: [name.toUpperCase()], allProjects: false, roles: ['guest'], groups: [`${name}-*`] },
  may: [],
  demand: { reason: false, expires: {} },
})
const fences: FenceTexts = { 'teams/pay/**': fence('pay'), 'teams/ops/**': fence('ops'), 'platform/*': 'everything' }
const settings = {
  workspaces: ['acme'],
  directories: [],
  roles: ['guest'],
  defaults: { unknownGroups: 'hold', unknownProjects: 'hold' },
  fences,
  dateMs: 0,
} as const
const text = (group: string) =>
  `version: 1\nworkspaces:\n  acme:\n    projectRoles: [ { group: ${group}, project: ${group.slice(0, 3).toUpperCase()}, role: guest } ]\n`
const lastValid = new Map(
  ['pay-old', 'ops-old'].map((group) => [`teams/${group.slice(0, 3)}/a.yaml`, new TextEncoder().encode(text(group))]),
)

async function write(files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  const folders = new Set(Object.keys(files).map((name) => dirname(join(folder, name))))
  for (const one of folders) await mkdir(one, { recursive: true })
  await Promise.all(Object.entries(files).map(([name, content]) => writeFile(join(folder, name), content)))
}
const many = (count: number, content: string | Uint8Array) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`teams/pay/${String(index).padStart(5, '0')}.yaml`, content]))

/** The problems of the reading, and the groups that a daemon uses. */
async function outcome() {
  const read = await readFiles(folder, { pauseMs: 1, ownerOf: openOwners(fences), signal })
  const problems = (read.obstacles ?? []).map(({ problem: { at, message }, owner }) => [at.file, message, owner])
  const loaded = await loadDeclaration(folder, { ...settings, texts: { lastValid } }, signal)
  if (!loaded.valid) return { problems, groups: loaded.text }
  const rules = [...loaded.declaration.values()].flatMap((declared) => declared.rules)
  return { problems, groups: rules.map(({ groups }) => (groups.kind === 'exact' ? groups.name : '')).toSorted() }
}
const goesOn = ['ops-new', 'pay-old']
const now = { 'teams/ops/a.yaml': text('ops-new'), 'teams/pay/a.yaml': text('pay-new') }

describe('one team cannot use up', () => {
  test('the number of files', async () => {
    await write({ ...now, ...many(501, '') })
    expect(await outcome()).toEqual({
      problems: [['teams/pay/00500.yaml', 'there are more than 500 files of team-pay', 'team-pay']],
      groups: goesOn,
    })
  })
  test('the number of files and folders', async () => {
    await write({ ...now, ...Object.fromEntries(Array.from({ length: 5_001 }, (_, index) => [`teams/pay/x/${index}.txt`, ''])) })
    expect(await outcome()).toEqual({
      problems: [['teams/pay/x', 'there are more than 5000 files and folders of team-pay here', 'team-pay']],
      groups: ['ops-new', 'pay-new'],
    })
  })
  test('the bytes of all files together', async () => {
    await write({ ...now, ...many(5, Buffer.alloc(1024 * 1024, '#')) })
    expect(await outcome()).toEqual({
      problems: [
        ['teams/pay/00004.yaml', 'the files of team-pay have more than 4194304 bytes together, and this one is not read', undefined],
        ['teams/pay/a.yaml', 'the files of team-pay have more than 4194304 bytes together, and this one is not read', undefined],
      ],
      groups: goesOn,
    })
  })
  test('the memory of the worker', { timeout: 60_000 }, async () => {
    await write({ ...now, 'teams/pay/b.yaml': `version: 1\nworkspaces: { acme: { projectRoles: [${'{},'.repeat(100_000)}] } }` })
    expect(await outcome()).toEqual({ problems: [], groups: goesOn })
  })
  test('the time of the worker', { timeout: 60_000 }, async () => {
    const rule = (index: number) => `{ groupRegex: "${'a{1000}'.repeat(100)}${index}", role: guest, project: PAY }`
    const costly = `version: 1\nworkspaces:\n  acme:\n    projectRoles: [${Array.from({ length: 100 }, (_, index) => rule(index)).join(', ')}]\n`
    const files = Object.entries({ ...now, 'teams/pay/b.yaml': costly }).map(([file, content]) => ({ file, bytes: Buffer.from(content) }))
    const { exhausted } = await readInWorker({ files, hash: 'h', lastValid }, settings, signal, 8_000)
    expect(exhausted).toMatchObject({
      problem: { at: { file: 'teams/pay/b.yaml' }, message: 'to read this file, with those before it, takes more than 2 s' },
      owner: 'team-pay',
    })
  })
})

test.skipIf(process.getuid?.() === 0)('a folder of a team that cannot be read is a problem of this team', async () => {
  await write({ ...now, 'teams/pay/deep/b.yaml': text('pay-deep') })
  for (const closed of ['teams/pay/deep', 'teams/pay']) {
    await chmod(join(folder, closed), 0)
    const { groups } = await outcome()
    await chmod(join(folder, closed), 0o700)
    expect(groups).toEqual(closed === 'teams/pay' ? goesOn : ['ops-new', 'pay-new'])
  }
})
