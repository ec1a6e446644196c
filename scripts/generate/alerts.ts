import { stringify } from 'yaml'
import { type AlertRow, alertTable } from '../monitoring/alertTable.ts'

const page = 'docs/operations.md'
/** The anchor of a heading, as GitHub makes it. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
const linkOf = ({ section }: AlertRow): string => `${page}#${anchorOf(section)}`

/** A file of alerts for Prometheus, made of the table of alerts. */
export function alertRules(): string {
  const rules = alertTable.map((row) => ({
    alert: row.name,
    expr: row.expression,
    for: row.lasts,
    labels: { severity: row.severity },
    annotations: { summary: row.summary, description: row.meaning, command: row.command, section: row.section },
  }))
  const head =
    '# Generated from scripts/monitoring/alertTable.ts. In Kubernetes the chart makes a PrometheusRule of it: prometheusRule.enabled. `section` is in docs/operations.md.\n'
  return head + stringify({ groups: [{ name: 'plane-group-sync', rules }] }, { lineWidth: 0 })
}

/** The table of all alerts as Markdown, for a page in docs/. */
export function alertMarkdown(): string {
  const rows = alertTable.map((row) => {
    const cells = [
      `\`${row.name}\` (${row.severity})`,
      `\`${row.expression.replaceAll('|', '\\|')}\` for ${row.lasts}`,
      row.meaning,
      `\`${row.command.replaceAll(/ -w {{.*?}}/g, '')}\``,
      `[${row.section}](${linkOf(row).replace('docs/', '')})`,
    ]
    return `| ${cells.join(' | ')} |`
  })
  return ['| alert | fires when this is true | meaning | first command | section |', '|---|---|---|---|---|', ...rows].join('\n')
}
