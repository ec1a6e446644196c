import { isMap, isScalar, type Pair, parseDocument, stringify, type YAMLMap } from 'yaml'
import type { JsonSchema } from './kubernetes-shapes.ts'

/**
 * The schema of the chart with what `values.yaml` says: each value's default, and as its description the comment above it. A value that the schema does
 * not know is an error.
 */
export function withValues(schema: JsonSchema, values: string): JsonSchema {
  const { contents } = parseDocument(values)
  if (!isMap(contents)) throw new Error('values.yaml is no map')
  return described(schema, contents, '')
}

function described(schema: JsonSchema, map: YAMLMap, above: string): JsonSchema {
  const properties = { ...(schema['properties'] as Record<string, JsonSchema>) }
  for (const [index, pair] of map.items.entries()) {
    const name = String((pair.key as { value: unknown }).value)
    const own = properties[name]
    if (own === undefined) throw new Error(`values.yaml has ${above}${name}, and the schema of the chart does not`)
    const comment = commentOf(map, pair, index, above === '')
    const { value } = pair
    const isGroup = isMap(value) && value.items.length > 0 && own['properties'] !== undefined
    properties[name] = {
      ...(isGroup ? described(own, value, `${above}${name}.`) : own),
      ...(comment === '' ? {} : { description: comment }),
      // The settings have the defaults of the program.
      ...(isGroup || own['$ref'] !== undefined ? {} : { default: (value as { toJSON: () => unknown }).toJSON() }),
    }
  }
  return { ...schema, properties }
}

/** The parser gives the comment above the first value of a map to the map. At the top that is the comment of the whole file. */
function commentOf(map: YAMLMap, { key }: Pair, index: number, isTop: boolean): string {
  const own = isScalar(key) ? key.commentBefore : undefined
  const first = index === 0 && !isTop ? map.commentBefore : undefined
  return (own ?? first ?? '')
    .split('\n')
    .map((line) => line.trim())
    .join(' ')
    .trim()
}

/** The table of the chart's values as Markdown, made of its schema: what has a default or a meaning, with both. A group with a meaning has a row of its own. */
export const valuesTable = (schema: JsonSchema): string =>
  ['| value | default | meaning |', '|---|---|---|', ...rowsOf(schema, '')].join('\n')

function rowsOf(schema: JsonSchema, above: string): readonly string[] {
  return Object.entries(schema['properties'] as Record<string, JsonSchema>).flatMap(([name, own]) => {
    if (own['deprecated'] === true) return []
    const { description = '', default: value } = own
    const path = `${above}${name}`
    if (value !== undefined) return [row(path, `\`${JSON.stringify(value)}\``, String(description))]
    const below = own['properties'] === undefined ? [] : rowsOf(own, `${path}.`)
    return [...(description === '' ? [] : [row(path, '', String(description))]), ...below]
  })
}

const row = (path: string, shown: string, meaning: string): string => `| \`${path}\` | ${shown} | ${meaning.replaceAll('|', '\\|')} |`

/** `values.yaml` as a template, which the other templates read: Helm gives a template only the values of a release, which may be those of an older chart. */
export function defaultsTemplate(values: string): string {
  const text = stringify(parseDocument(values).toJS(), { lineWidth: 0 })
  if (text.includes('{{')) throw new Error('values.yaml has {{, which a template would read')
  return `{{/* Generated from values.yaml. */}}\n{{- define "plane-group-sync.defaults" -}}\n${text}{{- end }}\n`
}
