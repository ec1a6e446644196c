import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { blocksOf } from '../chart/blocks.ts'
import { type Manifest, manifests, render } from '../chart/helm.ts'
import { declared, names } from './declared.ts'
import { done, ran } from './programs.ts'

/** The namespace that docs/kubernetes.md names. */
const namespace = 'plane-group-sync'
const folder = join(inject('nodeFolder'), 'plane')

beforeAll(async () => void (await done('kubectl', ['create', 'namespace', namespace])))
afterAll(async () => void (await done('kubectl', ['delete', 'namespace', namespace, '--wait=false'])))

/** The block of docs/kubernetes.md that begins with the name of this file. */
function fileOf(name: string): string {
  const found = blocksOf('docs/kubernetes.md').find(({ text }) => text.startsWith(`# ${name}\n`))
  if (found === undefined) throw new Error(`docs/kubernetes.md has no ${name}`)
  return found.text
}

async function write(file: string, text: string): Promise<void> {
  const path = join(folder, file)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}

const apply = () => done('kubectl', ['apply', '--server-side', '--validate=strict', '-k', folder])

async function configMaps(): Promise<ReadonlyMap<string, Readonly<Record<string, string>>>> {
  const { items } = JSON.parse(await done('kubectl', ['-n', namespace, 'get', 'configmaps', '-o', 'json'])) as {
    readonly items: readonly { readonly metadata: { readonly name: string }; readonly data: Readonly<Record<string, string>> }[]
  }
  return new Map(items.filter(({ metadata }) => metadata.name !== 'kube-root-ca.crt').map(({ metadata, data }) => [metadata.name, data]))
}

it('the folder in git becomes the ConfigMaps that the pod mounts, and an edit keeps their names', async () => {
  const [first, teams] = [parse(fileOf('values.yaml')), parse(fileOf('values-teams.yaml'))]
  await write('kustomization.yaml', fileOf('plane/kustomization.yaml'))
  await write('values.yaml', stringify({ ...first, ...teams, settings: { ...first.settings, ...teams.settings } }))
  await write('platform/acme.yaml', declared(['staff']))
  await write('payments/acme.yaml', declared(['payments-dev']))
  await apply()

  const made = await configMaps()
  expect([...made.keys()].toSorted()).toEqual(['groups-payments', 'groups-platform', 'plane-group-sync-values'])
  await write('from-git.yaml', made.get('plane-group-sync-values')?.['values.yaml'] ?? '')
  const all = manifests(await render('--namespace', namespace, '--values', join(folder, 'from-git.yaml')))
  const pod = all.find(({ kind }) => kind === 'Deployment') as Manifest & { spec: { template: { spec: { volumes: readonly Volume[] } } } }
  const mounted = pod.spec.template.spec.volumes.flatMap(({ configMap }) => (configMap === undefined ? [] : [configMap.name]))
  expect(mounted.filter((name) => made.has(name)).toSorted()).toEqual(['groups-payments', 'groups-platform'])

  await write('payments/acme.yaml', declared(['payments-dev', 'payments-ops']))
  await apply()
  const edited = await configMaps()
  expect([...edited.keys()].toSorted()).toEqual([...made.keys()].toSorted())
  expect(edited.get('groups-payments')?.['acme.yaml']).toContain('payments-ops')
})

it('a ConfigMap with 10,000 mappings needs a server-side apply', async () => {
  const large = declared(names('department', 10_000))
  expect(large.length / 1_000).toBeGreaterThan(560)
  expect(large.length / 1_000).toBeLessThan(640)
  const object = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'large' }, data: { 'acme.yaml': large } })
  const by = (...how: readonly string[]) => ran('kubectl', ['-n', namespace, 'apply', ...how, '-f', '-'], object)
  expect(await by()).toMatchObject({ code: 1, stderr: expect.stringContaining('may not be more than 262144 bytes') as string })
  expect(await by('--server-side')).toMatchObject({ code: 0, stderr: '' })
})

it('a team changes its own ConfigMap by its Role, and no other object', async () => {
  await done('kubectl', ['apply', '--server-side', '-f', '-'], fileOf('role-payments.yaml'))
  const changes = (name: string) => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { 'acme.yaml': declared(['payments-new']) } }
    const as = ['--as=ann', '--as-group=team-payments', '--force-conflicts']
    return ran('kubectl', ['-n', namespace, 'apply', '--server-side', ...as, '-f', '-'], JSON.stringify(object))
  }
  expect(await changes('groups-payments')).toMatchObject({ code: 0 })
  for (const name of ['groups-platform', 'groups-other']) {
    expect(await changes(name), name).toMatchObject({ code: 1, stderr: expect.stringContaining(`"${name}" is forbidden`) as string })
  }
})

type Volume = { readonly configMap?: { readonly name: string } }
