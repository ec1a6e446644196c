import { type MetricRow, metricPrefix, metricTable, type Values } from './metricTable.ts'

const begin = '<!-- metrics: generated from src/daemon/metricTable.ts -->'
const end = '<!-- /metrics -->'

/** The table of all metrics as Markdown, its rows in the order of `metricTable`. */
export function metricMarkdown(): string {
  const rows = Object.values<MetricRow>(metricTable).map(
    ({ name, type, labels, help }) => `| \`${metricPrefix}${name}\` | ${type} | ${labelsText(labels)} | ${help.replaceAll('|', '\\|')} |`,
  )
  return ['| metric | type | labels | meaning |', '|---|---|---|---|', ...rows].join('\n')
}

/** `docs/metrics.md` with the table between its markers renewed; idempotent. */
export function withMetricTable(markdown: string): string {
  const [from, to] = [markdown.indexOf(begin), markdown.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`the markers ${begin} and ${end} are missing`)
  return `${markdown.slice(0, from + begin.length)}\n${metricMarkdown()}\n${markdown.slice(to)}`
}

const labelsText = (labels: MetricRow['labels']): string =>
  Object.entries(labels)
    .map(([label, values]) => `\`${label}\`${valuesText(values)}`)
    .join(', ')

function valuesText(values: Values): string {
  if (typeof values === 'string') return ''
  return 'example' in values ? ` (${values.example} …)` : ` (${values.join(', ')})`
}
