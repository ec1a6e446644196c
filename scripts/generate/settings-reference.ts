/** The part of JSON Schema that the settings use. */
type Schema = {
  readonly type?: string
  readonly format?: string
  readonly pattern?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
}
type Row = { readonly path: string; readonly kind: string; readonly otherwise: string; readonly means: string }

/**
 * Every setting as Markdown: one table for the file, and one for each kind of directory.
 *
 * @param settings the JSON Schema of the settings file, with defaults as a person writes them
 */
export function settingsReference(settings: object): string {
  const schema = settings as Schema
  const kinds = valuesOf(schema.properties?.['directories'] ?? {})?.oneOf ?? []
  return [
    table(rowsBelow('', schema)),
    ...kinds.map((kind) => {
      const { kind: named, ...properties } = kind.properties ?? {}
      return `## A directory of kind \`${String(named?.const)}\`\n${table(rowsBelow('', { ...kind, properties }))}`
    }),
  ].join('\n\n')
}

/** One row for a value. For a map: one row for itself if it has a description, then the rows of its entries. */
function rowsOf(path: string, schema: Schema, required: boolean): readonly Row[] {
  const { default: value, description = '' } = schema
  const below = rowsBelow(`${path}.`, schema)
  const own = {
    path,
    kind: kindOf(schema),
    otherwise: below.length > 0 && isEmpty(value) ? '' : defaultText(value, required),
    means: description,
  }
  return below.length > 0 && own.kind === 'map' && own.means === '' ? below : [own, ...below]
}

function rowsBelow(before: string, schema: Schema): readonly Row[] {
  if (isSecret(schema)) return []
  const maps = (schema.anyOf ?? [schema]).filter(({ properties }) => properties !== undefined)
  const values = valuesOf(schema)
  return [
    ...maps.flatMap(({ properties = {}, required = [] }) =>
      // If a setting accepts one of several maps, none of their keys is required in every case.
      Object.entries(properties).flatMap(([name, one]) => rowsOf(`${before}${name}`, one, maps.length === 1 && required.includes(name))),
    ),
    ...(values === undefined ? [] : rowsBelow(`${before}<name>.`, values)),
  ]
}

const valuesOf = ({ additionalProperties }: Schema): Schema | undefined =>
  typeof additionalProperties === 'object' ? additionalProperties : undefined

const isSecret = ({ anyOf }: Schema): boolean => anyOf?.map(({ properties }) => Object.keys(properties ?? {}).join()).join() === 'file,env'

function kindOf(schema: Schema): string {
  const { anyOf, items, type = '', pattern = '', format, enum: values } = schema
  if (isSecret(schema)) return 'secret'
  if (anyOf !== undefined) return [...new Set(anyOf.map(kindOf))].join(' or ')
  if (schema.const !== undefined) return code(schema.const)
  if (values !== undefined) return values.map(code).join(', ')
  if (items !== undefined) return `list of ${kindOf(items)}s`
  if (pattern.endsWith('(ms|s|m|h|d)$')) return 'duration'
  if (pattern.endsWith('%$')) return 'share'
  if (format === 'uri') return 'address'
  return { object: 'map', string: 'text', integer: 'number', boolean: '`true`, `false`' }[type] ?? type
}

const isEmpty = (value: unknown): boolean => typeof value === 'object' && value !== null && Object.keys(value).length === 0

function defaultText(value: unknown, required: boolean): string {
  if (value === undefined) return required ? '**required**' : ''
  if (isEmpty(value)) return 'none'
  return Array.isArray(value) ? value.map(code).join(', ') : code(value)
}

const code = (value: unknown): string => `\`${String(value)}\``
/** This page is in docs/, so a path such as docs/policies.md becomes a link to policies.md. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/docs\/([a-z-]+\.md)/g, '[$1]($1)')

const table = (rows: readonly Row[]): string =>
  [
    '| setting | what it takes | default | meaning |',
    '|---|---|---|---|',
    ...rows.map(({ path, kind, otherwise, means }) => `| \`${path}\` | ${[kind, otherwise, means].map(cell).join(' | ')} |`),
  ].join('\n')
