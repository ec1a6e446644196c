import { differences } from '../../src/sandbox/dialect.ts'
import type { Row, Section } from '../../test/functional/specification/row.ts'

/** The sections that one file of the table has. */
type File = { readonly file: string; readonly sections: readonly Section[] }

const folder = 'test/functional/specification/'

/**
 * The specification as a page: each line with what checks it.
 *
 * @param table what the test runs, in both dialects
 */
export function specificationPage(table: readonly File[]): string {
  const rows = table.flatMap(({ sections }) => sections.flatMap((section) => section.rows))
  const client = rows.filter(({ clientless }) => clientless === undefined).length
  const differing = rows.filter(({ differs }) => differs !== undefined).length
  return [
    '# The specification, line by line',
    "Each line of the service's API specification that can be observed has a test against the [sandbox](sandbox.md), over bare HTTP and through",
    "the program's own client, each in both dialects: `npx vitest run test/functional/specification.test.ts`; with `-t 'Limits:'` one section.",
    'A test of bare HTTP shows that the sandbox keeps the line. A test of the client shows that the program relies on no more than the line says,',
    'and works where the running service does otherwise.',
    '',
    `${rows.length} lines: ${rows.length} over bare HTTP, ${client} through the client, ${rows.length - client} where a client has no part. ` +
      `In ${differing} lines the [dialects](sandbox.md#dialects) differ. This page is generated (\`npm run generate\`).`,
    ...table.flatMap(({ file, sections }) => sections.flatMap((section) => ['', ...sectionLines(file, section)])),
    '',
  ].join('\n')
}

const sectionLines = (file: string, { section, rows }: Section): readonly string[] => [
  `## ${section}`,
  `In [${file}](../${folder}${file})`,
  '',
  '| line | bare HTTP | client | where the dialects differ |',
  '|---|---|---|---|',
  ...rows.map((row) => `| ${[quoted(row.line), 'both', row.clientless ?? 'both', differencesOf(row)].map(cell).join(' | ')} |`),
]

const differencesOf = ({ differs = [] }: Row): string => differs.map((name) => differences[name].about).join('; ')

/** A row of a table is quoted as code, so that its bars stay visible. */
const quoted = (line: string): string => (line.startsWith('|') ? `\`${line}\`` : line)

const cell = (text: string): string => text.replaceAll('|', '\\|')
