import { dashboardTable, type PanelRow } from '../monitoring/dashboardTable.ts'
import { seriesOf, within } from '../monitoring/query.ts'

/** Columns of Grafana's screen, and rows of one panel: five rows of panels fill one screen. */
const columns = 24
const height = 5

/** The dashboard for Grafana 10 or later, made of the table of panels. `job` chooses among several installations. */
export function dashboard(): object {
  const rows = Object.entries(dashboardTable)
  return {
    uid: 'plane-group-sync',
    title: 'plane-group-sync',
    tags: ['plane-group-sync'],
    schemaVersion: 39,
    editable: true,
    refresh: '1m',
    time: { from: 'now-24h', to: 'now' },
    templating: {
      list: [
        { name: 'datasource', label: 'Prometheus', type: 'datasource', query: 'prometheus' },
        {
          name: 'job',
          type: 'query',
          datasource: prometheus,
          query: { query: `label_values(${seriesOf('buildInfo')}, job)`, refId: 'job' },
          refresh: 2,
          multi: true,
          includeAll: true,
          allValue: '.*',
          current: { text: 'All', value: '$__all' },
        },
      ],
    },
    panels: rows.flatMap(([question, panels], row) =>
      panels.map((panel, column) => ({
        id: row * 10 + column + 1,
        ...drawn(panel, column === 0 ? question : undefined),
        gridPos: { h: height, w: columns / panels.length, x: (column * columns) / panels.length, y: row * height },
      })),
    ),
  }
}

const prometheus = { type: 'prometheus', uid: '${datasource}' }

/** @param question shown before the title of the first panel of a row */
function drawn({ title, kind, unit, queries, limits, words }: PanelRow, question: string | undefined) {
  const steps = limits === undefined ? [{ color: 'green', value: null }] : stepsOf(limits)
  const mappings = words === undefined ? [] : [{ type: 'value', options: optionsOf(words) }]
  const thresholds = { mode: 'absolute', steps }
  return {
    type: kind,
    title: question === undefined ? title : `${question} ${title}`,
    datasource: prometheus,
    targets: queries.map(({ expression, legend }, index) => ({
      refId: String.fromCodePoint('A'.charCodeAt(0) + index),
      datasource: prometheus,
      expr: within(expression, 'job=~"$job"'),
      legendFormat: legend,
      instant: kind === 'stat',
      range: kind !== 'stat',
    })),
    fieldConfig: { defaults: { unit, min: 0, thresholds, mappings, color: { mode: kind === 'stat' ? 'thresholds' : 'palette-classic' } } },
    options:
      kind === 'stat'
        ? { reduceOptions: { calcs: ['lastNotNull'] }, textMode: 'value_and_name', colorMode: 'background' }
        : { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } },
  }
}

const stepsOf = ([orange, red]: readonly [number, number]) => [
  { color: 'green', value: null },
  { color: 'orange', value: orange },
  { color: 'red', value: red },
]

const optionsOf = (words: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(words).map(([value, text], index) => [value, { text, index }]))
