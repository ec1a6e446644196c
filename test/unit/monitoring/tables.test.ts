import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { alertRules } from '../../../scripts/generate/alerts.ts'
import { dashboard } from '../../../scripts/generate/dashboard.ts'
import { alertTable } from '../../../scripts/monitoring/alertTable.ts'
import { seriesOf, within } from '../../../scripts/monitoring/query.ts'
import { type MetricRow, metricPrefix, metricTable } from '../../../src/daemon/metricTable.ts'

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
const parts = ['', '_bucket', '_sum', '_count'] as const
const rows = Object.values<MetricRow>(metricTable)
const names = new Map(
  rows.flatMap((row) => (row.type === 'histogram' ? parts.slice(1) : ['']).map((part) => [metricPrefix + row.name + part, row] as const)),
)
type Rule = { readonly alert: string; readonly expr: string; readonly for: string; readonly annotations: Readonly<Record<string, string>> }
const rules = (parse(alertRules()) as { readonly groups: readonly { readonly rules: readonly Rule[] }[] }).groups.flatMap(
  (one) => one.rules,
)
type Panel = { readonly title: string; readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[] }
const { panels } = dashboard() as { readonly panels: readonly Panel[] }

/** Labels that Prometheus adds to each series, and the one of histograms. */
const added = new Set(['job', 'instance', 'pod', 'container', 'le'])

/** The mistakes of a query by the metric table, found in its text. */
function mistakesOf(query: string): readonly string[] {
  const series = [...query.matchAll(/(plane_group_sync_\w+)(?:\{([^}]*)\})?/g)]
  const used = series.flatMap(([, name = '', matchers = '']) => {
    const row = names.get(name)
    if (row === undefined) return [`${name} is no metric`]
    return [...matchers.matchAll(/(\w+)(=~?)"([^"]*)"/g)].flatMap(([, label = '', , value = '']) => {
      if (added.has(label)) return []
      const known = row.labels[label]
      if (known === undefined) return [`${name} has no label ${label}`]
      return value.split('|').filter((one) => Array.isArray(known) && !known.includes(one))
    })
  })
  const labels = new Set(series.flatMap(([, name = '']) => Object.keys(names.get(name)?.labels ?? {})))
  const grouped = [...query.matchAll(/\b(?:by|without) \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(', '))
  return [...used, ...grouped.filter((label) => !added.has(label) && !labels.has(label)).map((label) => `no label ${label}`)]
}

test('a query with a mistake is found', () => {
  expect(mistakesOf('plane_group_sync_undeclared > 0')).toEqual(['plane_group_sync_undeclared is no metric'])
  expect(mistakesOf('plane_group_sync_cycle_duration_seconds')).toHaveLength(1)
  expect(mistakesOf('plane_group_sync_suspended{what="none"}')).toEqual(['none'])
  expect(mistakesOf('sum by (workspaces) (plane_group_sync_suspended{for="all"})')).toHaveLength(2)
})

test('a query cannot name a value that a label never has', () => {
  expect(seriesOf('held', { reason: '=~flapping|anotherWriter' })).toBe('plane_group_sync_held{reason=~"flapping|anotherWriter"}')
  expect(() => seriesOf('held', { reason: 'flaping' })).toThrow('held: the label reason has no value flaping')
  expect(() => seriesOf('held', { reason: '=~flapping|x' })).toThrow('held: the label reason has no value x')
  expect(() => seriesOf('cycleDuration')).toThrow('part of a histogram')
})

test('a query is limited to some series', () => {
  expect(within(`${seriesOf('suspended', { what: 'all' })} or ${seriesOf('observing')} > 0`, 'job="x"')).toBe(
    'plane_group_sync_suspended{job="x",what="all"} or plane_group_sync_observing{job="x"} > 0',
  )
})

