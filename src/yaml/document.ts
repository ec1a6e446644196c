import { isAlias, isMap, isScalar, isSeq, type ParsedNode } from 'yaml'
import type { Position } from '../core/rule.ts'
import { givesAway, hidden } from '../core/secretText.ts'
import { continuedText } from './indentation.ts'
import { type Problem, problemOfFile } from './problem.ts'
import { positionAt, problemIn, type Source, shows } from './source.ts'

export type Path = readonly PropertyKey[]

/** The value of a file, and the place of each part of it. */
export type YamlDocument = {
  readonly source: Source
  readonly value: unknown
  readonly root: Place
  /** Values that were added to those of the file. */
  readonly added?: readonly Added[]
}

/** A value at `path` that another place gives, such as `environment variable PLANE_BASE_URL`. `cure`: how to correct it there. */
export type Added = { readonly path: Path; readonly place: string; readonly cure: string }

/** Offsets of a value, of its key, and of the values that it contains. `written` is the text of a plain (unquoted) scalar. */
export type Place = {
  readonly start: number
  readonly end: number
  readonly key?: { readonly start: number; readonly end: number }
  readonly children?: ReadonlyMap<PropertyKey, Place>
  readonly written?: string
}

/** Where the value at `path`, or its key, begins. If the file does not have it: where the innermost value around it begins. */
export function position(document: YamlDocument, path: Path, part: 'value' | 'key' = 'value'): Position {
  const place = placeAt(document, path)
  return positionAt(document.source, part === 'key' ? (place.key ?? place).start : place.start)
}

/** A problem under the value at `path`, or under its key; a problem of the other place, if the value is not of the file. */
export function problemAt(document: YamlDocument, path: Path, message: string, cure?: string, part: 'value' | 'key' = 'value'): Problem {
  const added = document.added?.find((addition) => addition.path.every((step, index) => step === path[index]))
  if (added !== undefined) return problemOfFile(added.place, message, added.cure)
  const place = placeAt(document, path)
  const { start, end } = part === 'key' ? (place.key ?? place) : place
  const clean = withoutValue(valueAt(document.value, path))
  return problemIn(document.source, start, end, clean(message), cure === undefined ? undefined : clean(cure))
}

/** Takes a value that looks like a secret out of a sentence that quotes it. Inside a sentence its end cannot be told from the words around it. */
const withoutValue =
  (value: unknown) =>
  (sentence: string): string =>
    typeof value === 'string' && value !== '' && sentence.includes(value) && givesAway(value)
      ? sentence.replaceAll(value, hidden)
      : sentence

/** Adds a problem at a place of a document. A cure that costs time is a function: of many problems only the first ones need it. */
export type AddProblem = (path: Path, message: string, cure?: string | (() => string), part?: 'key') => void

/** The place at `path`; if the file does not have it, the innermost place around it. */
export function placeAt({ root }: YamlDocument, path: Path): Place {
  let place = root
  for (const step of path) {
    const inner = place.children?.get(step)
    if (inner === undefined) return place
    place = inner
  }
  return place
}

/** The place at `path`; undefined if the file does not have it. */
export function exactPlaceAt({ root }: YamlDocument, path: Path): Place | undefined {
  return path.reduce<Place | undefined>((place, step) => place?.children?.get(step), root)
}

/** The value at `path`; undefined if there is none. */
export function valueAt(value: unknown, path: Path): unknown {
  let inner = value
  for (const step of path) inner = typeof inner === 'object' && inner !== null ? (inner as Record<PropertyKey, unknown>)[step] : undefined
  return inner
}

/** The items of a list that were read before the rest of the list. */
export type ListSofar = { readonly value: unknown[]; readonly children: Map<PropertyKey, Place> }

export const emptyList = (): ListSofar => ({ value: [], children: new Map() })

/** After this many duplicate keys the others are not reported. */
const problemsMax = 100

/**
 * Turns nodes into plain values and places. Duplicate keys are found here, because the library compares each key with all others.
 *
 * @param early offset of a list → its items that are not in `node`, because they were read earlier. The items in `node` are added to them
 */
export function plain(
  source: Source,
  node: ParsedNode | null,
  early: ReadonlyMap<number, ListSofar>,
): { readonly value: unknown; readonly place: Place; readonly problems: readonly Problem[] } {
  const problems: Problem[] = []
  const report = (make: () => Problem) => {
    if (problems.length < problemsMax) problems.push(make())
  }
  const read = (node: ParsedNode | null, after: number): { value: unknown; place: Place } => {
    if (node === null || isAlias(node)) return { value: null, place: { start: after, end: after } }
    const [start, end] = node.range
    if (isScalar(node)) {
      const continued = node.type === 'PLAIN' ? continuedText(source, start, end) : undefined
      if (continued !== undefined) report(() => problemIn(source, continued.start, continued.end, continued.sentence, continued.cure))
      return {
        // The rest of the text is a problem already, and must not make another one.
        value: continued?.meant ?? node.value,
        place: { start, end, ...(node.type === 'PLAIN' && node.source !== undefined ? { written: node.source } : {}) },
      }
    }
    if (isSeq(node)) {
      const { value, children }: ListSofar = early.get(start) ?? emptyList()
      for (const item of node.items) {
        const inner = read(item, start)
        children.set(value.length, inner.place)
        value.push(inner.value)
      }
      return { value, place: { start, end: endOf(children, end), children } }
    }
    const children = new Map<PropertyKey, Place>()
    const value: Record<string, unknown> = Object.create(null)
    if (!isMap(node)) return { value, place: { start, end } }
    for (const { key, value: item } of node.items) {
      const [keyStart, keyEnd] = key.range
      const name = isScalar(key) && typeof key.value === 'string' ? key.value : undefined
      const earlier = name === undefined ? undefined : children.get(name)?.key
      if (name === undefined || name === '__proto__') {
        report(() => problemIn(source, keyStart, keyEnd, 'a key must be a plain name'))
      } else if (earlier) {
        const { line } = positionAt(source, earlier.start)
        report(() =>
          problemIn(
            source,
            keyStart,
            keyEnd,
            shows(source, keyStart, keyEnd) ? `the key "${name}" is here twice` : 'this key is here twice',
            `it is already on line ${line}; put both together, or remove one`,
          ),
        )
      } else {
        const inner = read(item, keyEnd)
        children.set(name, { ...inner.place, key: { start: keyStart, end: keyEnd } })
        value[name] = inner.value
      }
    }
    return { value, place: { start, end, children } }
  }
  return { ...read(node, 0), problems }
}

/** The end of a list: its own range would include the blank lines after a block list. */
function endOf(children: ReadonlyMap<PropertyKey, Place>, end: number): number {
  const last = children.get(children.size - 1)
  return last === undefined ? end : Math.max(last.end, Math.min(end, last.end + 1))
}
