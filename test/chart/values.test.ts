import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { type Manifest, manifests, render } from './helm.ts'

const valuesOf = (name: string) => parse(readFileSync(`test/chart/values/${name}.yaml`, 'utf8'), { merge: true })
const rendered = async (name: string): Promise<Manifest[]> => manifests(await render('--values', `test/chart/values/${name}.yaml`))
const kindOf = (all: readonly Manifest[], kind: string) => all.filter((one) => one.kind === kind)

describe('the values of an operator reach the pod', async () => {
  const values = valuesOf('everything')
  const all = await rendered('everything')
  const [deployment] = kindOf(all, 'Deployment')

  it('as they are given', () => {
    const { affinity, priorityClassName, hostAliases, dnsConfig, nodeSelector, tolerations, extraEnvFrom } = values
    expect(deployment).toMatchObject({
      metadata: { annotations: values.deploymentAnnotations },
      spec: {
        template: {
          spec: { affinity, priorityClassName, hostAliases, dnsConfig, nodeSelector, tolerations, containers: [{ envFrom: extraEnvFrom }] },
        },
      },
    })
  })

  it('as probes, with the defaults of what is not given', () => {
    expect(deployment).toMatchObject({
      spec: {
        template: {
          spec: {
            containers: [
              {
                startupProbe: { httpGet: { path: '/healthz' }, periodSeconds: 2, timeoutSeconds: 5, failureThreshold: 300 },
                livenessProbe: { httpGet: { path: '/healthz' }, initialDelaySeconds: 5, periodSeconds: 15, timeoutSeconds: 10 },
                readinessProbe: { httpGet: { path: '/readyz' }, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 3 },
              },
            ],
          },
        },
      },
    })
  })

  it('as labels of each object that the chart makes; podLabels go first, and no selector has them', () => {
    const own = all.filter(({ metadata }) => metadata.name !== 'beside')
    expect(own.length).toBeGreaterThan(3)
    for (const { metadata } of own) expect(metadata).toMatchObject({ labels: values.commonLabels })
    const selector = { 'app.kubernetes.io/name': 'groups', 'app.kubernetes.io/instance': 'demo' }
    expect(deployment).toMatchObject({ spec: { template: { metadata: { labels: { ...values.commonLabels, ...values.podLabels } } } } })
    expect((deployment as unknown as { spec: { selector: unknown } }).spec.selector).toEqual({ matchLabels: selector })
  })

  it('as further objects, which are no templates', () => {
    expect(all).toContainEqual(values.extraObjects[0])
  })
})

it('containers beside the program are given whole', async () => {
  const { initContainers, extraContainers } = valuesOf('git')
  const [deployment] = kindOf(await rendered('git'), 'Deployment')
  const { spec } = (deployment as unknown as { spec: { template: { spec: Record<string, unknown[]> } } }).spec.template
  expect(spec['initContainers']).toEqual(initContainers)
  expect(spec['containers']?.slice(1)).toEqual(extraContainers)
  expect(spec['volumes']).not.toContainEqual(expect.objectContaining({ name: 'declaration' }))
})

describe('what watches the program', async () => {
  const all = await rendered('monitored')

  it('is off by default', async () => {
    const kinds = manifests(await render()).map(({ kind }) => kind)
    expect(kinds.toSorted()).toEqual(['ConfigMap', 'ConfigMap', 'Deployment', 'PersistentVolumeClaim', 'Service', 'ServiceAccount'])
  })

  it('is a ServiceMonitor that finds the Service', () => {
    const [monitor] = kindOf(all, 'ServiceMonitor')
    const [service] = kindOf(all, 'Service')
    const { matchLabels } = (monitor as unknown as { spec: { selector: { matchLabels: Record<string, string> } } }).spec.selector
    expect(service).toMatchObject({ metadata: { labels: matchLabels } })
    expect(monitor).toMatchObject({
      metadata: { labels: { release: 'monitoring', team: 'monitoring' } },
      spec: { endpoints: [{ port: 'metrics', interval: '30s', scrapeTimeout: '10s' }] },
    })
    expect(service).toMatchObject({ spec: { ports: [{ name: 'metrics' }] } })
  })

  it('needs the Service', async () => {
    const without = render('--set', 'serviceMonitor.enabled=true,service.enabled=false')
    await expect(without).rejects.toThrow('serviceMonitor reads the Service: set service.enabled to true')
  })

  it("is Grafana's dashboard, as it is in the chart", () => {
    const dashboard = all.find(({ metadata }) => metadata.name.endsWith('-dashboard'))
    expect(dashboard?.metadata).toMatchObject({ labels: { grafana_dashboard: '1' }, annotations: { grafana_folder: 'Plane' } })
    const [text = ''] = Object.values(dashboard?.['data'] as Record<string, string>)
    expect(JSON.parse(text)).toEqual(JSON.parse(readFileSync('helm/plane-group-sync/files/dashboard.json', 'utf8')))
  })
})

describe('the NetworkPolicy', () => {
  const policyOf = async (...args: string[]) => kindOf(manifests(await render(...args)), 'NetworkPolicy')[0]?.['spec']
  const egress = 'networkPolicy.egress[0].to[0].ipBlock.cidr=192.0.2.10/32'

  it('lets in who reads metrics, and lets out to DNS and to what is named', async () => {
    const { networkPolicy } = valuesOf('monitored')
    expect(await policyOf('--values', 'test/chart/values/monitored.yaml')).toEqual({
      podSelector: { matchLabels: { 'app.kubernetes.io/name': 'plane-group-sync', 'app.kubernetes.io/instance': 'demo' } },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ from: networkPolicy.metricsFrom, ports: [{ port: 'metrics' }] }],
      egress: [
        {
          ports: [
            { port: 53, protocol: 'UDP' },
            { port: 53, protocol: 'TCP' },
          ],
          to: networkPolicy.dnsTo,
        },
        ...networkPolicy.egress,
      ],
    })
  })

  it('lets nobody in if nobody is named', async () => {
    expect(await policyOf('--set', `networkPolicy.enabled=true,${egress}`)).toMatchObject({ ingress: [], egress: [{}, {}] })
  })

  it('must let the program out', async () => {
    await expect(policyOf('--set', 'networkPolicy.enabled=true')).rejects.toThrow('the program could reach neither Plane nor a directory')
  })
})
