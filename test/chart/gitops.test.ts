import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { understand } from '../../src/commands/argv.ts'
import { startSandbox } from '../../src/sandbox/server.ts'
import { loadSettings } from '../../src/settings/load.ts'
import { blocksOf } from './blocks.ts'
import { chart, configOf, type Manifest, manifests, render, tool } from './helm.ts'

const folder = await mkdtemp(join(tmpdir(), 'chart-gitops-'))
afterAll(() => rm(folder, { recursive: true }))

const blocks = blocksOf('docs/kubernetes.md')
/** The block of the page that begins with the name of this file. */
function fileOf(name: string): string {
  const found = blocks.find(({ language, text }) => language === 'yaml' && text.startsWith(`# ${name}\n`))
  if (found === undefined) throw new Error(`docs/kubernetes.md has no ${name}`)
  return found.text
}
const installed = fileOf('values.yaml')
/** The release of the page, with a values file of the page beside the first one. */
async function released(name: string): Promise<string> {
  const files = { 'first.yaml': installed, 'second.yaml': fileOf(name) }
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text)
  const values = Object.keys(files).flatMap((file) => ['--values', join(folder, file)])
  return render('--namespace', 'plane-group-sync', '--set', 'fullnameOverride=plane-group-sync', ...values)
}
async function validFor(versions: readonly string[], text: string): Promise<void> {
  const file = join(folder, 'objects.yaml')
  await writeFile(file, text)
  for (const version of versions) await tool('kubernetes-validate', '-k', version, '--strict', file)
}

