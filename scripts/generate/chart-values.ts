import { isMap, isScalar, type Pair, parseDocument, type YAMLMap } from 'yaml'

/**
 * The table of the chart's values as Markdown, made of `values.yaml`: each value with its default, and the comment above it.
 * A comment above several values has a row of its own.
 */
export function valuesTable(values: string): string {
  const top = parseDocument(values).contents
  if (!isMap(top)) throw new Error('values.yaml is no map')
  return ['| value | default | meaning |', '|---|---|---|', ...rowsOf(top, '')].join('\n')
}

function rowsOf(map: YAMLMap, above: string): readonly string[] {
  return map.items.flatMap((pair, index) => {
    const path = `${above}${String((pair.key as { value: unknown }).value)}`
    const comment = commentOf(map, pair, index, above === '')
    const { value } = pair
    if (isMap(value) && value.items.length > 0) return [...(comment === '' ? [] : [row(path, '', comment)]), ...rowsOf(value, `${path}.`)]
    return [row(path, `\`${JSON.stringify((value as { toJSON: () => unknown }).toJSON())}\``, comment)]
  })
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

const row = (path: string, shown: string, meaning: string): string => `| \`${path}\` | ${shown} | ${meaning.replaceAll('|', '\\|')} |`
