import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { chartSchema } from '../../scripts/generate/chart-schema.ts'
import { settingsJsonSchema } from '../../src/settings/jsonSchemas.ts'
import { loadSettings } from '../../src/settings/load.ts'
import { chart, configOf, manifests, needed, render, tool } from './helm.ts'

const folder = await mkdtemp(join(tmpdir(), 'chart-'))
afterAll(() => rm(folder, { recursive: true }))

const read = (path: string): string => readFileSync(path, 'utf8')
const valuesFile = (name: string): string[] => ['--values', `test/chart/values/${name}.yaml`]
const cases: readonly (readonly [string, readonly string[]])[] = [
  ['needed', needed],
  ['small', valuesFile('small')],
  ['everything', valuesFile('everything')],
  ['nothing-kept', valuesFile('nothing-kept')],
  ['volatile-journal', valuesFile('volatile-journal')],
  ['teams', valuesFile('teams')],
  ['git', valuesFile('git')],
  ['monitored', valuesFile('monitored')],
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
    const container = {
      securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
    }
    expect(deployments[0]).toMatchObject({
      spec: {
        replicas: 1,
        strategy: { type: 'Recreate' },
        template: {
          spec: {
            automountServiceAccountToken: false,
            securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
            containers: name === 'git' ? [container, container] : [container],
          },
        },
      },
    })
  })

  it('gives the program settings that it accepts, and no secret', async () => {
    const file = join(folder, 'config.yaml')
    const rendered = await render(...args)
    await writeFile(file, configOf(rendered))
    const loaded = await loadSettings(file, {})
    {
      const journal = name === 'nothing-kept' ? 'none' : { folder: '/var/lib/plane-group-sync' }
      const declaration = name === 'git' ? '/git/current/groups' : '/etc/plane-group-sync/groups'
      const settings = { declaration, http: { listen: '0.0.0.0:9464' }, journal }
      expect(loaded).toMatchObject({ valid: true, settings })
    }
    expect(manifests(rendered).map(({ kind }) => kind)).not.toContain('Secret')
  })
})

describe('the defaults', () => {
  it('render as reviewed', async () => {
    await expect(await render()).toMatchFileSnapshot('rendered/needed.yaml')
  })

  it('are all in the README, with their values', () => {
    const rows = leaves({ ...parse(read(`${chart}/values.yaml`)), settings: 0 }).flatMap(([path, value]) =>
      path === 'settings' || path.startsWith('dashboard.labels.') ? [] : [`| \`${path}\` | \`${JSON.stringify(value)}\` |`],
    )
    const readme = read(`${chart}/README.md`)
    expect(rows.filter((row) => !readme.includes(row))).toEqual([])
  })

  it('carry the version of the program', () => {
    expect(parse(read(`${chart}/Chart.yaml`))).toMatchObject({ appVersion: JSON.parse(read('package.json')).version })
  })
})

describe('the schema of the values', () => {
  it('is generated from the schema of the settings', () => {
    expect(JSON.parse(read(`${chart}/values.schema.json`))).toEqual(
      chartSchema(JSON.parse(JSON.stringify(settingsJsonSchema())), read(`${chart}/values.yaml`)),
    )
  })

  it.each([
    ['a typo', 'persistance.enabled=false', "additional properties 'persistance' not allowed"],
    ['a typo in the settings', 'settings.polcy=sync', "additional properties 'polcy' not allowed"],
    ['a typo below', 'service.prot=80', "additional properties 'prot' not allowed"],
    ['what the chart itself sets', 'settings.journal.folder=/tmp', "additional properties 'folder' not allowed"],
    ['a second replica', 'replicas=2', "at '/replicas': value must be one of 0, 1"],
    ['a number of replicas that is a text', 'replicas=none', "at '/replicas': value must be one of 0, 1"],
    ['a secret among the settings', 'settings.service.credential.apiKey=plane_api_1234', 'got string, want object'],
    ['a name that is no declaration', 'declaration.files.acme=x', "invalid propertyName 'acme'"],
    [
      'a size in thousandths of a byte',
      'persistence.size=1m',
      "at '/persistence/size': value must be 'a size with a unit, of at least a megabyte, such as",
    ],
    ['a size that is too small', 'persistence.size=1Ki', "at '/persistence/size': value must be 'a size"],
    ['a size without a unit', 'persistence.size=1073741824', "at '/persistence/size': value must be 'a size with a unit"],
    ['a size of nothing', 'persistence.size=0.0Gi', "at '/persistence/size': value must be 'a size"],
    [
      'memory in thousandths of a byte',
      'resources.limits.memory=512m',
      "at '/resources/limits/memory': value must be 'a size with a unit, of at least a megabyte, such as",
    ],
    ['memory of nothing', 'resources.limits.memory=0', "at '/resources/limits/memory': value must be 'a size with a unit"],
    ['memory without a unit', 'resources.limits.memory=512', "at '/resources/limits/memory': value must be 'a size with a unit"],
    ['memory of a few kilobytes', 'resources.requests.memory=512Ki', "at '/resources/requests/memory': value must be 'a size with a unit"],
    ['cores that were meant as m', 'resources.requests.cpu=500', "at '/resources/requests/cpu': value must be 'a number of cores up to 16"],
    [
      'cores in bytes',
      'resources.limits.cpu=1Gi',
      "at '/resources/limits/cpu': value must be 'a number of cores up to 16, such as 0.5 or 500m'",
    ],
    [
      'a label of the chart itself',
      'podLabels.app\\.kubernetes\\.io/name=x',
      'it sets app.kubernetes.io/name and app.kubernetes.io/instance',
    ],
    [
      'an annotation of the chart itself',
      'podAnnotations.checksum/settings=x',
      'a name that the chart does not set itself; it sets checksum/settings',
    ],
    [
      'a variable of the chart itself',
      'extraEnv[0].name=PLANE_GROUP_SYNC_CONFIG,extraEnv[0].value=x',
      'a name that the chart does not set itself; it sets PLANE_GROUP_SYNC_CONFIG',
    ],
  ])('refuses %s', async (_what, set, sentence) => {
    await expect(render('--set', set)).rejects.toThrow(sentence)
  })

  it.each([
    ['persistence.size', ['1Gi', '1.5Gi', '500M', '0.5Ti']],
    ['resources.limits.memory', ['512Mi', '1Gi', '0.5Gi', '524288Ki']],
    ['resources.limits.cpu', ['1', '0.5', '16', '500m', '1500m']],
  ])('allows each way to write %s', async (path, sizes) => {
    for (const size of sizes) expect(await render('--set-string', `${path}=${size}`)).toContain(size)
  })

  it('lets every value be removed with null', async () => {
    const parts = Object.entries(parse(read(`${chart}/values.yaml`)) as Record<string, object>)
    const groups = parts.flatMap(([name, value]) => [
      name,
      ...(typeof value === 'object' ? Object.keys(value).map((key) => `${name}.${key}`) : []),
    ])
    for (const path of new Set([...groups, ...leaves(parse(read(`${chart}/values.yaml`))).map(([name]) => name)])) {
      if (path.startsWith('settings')) continue
      const rendered = await render('--set', `${path}=null`)
      expect(rendered, path).not.toMatch(/nil pointer|<nil>|%!/)
      expect(
        manifests(rendered).map(({ kind }) => kind),
        path,
      ).toContain('Deployment')
      expect(/ (?:sizeLimit|storage|port|replicas):\s*$/m.exec(rendered)?.[0], path).toBeUndefined()
    }
  })

  it('is one with values.yaml: each has all values', () => {
    const { properties } = JSON.parse(read(`${chart}/values.schema.json`))
    const { global: _, enabled: __, ...own } = properties
    expect(Object.keys(own).toSorted()).toEqual(Object.keys(parse(read(`${chart}/values.yaml`))).toSorted())
  })
})

