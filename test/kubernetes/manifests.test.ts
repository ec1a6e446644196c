import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Manifest, manifests, render } from '../chart/helm.ts'
import { addMonitoringKinds } from './monitoringKinds.ts'
import { done, type Ran, ran } from './programs.ts'
import { valuesFiles } from './values.ts'

const namespace = 'manifests'

beforeAll(async () => {
  await addMonitoringKinds()
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted', 'pod-security.kubernetes.io/warn': 'restricted' }
  await done(
    'kubectl',
    ['apply', '-f', '-'],
    JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels } }),
  )
})
afterAll(async () => void (await done('kubectl', ['delete', 'namespace', namespace, '--wait=false'])))

const objectsOf = async (args: readonly string[]) =>
  manifests(await render('--namespace', namespace, '--api-versions', 'monitoring.coreos.com/v1', ...args))

/** The API server does everything of a server-side apply but keep the objects. An unknown field is an error. */
const applied = (objects: readonly Manifest[]): Promise<Ran> =>
  ran(
    'kubectl',
    ['-n', namespace, 'apply', '--server-side', '--validate=strict', '--dry-run=server', '-f', '-'],
    objects.map((one) => JSON.stringify(one)).join('\n---\n'),
  )

describe('the API server takes, without a warning, what the chart makes of', () => {
  it.each(valuesFiles)('%s', async (_name, args) => {
    const objects = await objectsOf(args)
    const { code, stdout, stderr } = await applied(objects)
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(stdout.trim().split('\n')).toHaveLength(objects.length)
  })
})

describe('it refuses', () => {
  const changed = (objects: readonly Manifest[], kind: string, more: object): readonly Manifest[] =>
    objects.filter((one) => one.kind === kind).map((one) => ({ ...one, spec: { ...(one['spec'] as object), ...more } }))

  it.each([
    ['Deployment', { replica: 1 }, '.spec.replica: field not declared in schema'],
    ['ServiceMonitor', { endpoint: [] }, '.spec.endpoint: field not declared in schema'],
    ['ServiceMonitor', { endpoints: [{ port: 'metrics', interval: 'often' }] }, 'spec.endpoints[0].interval'],
    ['PrometheusRule', { groups: [{ name: 'one', rules: [{ alert: 'One', expr: '1', for: 'long' }] }] }, 'spec.groups[0].rules[0].for'],
  ])('a mistake in a %s: %j', async (kind, more, said) => {
    const { code, stderr } = await applied(changed(await objectsOf(['--values', 'test/chart/values/monitored.yaml']), kind, more))
    expect(stderr).toContain(said)
    expect(code).toBe(1)
  })
})
