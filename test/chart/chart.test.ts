import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { chartSchema } from '../../scripts/generate/chart-schema.ts'
import { settingsJsonSchema } from '../../src/settings/jsonSchemas.ts'
import { loadSettings } from '../../src/settings/load.ts'
import { chart, configOf, manifests, render, tool } from './helm.ts'

const folder = await mkdtemp(join(tmpdir(), 'chart-'))
afterAll(() => rm(folder, { recursive: true }))

const read = (path: string): string => readFileSync(path, 'utf8')
const valuesFile = (name: string): string[] => ['--values', `test/chart/values/${name}.yaml`]
const cases: readonly (readonly [string, readonly string[]])[] = [
  ['defaults', []],
  ['small', valuesFile('small')],
  ['everything', valuesFile('everything')],
  ['nothing-kept', valuesFile('nothing-kept')],
  ['volatile-journal', valuesFile('volatile-journal')],
]

describe.each(cases)('%s', (name, args) => {
  it('passes helm lint --strict', async () => {
    expect(await tool('helm', 'lint', '--strict', '--kube-version', '1.35.0', chart, ...args)).toContain('0 chart(s) failed')
  })

  it.each(['1.25', '1.35'])('is valid for Kubernetes %s', async (version) => {
    const file = join(folder, 'rendered.yaml')
    await writeFile(file, await render(...args))
    await tool('kubernetes-validate', '-k', version, '--strict', file)
  })

  it('runs one pod, as the Pod Security Standard "restricted" wants it', async () => {
    const deployments = manifests(await render(...args)).filter(({ kind }) => kind === 'Deployment')
    expect(deployments).toHaveLength(1)
    expect(deployments[0]).toMatchObject({
      spec: {
        replicas: 1,
        strategy: { type: 'Recreate' },
        template: {
          spec: {
            automountServiceAccountToken: false,
            securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
            containers: [
              { securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } } },
            ],
          },
        },
      },
    })
  })

  it('gives the program settings that it accepts, once there is a workspace, and no secret', async () => {
    const file = join(folder, 'config.yaml')
    const rendered = await render(...args)
    await writeFile(file, configOf(rendered))
    const loaded = await loadSettings(file, {})
    if (name === 'defaults') expect(loaded).toMatchObject({ valid: false, problems: [{ message: 'no workspace is named' }] })
    else {
      const journal = name === 'nothing-kept' ? 'none' : { folder: '/var/lib/plane-group-sync' }
      const settings = { declaration: '/etc/plane-group-sync/groups', http: { listen: '0.0.0.0:9464' }, journal }
      expect(loaded).toMatchObject({ valid: true, settings })
    }
    expect(manifests(rendered).map(({ kind }) => kind)).not.toContain('Secret')
  })
})

describe('the defaults', () => {
  it('render as reviewed', async () => {
    await expect(await render()).toMatchFileSnapshot('rendered/defaults.yaml')
  })

  it('are all in the README, with their values', () => {
    const rows = leaves(parse(read(`${chart}/values.yaml`))).map(([path, value]) => `| \`${path}\` | \`${JSON.stringify(value)}\` |`)
    const readme = read(`${chart}/README.md`)
    expect(rows.filter((row) => !readme.includes(row))).toEqual([])
  })

  it('carry the version of the program', () => {
    expect(parse(read(`${chart}/Chart.yaml`))).toMatchObject({ appVersion: JSON.parse(read('package.json')).version })
  })
})

describe('the schema of the values', () => {
  it('is generated from the schema of the settings', () => {
    expect(JSON.parse(read(`${chart}/values.schema.json`))).toEqual(chartSchema(JSON.parse(JSON.stringify(settingsJsonSchema()))))
  })

  it.each([
    ['a typo', 'persistance.enabled=false', "additional properties 'persistance' not allowed"],
    ['a typo in the settings', 'settings.polcy=sync', "additional properties 'polcy' not allowed"],
    ['a typo below', 'service.prot=80', "additional properties 'prot' not allowed"],
    ['what the chart itself sets', 'settings.journal.folder=/tmp', "additional properties 'folder' not allowed"],
    ['a second replica', 'replicas=2', "additional properties 'replicas' not allowed"],
    ['a secret among the settings', 'settings.service.credential.apiKey=plane_api_1234', 'got string, want object'],
    ['a name that is no declaration', 'declaration.files.acme=x', "invalid propertyName 'acme'"],
  ])('refuses %s', async (_what, set, sentence) => {
    await expect(render('--set', set)).rejects.toThrow(sentence)
  })
})

it('refuses two declarations', async () => {
  const both = render(...valuesFile('small'), '--set', 'declaration.existingConfigMap=other')
  await expect(both).rejects.toThrow('declaration: give files or existingConfigMap, not both')
})

it('keeps every line of an inline declaration, so that positions in messages hold', async () => {
  const declared = manifests(await render(...valuesFile('small'))).find(({ metadata }) => metadata.name.endsWith('-declaration'))
  expect(declared).toMatchObject({ data: parse(read('test/chart/values/small.yaml')).declaration.files })
})

it('starts no new pod for a new declaration', async () => {
  const checksum = async (...args: string[]) => /checksum\/settings: (\w+)/.exec(await render(...valuesFile('small'), ...args))?.[1]
  expect(await checksum('--set', 'declaration.files.acme\\.yaml=version: 1')).toBe(await checksum())
})

const leaves = (value: unknown, path = ''): [string, unknown][] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
    ? Object.entries(value).flatMap(([key, below]) => leaves(below, path === '' ? key : `${path}.${key}`))
    : [[path, value]]
