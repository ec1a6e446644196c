import { differences } from '../../src/sandbox/dialect.ts'
import type { Row, Section } from '../../test/functional/specification/row.ts'

/** The sections in one file of the table. */
type File = { readonly file: string; readonly sections: readonly Section[] }

const folder = 'test/functional/specification/'

/**
 * The specification as a page: each line with its checks.
 *
 * @param table the rows that the test runs, in both dialects
 */
export function specificationPage(table: readonly File[]): string {
  const rows = table.flatMap(({ sections }) => sections.flatMap((section) => section.rows))
  const client = rows.filter(({ clientless }) => clientless === undefined).length
  const differing = rows.filter(({ differs }) => differs !== undefined).length
  return [
    '# The specification, line by line',
    "Each line of the service's API specification that can be observed has a test against the [sandbox](../sandbox.md): over bare HTTP, and through",
    "the program's own client, in both dialects. `npx vitest run test/functional/specification.long.test.ts` runs all tests; `-t 'Limits:'` runs one",
    'section. A bare HTTP test shows that the sandbox does what the line says. A client test shows that the program relies only on what the line',
    'says. It also shows that the program works with the running service if that service differs.',
    '',
    `${rows.length} lines: ${rows.length} tested over bare HTTP, ${client} through the client, ${rows.length - client} without a client test. ` +
      `In ${differing} lines the [dialects](sandbox-reference.md#dialects) differ. This page is generated (\`npm run generate\`).`,
    ...table.flatMap(({ file, sections }) => sections.flatMap((section) => ['', ...sectionLines(file, section)])),
    '',
  ].join('\n')
}

const sectionLines = (file: string, { section, rows }: Section): readonly string[] => [
  `## ${section}`,
  `In [${file}](../../${folder}${file})`,
  '',
  '| line | bare HTTP | client | difference between the dialects |',
  '|---|---|---|---|',
  ...rows.map((row) => `| ${[quoted(row.line), 'both', row.clientless ?? 'both', differencesOf(row)].map(cell).join(' | ')} |`),
]

const differencesOf = ({ differs = [] }: Row): string => differs.map((name) => differences[name].about).join('; ')

/** Quotes a table row of the specification as code, so that its bars stay visible. */
const quoted = (line: string): string => (line.startsWith('|') ? `\`${line}\`` : line)

const cell = (text: string): string => text.replaceAll('|', '\\|')
