import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { anchorOf } from '../../scripts/generate/alerts.ts'
import { alertTable } from '../../scripts/monitoring/alertTable.ts'
import { metricPrefix } from '../../src/daemon/metricTable.ts'
import { alertCases } from './alertCases.ts'
import { chart, manifests, render, tool } from './helm.ts'

const folder = await mkdtemp(join(tmpdir(), 'chart-alerts-'))
afterAll(() => rm(folder, { recursive: true }))

const prefix = 'PlaneGroupSync'
const severityOf = (alert: string) => alertTable.find(({ name }) => name === prefix + alert)?.severity as string
const labelled = (series: string, more: string): string =>
  metricPrefix + (series.includes('{') ? series.replace('}', `,${more}}`) : `${series}{${more}}`)

/** The rules of the PrometheusRule that the chart makes. */
async function ruleOf(...args: readonly string[]): Promise<string> {
  const rule = manifests(await render('--namespace', 'plane', '--set', 'prometheusRule.enabled=true', ...args)).find(
    ({ kind }) => kind === 'PrometheusRule',
  )
  return stringify(rule?.['spec'], { lineWidth: 0 })
}

type Labels = Readonly<Record<string, string>>
const matchers = (labels: Labels): string =>
  Object.entries(labels)
    .map(([label, value]) => `${label}="${value}"`)
    .join(',')
/** A case over a day is evaluated less often: promtool would need ten seconds for it. */
const isLong = ({ resolved }: (typeof alertCases)[number]): boolean => resolved > 600

/**
 * Promtool checks at the minutes of the cases that the alerts fire, and that they do not.
 *
 * @param target labels that Prometheus adds to each series
 * @param absent labels of the alert that there are no series
 */
async function tested(rules: string, target: Labels, { absent = {}, cases = alertCases }: { absent?: Labels; cases?: typeof alertCases }) {
  const ruleFile = join(folder, 'rules.yaml')
  await writeFile(ruleFile, rules)
  await tool('promtool', 'check', 'rules', ruleFile)
  for (const [evaluated, some] of [
    ['1m', cases.filter((one) => !isLong(one))],
    ['5m', cases.filter(isLong)],
  ] as const) {
    const tests = some.map(({ alert, series, quiet, fires, resolved, labels }) => {
      const alertname = prefix + alert
      const firing = `ALERTS{alertname="${alertname}",alertstate="firing"}`
      const added = alert === 'Absent' ? absent : target
      const all = { alertname, alertstate: 'firing', severity: severityOf(alert), ...labels, ...added }
      return {
        interval: '1m',
        input_series: Object.entries(series).map(([name, values]) => ({ series: labelled(name, matchers(target)), values })),
        promql_expr_test: [
          ...[...quiet, resolved].map((minute) => ({ expr: firing, eval_time: `${minute}m`, exp_samples: [] })),
          { expr: firing, eval_time: `${fires}m`, exp_samples: [{ labels: `ALERTS{${matchers(all)}}`, value: 1 }] },
        ],
      }
    })
    const testFile = join(folder, `every-${evaluated}.yaml`)
    await writeFile(testFile, stringify({ rule_files: [ruleFile], evaluation_interval: evaluated, tests }))
    expect(await tool('promtool', 'test', 'rules', testFile)).toContain('SUCCESS')
  }
}

describe('by promtool, each alert fires and is resolved', () => {
  it('is in a case', () => {
    expect(new Set(alertCases.map(({ alert }) => prefix + alert))).toEqual(new Set(alertTable.map(({ name }) => name)))
  })

  it('in a Prometheus without the operator', async () => {
    await tested(await readFile(`${chart}/files/alerts.yaml`, 'utf8'), { job: 'groups' }, {})
  })

  it('in a PrometheusRule for the series of this release', async () => {
    const target = { namespace: 'plane', service: 'demo-plane-group-sync-metrics' }
    await tested(await ruleOf('--set', 'serviceMonitor.enabled=true'), target, { absent: target })
  })

  it('for the series that a selector names, and for no others', async () => {
    const rules = await ruleOf('--set-string', 'prometheusRule.selector=job=~"a|b$"')
    const cases = alertCases.filter((one) => !isLong(one))
    await tested(rules, { job: 'b' }, { cases })
    await expect(tested(rules, { job: 'bc' }, { cases })).rejects.toThrow('FAILED')
  })
})

it('has commands and links of this release', async () => {
  const rules = await ruleOf(
    '--set',
    'prometheusRule.runbookUrl=https://docs.example.com/operations,prometheusRule.alertLabels.team=platform',
  )
  expect(rules).toContain('command: kubectl -n plane exec deploy/demo-plane-group-sync -- plane-group-sync status\n')
  expect(rules).toContain('command: kubectl -n plane get pods\n')
  expect(rules).toContain('runbook_url: https://docs.example.com/operations#no-cycle-at-all\n')
  expect([...rules.matchAll(/team: platform/g)]).toHaveLength(alertTable.length)
  const fewer = await ruleOf('--set', 'prometheusRule.disabled={PlaneGroupSyncNoCycle,PlaneGroupSyncNoSuccess}')
  expect([...fewer.matchAll(/alert: /g)]).toHaveLength(alertTable.length - 2)
  expect(fewer).not.toContain('NoCycle')
  const every = alertTable.map(({ name }) => name).join(',')
  expect(await ruleOf('--set', `prometheusRule.disabled={${every}}`)).toContain('rules: []\n')
})

it('link sections that are there, by an absolute address or not at all', async () => {
  expect(await readFile(`${chart}/files/alerts.yaml`, 'utf8')).not.toContain('runbook_url')
  expect(await ruleOf()).not.toContain('runbook_url')
  const anchors = new Set(
    [...(await readFile('docs/operations.md', 'utf8')).matchAll(/^##+ (.+)$/gm)].map(([, title = '']) => anchorOf(title)),
  )
  const rules = await ruleOf('--set', 'prometheusRule.runbookUrl=https://docs.example.com/operations')
  const linked = [...rules.matchAll(/runbook_url: https:\/\/docs\.example\.com\/operations#(.+)$/gm)].map(([, anchor = '']) => anchor)
  expect(linked).toHaveLength(alertTable.length)
  expect(linked.filter((anchor) => !anchors.has(anchor))).toEqual([])
  for (const address of [
    'docs/operations.md',
    '/operations',
    'docs.example.com/operations',
    'https:///operations',
    'https://docs.example.com/#a',
  ])
    await expect(ruleOf('--set', `prometheusRule.runbookUrl=${address}`), address).rejects.toThrow("at '/prometheusRule/runbookUrl'")
})
