import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { understand } from '../../src/commands/argv.ts'
import { loadSettings } from '../../src/settings/load.ts'
import { blocksOf } from './blocks.ts'
import { configOf, manifests, toolsEnv } from './helm.ts'

/** A folder such as that of a reader: the chart, and a folder with a declaration. */
const folder = await mkdtemp(join(tmpdir(), 'chart-pages-'))
afterAll(() => rm(folder, { recursive: true }))
await symlink(resolve('helm'), join(folder, 'helm'))
await cp('config/first-steps/groups', join(folder, 'groups'), { recursive: true })

const bash = async (script: string, path = ''): Promise<string> =>
  (await promisify(execFile)('bash', ['-euc', script], { cwd: folder, env: { ...toolsEnv, PATH: `${path}:${toolsEnv.PATH}` } })).stdout

describe.each([
  ['docs/kubernetes.md', 2],
  ['helm/plane-group-sync/README.md', 1],
] as const)('%s', (page, times) => {
  const blocks = blocksOf(page)
  const valuesBlocks = blocks.filter(({ language, text }) => language === 'yaml' && text.startsWith('# values.yaml\n'))
  const installs = blocks.flatMap(({ text }) => /^helm upgrade --install (?:.*\\\n)*.*$/m.exec(text)?.[0] ?? [])

  it('has a command for each values file', () => {
    expect([valuesBlocks.length, installs.length]).toEqual([times, times])
  })

  it.each(installs.map((command, index) => ({ command, values: valuesBlocks[index]?.text ?? '' })))(
    'its command $# gives the program settings and a declaration, and Plane no write',
    async ({ command, values }) => {
      await writeFile(join(folder, 'values.yaml'), values)
      const rendered = await bash(command.replace('upgrade --install', 'template --kube-version 1.35.0'))
      const config = join(folder, 'config.yaml')
      await writeFile(config, configOf(rendered))
      expect(await loadSettings(config, {})).toMatchObject({ valid: true, settings: { policy: 'observe' } })
      const declaration = manifests(rendered).find(({ metadata }) => metadata.name.endsWith('-declaration'))
      const named = [...command.matchAll(/=(groups\/\S+\.yaml)'/g)].map(([, path = '']) => path)
      expect(Object.values(declaration?.['data'] ?? {})).toEqual(named.map((path) => readFileSync(join(folder, path), 'utf8')))
    },
  )
})

it('docs/operations.md: the recipe to approve runs commands of the program beside the daemon', async () => {
  const recipe = blocksOf('docs/operations.md').find(({ text }) => text.includes('approve "$ID" --now'))?.text ?? ''
  await mkdir(join(folder, 'bin'))
  await writeFile(join(folder, 'bin/kubectl'), kubectl)
  await chmod(join(folder, 'bin/kubectl'), 0o755)

  await bash(recipe, join(folder, 'bin'))

  const calls = (await readFile(join(folder, 'calls'), 'utf8')).trimEnd().split('\n')
  const pods = calls.map((call) => call.split(' -- ')[0])
  expect(new Set(pods)).toEqual(new Set(['-n plane-group-sync exec deploy/plane-group-sync']))
  const asked = await Promise.all(calls.map((call) => understand(call.split(' -- plane-group-sync ')[1]?.split(' ') ?? [])))
  expect(asked).toMatchObject([
    { kind: 'command', name: 'status' },
    {
      kind: 'command',
      name: 'approve',
      positionals: ['7a51c03c2e8806424052474adbd89056'],
      values: { now: true, for: '1h', reason: 'INC-99' },
    },
  ])
})

/** Writes down its calls. */
const kubectl = `#!/bin/bash
echo "$*" >> ${folder}/calls
`
