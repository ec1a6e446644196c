import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { loadSettings } from '../../src/settings/load.ts'
import { configOf, manifests, render, tool, toolsEnv } from './helm.ts'

/** A folder such as that of a reader: the chart, and a folder with a declaration. */
const folder = await mkdtemp(join(tmpdir(), 'chart-pages-'))
afterAll(() => rm(folder, { recursive: true }))
await symlink(resolve('helm'), join(folder, 'helm'))
await cp('config/first-steps/groups', join(folder, 'groups'), { recursive: true })

const bash = async (script: string, path = ''): Promise<string> =>
  (await promisify(execFile)('bash', ['-euc', script], { cwd: folder, env: { ...toolsEnv, PATH: `${path}:${toolsEnv.PATH}` } })).stdout

const block = /^( *)```(\w+)\n([^]*?)^ *```$/gm
/** The code blocks of a page, without their indentation. */
const blocksOf = (page: string) =>
  [...readFileSync(page, 'utf8').matchAll(block)].map(([, blanks = '', language = '', text = '']) => ({
    language,
    text: text.replaceAll(new RegExp(`^${blanks}`, 'gm'), ''),
  }))

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

type PodSpec = { readonly containers: readonly Record<string, unknown>[]; readonly volumes: unknown; readonly serviceAccountName: string }

it('docs/operations.md: the recipe to approve runs one apply with the volumes of the pod, while the pod is stopped', async () => {
  const recipe = blocksOf('docs/operations.md').find(({ text }) => text.includes('kind: "Job"'))?.text ?? ''
  const rendered = manifests(await render('--values', 'test/chart/values/everything.yaml'))
  const deployment = rendered.find(({ kind }) => kind === 'Deployment')
  const pod = (deployment as unknown as { spec: { template: { spec: PodSpec } } }).spec.template.spec
  await writeFile(join(folder, 'deployment.json'), JSON.stringify(deployment))
  await mkdir(join(folder, 'bin'))
  await writeFile(join(folder, 'bin/kubectl'), kubectl)
  await chmod(join(folder, 'bin/kubectl'), 0o755)

  await bash(recipe, join(folder, 'bin'))

  const job = JSON.parse(await readFile(join(folder, 'created.json'), 'utf8')) as { spec: { template: { spec: PodSpec } } }
  const { containers, volumes, serviceAccountName } = job.spec.template.spec
  const { startupProbe, livenessProbe, readinessProbe, ...kept } = pod.containers[0] ?? {}
  expect([startupProbe, livenessProbe, readinessProbe]).not.toContain(undefined)
  expect(containers).toEqual([{ ...kept, args: ['apply', '--yes', '--allow', '7a51c03c2e8806424052474adbd89056'] }])
  expect({ volumes, serviceAccountName }).toEqual({ volumes: pod.volumes, serviceAccountName: pod.serviceAccountName })
  expect(volumes).toContainEqual(expect.objectContaining({ name: 'journal' }))
  await tool('kubernetes-validate', '-k', '1.35', '--strict', join(folder, 'created.json'))

  const calls = (await readFile(join(folder, 'calls'), 'utf8')).trimEnd().split('\n')
  const verbs = calls.map((call) => /(scale .*|[a-z]+)/.exec(call.replace('-n plane-group-sync ', ''))?.[0])
  // The two sides of the pipe start in any order.
  expect(verbs.filter((verb) => verb !== 'get' && verb !== 'create')).toEqual([
    'exec',
    'scale deployment plane-group-sync --replicas=0',
    'wait',
    'logs',
    'delete',
    'scale deployment plane-group-sync --replicas=1',
  ])
})

/** Writes down its calls, answers with the Deployment, and keeps the created object. */
const kubectl = `#!/bin/bash
echo "$*" >> ${folder}/calls
case "$*" in
  *' get deployment '*) cat ${folder}/deployment.json ;;
  *' create -f -') cat > ${folder}/created.json ;;
esac
`
