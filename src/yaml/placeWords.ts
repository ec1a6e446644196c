import { exactPlaceAt, type Path, type YamlDocument } from './document.ts'
import { shows } from './source.ts'

/** Whether a message may quote the value at a place, or its key. */
export function mayQuote(document: YamlDocument, path: Path, part: 'value' | 'key' = 'value'): boolean {
  const place = exactPlaceAt(document, path)
  // The place is not in the file. A key then comes from the schema and may be shown; a value comes from the environment.
  if (place === undefined) return part === 'key'
  const { start, end } = part === 'key' ? (place.key ?? place) : place
  return shows(document.source, start, end)
}

/** The name of a place in a sentence: its key, or an item of its list. */
export function placeName(document: YamlDocument, path: Path): string {
  const index = path.findLastIndex((step) => typeof step === 'string')
  const key = path[index]
  if (typeof key !== 'string') return 'the file'
  if (!mayQuote(document, path.slice(0, index + 1), 'key')) return 'this entry'
  return typeof path.at(-1) === 'number' ? `an item of "${key}"` : `"${key}"`
}

/** The kind of a value, and the value itself if it may be quoted and is neither a text, a list nor a map. */
export function valueKind(value: unknown, mayQuote = true): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'a map'
  if (typeof value === 'string') return 'a text'
  return mayQuote ? brief(value) : `a ${typeof value}`
}

export const brief = (value: unknown): string => (typeof value === 'object' && value !== null ? valueKind(value) : JSON.stringify(value))
