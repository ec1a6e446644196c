import { type MetricRow, metricPrefix, metricTable, type Values } from '../../src/daemon/metricTable.ts'

/** The table of all metrics as Markdown, its rows in the order of `metricTable`. */
export function metricMarkdown(): string {
  const rows = Object.values<MetricRow>(metricTable).map(
    ({ name, type, labels, help }) => `| \`${metricPrefix}${name}\` | ${type} | ${labelsText(labels)} | ${help.replaceAll('|', '\\|')} |`,
  )
  return ['| metric | type | labels | meaning |', '|---|---|---|---|', ...rows].join('\n')
}

const labelsText = (labels: MetricRow['labels']): string =>
  Object.entries(labels)
    .map(([label, values]) => `\`${label}\`${valuesText(values)}`)
    .join(', ')

function valuesText(values: Values): string {
  if (typeof values === 'string') return ''
  return 'example' in values ? ` (${values.example} …)` : ` (${values.join(', ')})`
}