describe('docs/kubernetes.md', () => {
  it('has YAML only that can be read', () => {
    for (const { language, text } of blocks)
      if (language === 'yaml') for (const document of parseAllDocuments(text, { uniqueKeys: true })) expect(document.errors).toEqual([])
  })

  it.each(['values-teams.yaml', 'values-watching.yaml'])(
    'its %s gives the program valid settings, and Kubernetes valid objects',
    async (name) => {
      const text = await released(name)
      await writeFile(join(folder, 'config.yaml'), configOf(text))
      expect(await loadSettings(join(folder, 'config.yaml'), {})).toMatchObject({ valid: true })
      await validFor(['1.25', '1.35'], text)
    },
  )

  it.each(['role-payments.yaml', 'plan-job.yaml'])('its %s is valid for Kubernetes', async (name) => {
    await validFor(['1.25', '1.35'], fileOf(name))
  })

  it('lets a team change the ConfigMap that the values name, and no other', () => {
    const [role, binding] = parseAllDocuments(fileOf('role-payments.yaml')).map((one) => one.toJS())
    const names = parse(fileOf('values-teams.yaml')).declaration.configMaps.map(({ name }: { name: string }) => name)
    expect(names).toContain('groups-payments')
    expect(role.rules).toEqual([
      { apiGroups: [''], resources: ['configmaps'], resourceNames: ['groups-payments'], verbs: ['get', 'update', 'patch'] },
    ])
    expect(binding.roleRef.name).toBe(role.metadata.name)
  })

  it('makes from git the ConfigMaps that the values and Flux name', () => {
    const { configMapGenerator, generatorOptions } = parse(fileOf('plane/kustomization.yaml'))
    const made = configMapGenerator.map(({ name }: { name: string }) => name)
    const named = parse(fileOf('values-teams.yaml')).declaration.configMaps.map(({ name }: { name: string }) => name)
    const flux = parseAllDocuments(fileOf('flux.yaml')).map((one) => one.toJS())
    const release = flux.find(({ kind }) => kind === 'HelmRelease')
    const values = release.spec.valuesFrom.map(({ name }: { name: string }) => name)
    expect(new Set(made)).toEqual(new Set([...named, ...values]))
    expect(generatorOptions).toEqual({ disableNameSuffixHash: true })
  })

  it('names in its examples sources, paths and a version that are there', () => {
    const { version } = parse(readFileSync(`${chart}/Chart.yaml`, 'utf8'))
    const { sources } = parse(fileOf('argocd.yaml')).spec
    expect(sources[0]).toMatchObject({ path: 'helm/plane-group-sync', targetRevision: version })
    expect(sources[0].helm.valueFiles).toEqual([`$${sources[1].ref}/${sources[1].path}/values.yaml`])
    const flux = parseAllDocuments(fileOf('flux.yaml')).map((one) => one.toJS())
    const repositories = flux.filter(({ kind }) => kind === 'GitRepository').map(({ metadata }) => metadata.name)
    for (const { kind, spec } of flux) {
      if (kind === 'Kustomization') expect(repositories).toContain(spec.sourceRef.name)
      if (kind === 'HelmRelease') expect(repositories).toContain(spec.chart.spec.sourceRef.name)
      if (kind === 'HelmRelease') expect(spec.chart.spec.chart).toBe(sources[0].path)
    }
  })

  it('has a Job that mounts what the release makes, as the Deployment does, and only plans', async () => {
    const job = parse(fileOf('plan-job.yaml'))
    await writeFile(join(folder, 'first.yaml'), installed)
    const text = await render(
      ...['--namespace', 'plane-group-sync', '--set', 'fullnameOverride=plane-group-sync', '--values', join(folder, 'first.yaml')],
      ...['--set', 'declaration.files.acme\\.yaml=x'],
    )
    const pod = (manifests(text).find(({ kind }) => kind === 'Deployment') as Manifest & { spec: { template: { spec: Pod } } }).spec
      .template.spec
    const { containers, volumes } = job.spec.template.spec as Pod
    const readOnly = pod.containers[0].volumeMounts.map((mount) => ({ ...mount, readOnly: true }))
    expect(containers[0].volumeMounts).toEqual(readOnly)
    expect(volumes).toEqual(pod.volumes)
    expect(containers[0].env).toEqual(pod.containers[0].env)
    expect(containers[0].securityContext).toEqual(pod.containers[0].securityContext)
    expect(await understand(containers[0].args)).toMatchObject({ kind: 'command', name: 'plan' })
  })

  it('has a Job that plans by the journal of the daemon, and only reads it', async () => {
    await using sandbox = await startSandbox()
    const { args, volumeMounts } = parse(fileOf('plan-job.yaml')).spec.template.spec.containers[0] as Pod['containers'][0]
    const mount = volumeMounts.find(({ name }) => name === 'journal')
    expect(mount).toMatchObject({ readOnly: true })
    const state = join(folder, 'state')
    const config = join(folder, 'job.yaml')
    const service = { baseUrl: sandbox.url, credential: { apiKey: { env: 'PLANE_API_KEY' } } }
    const settings = { version: 1, service, workspaces: { acme: {} }, declaration: 'staff.yaml', journal: { folder: state } }
    await writeFile(config, JSON.stringify(settings))
    const run = (...words: readonly string[]) =>
      promisify(execFile)('bin/plane-group-sync', words, {
        env: { ...process.env, PLANE_API_KEY: 'sandbox-key', PLANE_GROUP_SYNC_CONFIG: config },
      })
    const declare = (group: string) =>
      writeFile(
        join(folder, 'staff.yaml'),
        `version: 1\nworkspaces: { acme: { projectRoles: [{ group: ${group}, project: ENG, role: member }] } }\n`,
      )
    const contents = async () =>
      Promise.all((await readdir(state)).toSorted().map(async (name) => [name, await readFile(join(state, name), 'utf8')]))

    await declare('staff')
    await run('run', '--once', '--no-wait')
    const before = await contents()
    await declare('others')
    expect((await run(...args)).stdout).toContain('+ ENG  others → member')
    expect(await contents()).toEqual(before)
  })

  it('approves with commands of the program', async () => {
    const text = blocks.find(({ text: one }) => one.includes('approve "$ID" --reason'))?.text ?? ''
    const commands = [...text.matchAll(/-- plane-group-sync ([^#>\n]+)/g)].map(([, line = '']) =>
      line.trim().replaceAll('"', '').split(' '),
    )
    const asked = await Promise.all(commands.map((words) => understand(words)))
    expect(asked).toMatchObject([
      { kind: 'command', name: 'status' },
      { kind: 'command', name: 'approve', values: { for: '24h', reason: 'INC-99' } },
      { kind: 'command', name: 'approve', values: { now: true, for: '1h', reason: 'INC-99' } },
    ])
  })
})

type Named = { readonly name: string }
type Pod = {
  readonly containers: readonly [
    {
      readonly args: readonly string[]
      readonly env: readonly Named[]
      readonly securityContext: unknown
      readonly volumeMounts: readonly Named[]
    },
  ]
  readonly volumes: readonly Named[]
}
