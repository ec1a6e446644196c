import { dayOrMomentPattern } from '../../src/declaration/moment.ts'

/** The part of JSON Schema that the settings and the declaration use. */
export type Schema = {
  readonly type?: string
  readonly format?: string
  readonly pattern?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly description?: string
  readonly deprecated?: boolean
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

/** `otherwise`: the default as Markdown; empty if there is none. */
export type Row = { readonly path: string; readonly kind: string; readonly otherwise: string; readonly means: string }

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

/** The rows of the keys of a map. `before` is the path of the map, with a point at its end. */
export function rowsBelow(before: string, schema: Schema): readonly Row[] {
  if (isSecret(schema)) return []
  const maps = (schema.anyOf ?? [schema]).filter(({ properties }) => properties !== undefined)
  const values = valuesOf(schema)
  return [
    ...maps.flatMap(({ properties = {}, required = [] }) =>
      // If a setting accepts one of several maps, none of their keys is required in every case.
      Object.entries(properties).flatMap(([name, one]) =>
        isFormer(one) ? [] : rowsOf(`${before}${name}`, one, maps.length === 1 && required.includes(name)),
      ),
    ),
    ...(values === undefined ? [] : rowsBelow(`${before}<name>.`, values)),
  ]
}

/** A former key takes no value: it is an error that says what has taken its place. */
const isFormer = ({ deprecated, type, anyOf }: Schema): boolean => deprecated === true && type === undefined && anyOf === undefined

export const valuesOf = ({ additionalProperties }: Schema): Schema | undefined =>
  typeof additionalProperties === 'object' ? additionalProperties : undefined

const isSecret = ({ anyOf }: Schema): boolean => anyOf?.map(({ properties }) => Object.keys(properties ?? {}).join()).join() === 'file,env'

function kindOf(schema: Schema): string {
  const { anyOf, items, type = '', pattern = '', format, enum: values } = schema
  if (isSecret(schema)) return 'secret'
  if (anyOf !== undefined) return [...new Set(anyOf.map(kindOf))].join(' or ')
  if (schema.const !== undefined) return code(schema.const)
  if (values !== undefined) return values.map(code).join(', ')
  if (items !== undefined) return `list of ${kindOf(items)}${items.enum === undefined ? 's' : ''}`
  if (pattern.endsWith('(ms|s|m|h|d)$')) return 'duration'
  if (pattern.endsWith('%$')) return 'share'
  if (pattern === dayOrMomentPattern) return 'day or moment'
  if (format === 'uri') return 'address'
  return { object: 'map', string: 'text', integer: 'number', boolean: '`true`, `false`' }[type] ?? type
}

const isEmpty = (value: unknown): boolean => typeof value === 'object' && value !== null && Object.keys(value).length === 0

function defaultText(value: unknown, required: boolean): string {
  if (value === undefined) return required ? '**required**' : ''
  if (isEmpty(value)) return 'none'
  return Array.isArray(value) ? value.map(code).join(', ') : code(value)
}

export const code = (value: unknown): string => `\`${String(value)}\``
