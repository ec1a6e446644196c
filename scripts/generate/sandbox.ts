import { differences } from '../../src/sandbox/dialect.ts'
import { endpoints } from '../../src/sandbox/endpoints.ts'
import { forms } from '../../src/sandbox/fault-forms.ts'

/** The tables of docs/dev/sandbox-reference.md. */

export const endpointTable = (): string =>
  table(
    '| endpoint | what it does |',
    endpoints.map(({ method, path, does }) => `| \`${method} ${path}\` | ${does} |`),
  )

export function dialectTable(): string {
  const cell = ([, says, source]: readonly [value: unknown, says: string, source: string]) => `${says} *(${source})*`
  const rows = Object.values(differences).map((row) => `| ${row.about} | ${cell(row.specification)} | ${cell(row.plane)} |`)
  return table('| question | `--dialect specification` | `--dialect plane` |', rows)
}

export const faultTable = (): string =>
  table(
    '| fault | what happens |',
    forms.map(({ example, says }) => `| \`${example}\` | ${says} |`),
  )

const table = (head: string, rows: readonly string[]): string => [head, `|${'---|'.repeat(head.split('|').length - 2)}`, ...rows].join('\n')