describe.each(rules.map((rule) => [rule.alert, rule] as const))('the alert %s', (name, { expr, for: lasts, annotations }) => {
  test('names metrics, labels and values that exist, and waits before it fires', () => {
    expect(mistakesOf(expr)).toEqual([])
    expect(name).toMatch(/^PlaneGroupSync[A-Z]\w+$/)
    expect(lasts).toMatch(/^\d+[mhd]$/)
  })

  test('names in its texts only labels that its series have', () => {
    const labels = [...expr.matchAll(/plane_group_sync_\w+/g)].flatMap(([metric]) => Object.keys(names.get(metric)?.labels ?? {}))
    const dropped = new Set([...expr.matchAll(/without \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(', ')))
    const left = labels.filter((label) => !dropped.has(label))
    for (const [, label] of Object.values(annotations)
      .join(' ')
      .matchAll(/\$labels\.(\w+)/g))
      expect(left).toContain(label)
  })

  test('says what is wrong, what it means, what to do first, and where to read on', () => {
    expect(Object.keys(annotations)).toEqual(['summary', 'description', 'command', 'section'])
    const row = alertTable.find((one) => one.name === name)
    expect(read('docs/operations.md')).toMatch(new RegExp(`^##+ ${row?.section}$`, 'm'))
    expect(annotations['command']).toMatch(/^(plane-group-sync (status|plan|validate|groups)|kubectl -n plane-group-sync get pods)\b/)
  })
})

test('no two alerts share a name, and no other page names an alert that is not there', () => {
  const all = new Set(rules.map(({ alert }) => alert))
  expect(all.size).toBe(rules.length)
  for (const path of ['docs/kubernetes.md', 'docs/metrics.md', 'docs/operations.md', 'helm/plane-group-sync/values.yaml'])
    for (const [name] of read(path).matchAll(/PlaneGroupSync\w+/g)) expect(all, path).toContain(name)
})

test.each(panels.map((panel) => [panel.title, panel] as const))('the panel "%s" asks for metrics that exist', (_title, { targets }) => {
  for (const { expr, legendFormat } of targets) {
    expect(mistakesOf(expr)).toEqual([])
    expect(expr.split('job=~"$job"')).toHaveLength([...expr.matchAll(/plane_group_sync_/g)].length + 1)
    const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label as string)
    const labels = [...expr.matchAll(/plane_group_sync_[a-z_]+/g)].flatMap(([metric]) => Object.keys(names.get(metric)?.labels ?? {}))
    for (const label of shown) expect(labels).toContain(label)
    // A label that is not in "by" is gone.
    const kept = /\bby \(([^)]*)\)/.exec(expr)?.[1]?.split(', ')
    if (kept !== undefined) for (const label of shown) expect(kept).toContain(label)
  }
})

test('the dashboard fills one screen: five rows, each as wide as the screen, and no panel over another', () => {
  const boxes = (panels as readonly (Panel & { readonly gridPos: Readonly<Record<'x' | 'y' | 'w' | 'h', number>> })[]).map(
    (one) => one.gridPos,
  )
  const cells = boxes.flatMap(({ x, y, w, h }) => Array.from({ length: w * h }, (_, at) => `${x + (at % w)} ${y + Math.floor(at / w)}`))
  expect(new Set(cells).size).toBe(cells.length)
  expect(cells).toHaveLength(24 * 25)
})

test('docs/metrics.md names metrics that exist', () => {
  for (const [name] of read('docs/metrics.md').matchAll(/plane_group_sync_\w+/g))
    expect([...names.keys(), ...rows.map((row) => metricPrefix + row.name)]).toContain(name)
})

describe('the metrics that docs/scale.md keeps for alerts', () => {
  const page = read('docs/scale.md')
  const [, block = ''] = /```yaml\n(metric_relabel_configs:[^`]*)```/.exec(page) ?? []
  const [rule] = (parse(block) as { readonly metric_relabel_configs: readonly { readonly regex: string; readonly action: string }[] })
    .metric_relabel_configs
  const isDropped = (name: string) => new RegExp(`^(?:${rule?.regex})$`).test(name)
  /** How many series there are for one value of a label, if each other label has all its values. */
  const seriesOfOne = (label: string, of: readonly MetricRow[]) =>
    of
      .filter(({ labels }) => label in labels)
      .map(({ labels }) => Object.values(labels).reduce((product, values) => product * (Array.isArray(values) ? values.length : 1), 1))
      .reduce((sum, n) => sum + n, 0)

  test('are all that the alerts name', () => {
    const named = rules.flatMap(({ expr }) => expr.match(/plane_group_sync_\w+/g) ?? [])
    expect(named.length).toBeGreaterThan(rules.length - 1)
    expect(named.filter(isDropped)).toEqual([])
  })

  test('are counted as the page says', () => {
    const left = rows.filter(({ name }) => !isDropped(metricPrefix + name))
    const said = (sentence: RegExp) => sentence.exec(page)?.slice(1).map(Number)
    const counted = (of: readonly MetricRow[]) => ['workspace', 'credential'].map((label) => seriesOfOne(label, of))
    expect(said(/A workspace has (\d+) series and a key (\d+):/)).toEqual(counted(rows))
    expect(said(/With this rule, (\d+) series for each workspace and (\d+) for each key remain/)).toEqual(counted(left))
  })
})
