import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { metricPrefix } from '../../src/daemon/metricTable.ts'
import { declared, names } from './declared.ts'
import { addMonitoringKinds } from './monitoringKinds.ts'
import { readyPod } from './pods.ts'
import { type Prometheus, startPrometheus } from './prometheus.ts'
import { openWorld, type World } from './release.ts'
import { until } from './until.ts'

type Rule = { readonly alert: string; readonly expr: string; readonly for: string; readonly annotations: Readonly<Record<string, string>> }
type Rules = { readonly groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[] }
type Dashboard = { readonly panels: readonly { readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[] }[] }

const members = names('team', 20)
const labels = { namespace: '', service: 'plane-group-sync-metrics', pod: 'one', container: 'plane-group-sync' }
const fence = {
  owner: 'team-pay',
  workspace: 'acme',
  may: ['removed'],
  projectRoles: { projects: ['ENG'], groups: ['team-*'], roles: ['member'] },
}
const directory = `groups: ${JSON.stringify(members.map((name) => ({ name })))}\n`

let world: World
let prometheus: Prometheus
let rules: readonly Rule[]
let queries: readonly { readonly expr: string; readonly legendFormat: string }[]

beforeAll(async () => {
  await addMonitoringKinds()
  world = await openWorld('prometheus')
  const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'directory' }, data: { 'groups.yaml': directory } }
  await world.kubectl(['apply', '-f', '-'], JSON.stringify(configMap))
  await world.declare({ 'acme.yaml': declared(members) })
  await world.install({
    settings: { directories: { corp: { kind: 'file', path: '/directory/groups.yaml' } }, fences: { 'acme.yaml': fence } },
    extraVolumes: [{ name: 'directory', configMap: { name: 'directory' } }],
    extraVolumeMounts: [{ name: 'directory', mountPath: '/directory', readOnly: true }],
    serviceMonitor: { enabled: true },
    prometheusRule: { enabled: true },
    dashboard: { enabled: true },
  })
  const pod = await until('a ready pod', () => readyPod(world))
  await until('the mappings', async () => ((await world.plane.mappings()).length === members.length ? true : undefined))

  const { spec } = JSON.parse(await world.kubectl(['get', 'prometheusrule', 'plane-group-sync', '-o', 'json'])) as { spec: Rules }
  rules = spec.groups.flatMap((group) => group.rules)
  const { data } = JSON.parse(await world.kubectl(['get', 'configmap', 'plane-group-sync-dashboard', '-o', 'json'])) as {
    data: Readonly<Record<string, string>>
  }
  const { panels } = JSON.parse(Object.values(data)[0] ?? '') as Dashboard
  queries = panels.flatMap(({ targets = [] }) => targets).map((one) => ({ ...one, expr: one.expr.replaceAll('$job', '.*') }))

  // The alerts of the chart, without the time for which their reason must last.
  const soon = { groups: spec.groups.map((group) => ({ ...group, rules: group.rules.map((rule) => ({ ...rule, for: '0s' })) })) }
  prometheus = await startPrometheus(world.namespace, pod.name, { ...labels, namespace: world.namespace }, soon)
})
afterAll(async () => {
  await prometheus?.[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})

/** Each metric of a query with the labels that its matchers, its grouping, and the words beside it name. */
function* namedIn(query: string, words: string, label: RegExp): Generator<string> {
  const grouped = [...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/, */))
  const shown = [...words.matchAll(label)].map(([, name = '']) => name)
  for (const [, name = '', matchers = ''] of query.matchAll(new RegExp(`(${metricPrefix}\\w+)(?:\\{([^}]*)\\})?`, 'g'))) {
    const matched = [...matchers.matchAll(/(\w+)(?==~?")/g)].map(([one]) => one)
    yield `${name}{${[...new Set([...matched, ...grouped, ...shown])].map((one) => `${one}!=""`).join(',')}}`
  }
}
const missing = async (series: Iterable<string>): Promise<readonly string[]> => {
  const found = await Promise.all([...new Set(series)].map(async (one) => ((await prometheus.query(one)).length > 0 ? [] : [one])))
  return found.flat()
}

/** Waits until only these are missing: a busy machine may miss a scrape, and then no series has a value until the next one. */
async function missesOnly(series: Iterable<string>, some: readonly string[]): Promise<void> {
  const all = [...series]
  const now = () => missing(all)
  await until('the series', async () => ((await now()).join() === some.join() ? true : undefined), { withinMs: 30_000, state: now })
}

const namedByAlerts = () => rules.flatMap(({ expr, annotations }) => [...namedIn(expr, JSON.stringify(annotations), /\$labels\.(\w+)/g)])

describe('the pod serves', () => {
  it('each metric and label that the alerts name', async () => {
    expect(namedByAlerts().length).toBeGreaterThan(rules.length)
    // It has a series for each owner whose files are invalid. The test of this alert looks for it.
    await missesOnly(namedByAlerts(), ['plane_group_sync_declaration_files_invalid{namespace!="",service!="",owner!=""}'])
  })

  it('each metric and label that the dashboard names', async () => {
    const named = queries.flatMap(({ expr, legendFormat }) => [...namedIn(expr, legendFormat, /\{\{(\w+)\}\}/g)])
    expect(named.length).toBeGreaterThan(queries.length)
    await missesOnly(named, [])
  })

  it('data for each query of the dashboard', async () => {
    await missesOnly(
      queries.map(({ expr }) => expr),
      [],
    )
  })
})

const firing = async (alert: string) =>
  (await prometheus.alerts()).filter(({ labels: { alertname }, state }) => alertname === `PlaneGroupSync${alert}` && state === 'firing')
const fires = (alert: string) =>
  until(
    `${alert} fires`,
    async () => {
      const [one] = await firing(alert)
      return one
    },
    { state: () => prometheus.alerts() },
  )

describe('an alert fires in Prometheus', () => {
  it('not while all is right', async () => {
    // The daemon is absent until it is scraped for the first time.
    const none = async () => ((await prometheus.alerts()).length === 0 ? true : undefined)
    expect(await until('no alert', none, { withinMs: 60_000, state: () => prometheus.alerts() })).toBe(true)
  })

  it('while a file of a team is invalid, and no longer', async () => {
    await world.declare({ 'acme.yaml': `${declared(members)}\n  labs: [` })
    expect(await fires('FilesInvalid')).toMatchObject({
      labels: { owner: 'team-pay', severity: 'warning', namespace: world.namespace },
      annotations: {
        summary: 'Files of team-pay are invalid',
        command: `kubectl -n ${world.namespace} exec deploy/plane-group-sync -- plane-group-sync validate`,
      },
    })
    await missesOnly(namedByAlerts(), [])
    await world.declare({ 'acme.yaml': declared(members) })
    await until('the alert ends', async () => ((await firing('FilesInvalid')).length === 0 ? true : undefined))
  })

  it('when changes wait, since they exceed a limit', async () => {
    const removed = members.slice(0, 8).map((group) => `      - { group: ${group}, project: ENG }`)
    await world.declare({ 'acme.yaml': declared(members.slice(8), ['    removed:', ...removed].join('\n')) })
    expect(await fires('LimitExceeded')).toMatchObject({ labels: { workspace: 'acme', limit: 'deletes', severity: 'warning' } })
  })
})