describe('what has no default', () => {
  const bare = (...args: readonly string[]) => tool('helm', 'template', 'demo', chart, '--kube-version', '1.35.0', ...args)

  it('is asked for by name, all at once', async () => {
    const both = [
      'settings.service.baseUrl is missing: give the address of Plane',
      'settings.workspaces is empty: name the workspaces to manage',
    ]
    for (const args of [[], ['--set', 'settings=null'], ['--set', 'settings.service=null'], ['--set', 'settings.workspaces=null']]) {
      for (const sentence of both) await expect(bare(...args)).rejects.toThrow(sentence)
    }
    await expect(bare(...needed, '--set-json', 'settings.workspaces=null')).rejects.toThrow('settings.workspaces is empty')
  })

  it('may come from a variable of the program', async () => {
    const variables = { PLANE_BASE_URL: 'https://plane.example.com', PLANE_WORKSPACE_SLUG: 'acme' }
    const extraEnv = Object.entries(variables).map(([name, value]) => ({ name, value }))
    const rendered = await bare('--set-json', `extraEnv=${JSON.stringify(extraEnv)}`)
    const file = join(folder, 'config.yaml')
    await writeFile(file, configOf(rendered))
    expect(await loadSettings(file, variables)).toMatchObject({
      valid: true,
      settings: { service: { baseUrl: variables.PLANE_BASE_URL }, workspaces: { acme: {} } },
    })
  })

  it('does not stop helm lint', async () => {
    expect(await tool('helm', 'lint', '--strict', chart)).toContain('0 chart(s) failed')
  })
})

it('can be stopped, so that later upgrades do not start it', async () => {
  const replicas = async (...args: string[]) =>
    manifests(await render(...args)).flatMap(({ kind, spec }) => (kind === 'Deployment' ? [(spec as { replicas: unknown }).replicas] : []))
  expect(await replicas()).toEqual([1])
  expect(await replicas('--set', 'replicas=1')).toEqual([1])
  expect(await replicas('--set', 'replicas=0')).toEqual([0])
  expect(await replicas('--set', 'replicas=null')).toEqual([1])
})

it('is ready within seconds, and may be slow to listen', async () => {
  const [container] = manifests(await render()).flatMap(({ kind, spec }) =>
    kind === 'Deployment' ? (spec as { template: { spec: { containers: unknown[] } } }).template.spec.containers : [],
  )
  expect(container).toMatchObject({
    startupProbe: { httpGet: { path: '/healthz' }, periodSeconds: 1, failureThreshold: 180 },
    livenessProbe: { httpGet: { path: '/healthz' }, periodSeconds: 15 },
    readinessProbe: { httpGet: { path: '/readyz' }, periodSeconds: 5 },
  })
})

it('has no key twice, whatever labels, annotations and variables it is given', async () => {
  const rendered = await render(...valuesFile('everything'), '--set', 'podLabels.app\\.kubernetes\\.io/component=sync')
  expect(parseAllDocuments(rendered, { uniqueKeys: true }).flatMap(({ errors }) => errors)).toEqual([])
})

it('refuses two declarations', async () => {
  const both = render(...valuesFile('small'), '--set', 'declaration.existingConfigMap=other')
  await expect(both).rejects.toThrow(
    'declaration: give one of files, existingConfigMap, configMaps and path; these values give files and existingConfigMap',
  )
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
