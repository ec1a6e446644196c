import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hashOf } from '../../src/declaration/files.ts'
import { type ExhaustedFiles, loadDeclaration } from '../../src/declaration/load.ts'
import { problemOfFile } from '../../src/yaml/problem.ts'

const rule = (group: string) => `version: 1\nworkspaces: { acme: { projectRoles: [{ group: ${group}, project: ENG, role: member }] } }\n`
/** Larger than what is read in the thread of the process. */
const large = (group: string) => `${rule(group)}${'# a long comment\n'.repeat(5_000)}`
const fence = (owner: string) => ({
  owner,
  workspace: 'acme',
  projectRoles: { projects: ['ENG'], allProjects: false, roles: ['member'], groups: ['*'] },
  may: [],
  demand: { reason: false, expires: {} },
})
const context = {
  workspaces: ['acme'],
  directories: ['corp'],
  defaults: { unknownGroups: 'hold', unknownProjects: 'hold' },
  fences: { 'pay/**': fence('pay'), 'ops/**': fence('ops') },
} as const
const why = 'to read this file, with those before it, takes too much memory'

test('files with which a worker was exhausted are not read again until they change', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'exhausted-'))
  try {
    const write = async (name: string, text: string) => {
      await mkdir(join(folder, name, '..'), { recursive: true })
      await writeFile(join(folder, name), text)
    }
    const files = [{ file: 'pay/a.yaml', bytes: Buffer.from(large('pay')) }]
    const problem = problemOfFile('pay/a.yaml', why)
    const exhausted: ExhaustedFiles = new Map([['pay', { owner: 'pay', hash: hashOf(files), problem, alsoLast: false }]])
    const load = async () => {
      const loaded = await loadDeclaration(folder, { ...context, exhausted }, new AbortController().signal)
      const groups = loaded.valid ? [...loaded.declaration.values()].flatMap(({ rules }) => rules.map(({ groups: one }) => one)) : []
      return groups.flatMap((one) => (one.kind === 'exact' ? [one.name] : []))
    }
    await write('pay/a.yaml', large('pay'))
    await write('ops/a.yaml', rule('ops'))
    expect(await load()).toEqual(['ops'])
    // An edit of another team changes nothing in it.
    await write('ops/a.yaml', rule('ops-new'))
    expect(await load()).toEqual(['ops-new'])
    await write('pay/a.yaml', large('pay-new'))
    expect((await load()).toSorted()).toEqual(['ops-new', 'pay-new'])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
