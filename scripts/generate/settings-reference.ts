import { type Row, rowsBelow, type Schema, valuesOf } from './schema-rows.ts'

/**
 * Every setting as Markdown: one table for the file, and one for each kind of directory.
 *
 * @param settings the JSON Schema of the settings file, with defaults as a person writes them
 */
export function settingsReference(settings: object): string {
  const schema = settings as Schema
  const kinds = valuesOf(schema.properties?.['directories'] ?? {})?.oneOf ?? []
  return [
    table([...rowsBelow('', schema), ...itemRows('notify', schema)]),
    ...kinds.map((kind) => {
      const { kind: named, ...properties } = kind.properties ?? {}
      return `## A directory of kind \`${String(named?.const)}\`\n${table(rowsBelow('', { ...kind, properties }))}`
    }),
  ].join('\n\n')
}

/** The rows of the keys of each map in a list. */
const itemRows = (list: string, { properties }: Schema): readonly Row[] => rowsBelow(`${list}[].`, properties?.[list]?.items ?? {})

/** This page is in docs/, so a path such as docs/policies.md becomes a link to policies.md. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/docs\/([a-z-]+\.md)/g, '[$1]($1)')

const table = (rows: readonly Row[]): string =>
  [
    '| setting | what it takes | default | meaning |',
    '|---|---|---|---|',
    ...rows.map(({ path, kind, otherwise, means }) => `| \`${path}\` | ${[kind, otherwise, means].map(cell).join(' | ')} |`),
  ].join('\n')
