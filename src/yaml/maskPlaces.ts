import { isNear } from '../core/nearest.ts'
import { givesAway, isPlainName, namesSecret } from '../core/secretText.ts'
import type { Place } from './document.ts'
import { maskAround, type Token } from './mask.ts'
import { below, fieldsOf, layersOf, partsOf } from './schemaAt.ts'
import { fieldsBelow, holdsSecret, type Secrecy, secrecyOf } from './secretPlaces.ts'
import type { z } from './zod.ts'

/**
 * Masks a parsed text by the schema that it should have. A file is *guarded* if its schema has places for secrets, or if it has no key of its
 * schema and so may be another file.
 *
 * | part of the text                                  | in a guarded file                                   | in another file                     |
 * |---------------------------------------------------|-----------------------------------------------------|-------------------------------------|
 * | a value at a place for a secret                   | hidden, except a reference that `secrecy` shows     | the same                            |
 * | a text or number instead of a map with secrets    | hidden                                              | does not occur                      |
 * | a value under a key that the schema does not have | hidden                                              | hidden if its key names a secret    |
 * | a key that the schema has nowhere                 | hidden, except misspelt keys and names of entries   | shown                               |
 * | any other key or value                            | shown, unless it looks like a secret                | the same                            |
 * | a comment                                         | hidden                                              | hidden if any other part is hidden  |
 */
export function maskPlaces({ text, value, root }: ParsedText, schema: z.ZodType): string {
  const isGuarded = holdsSecret(schema) || !hasFieldOf(schema, root)
  const tokens: Token[] = []
  const known = isGuarded ? misspeltAmong(fieldsBelow(schema)) : undefined
  const visit = (node: Node): void => {
    const { place } = node
    const isShown = showsValue(node, isGuarded)
    if (!isShown || place.children === undefined) tokens.push({ start: place.start, end: place.end, isShown })
    else {
      for (const [step, inner] of place.children) {
        const entry = entryOf(node, step, inner)
        if (inner.key !== undefined) tokens.push({ ...inner.key, isShown: showsKey(node, entry, known) })
        visit(entry)
      }
    }
  }
  visit({ place: root, value, key: undefined, schemas: [schema] })
  return maskAround(text, tokens, isGuarded)
}

type ParsedText = { readonly text: string; readonly value: unknown; readonly root: Place }

type Node = {
  readonly place: Place
  readonly value: unknown
  /** The key of the value. An item of a list has the key of the list. */
  readonly key: string | undefined
  /** The schemas of this place; empty if the schema does not have it. */
  readonly schemas: readonly z.ZodType[]
}

/** So many unknown keys are compared with those of the schema. Each takes 0.1 ms, and a file of a mebibyte may have 100,000. */
const comparedMax = 1_000

function misspeltAmong(known: ReadonlySet<string>): (key: string) => boolean {
  let compared = 0
  return (key) => known.has(key) || (compared++ < comparedMax && isNear(key, known))
}

/** Whether the place is a map with a key of the schema. */
function hasFieldOf(schema: z.ZodType, { children }: Place): boolean {
  const fields = fieldsOf(schema)
  return children !== undefined && (fields.length === 0 || fields.some((field) => children.has(field)))
}

function entryOf({ key, value, schemas }: Node, step: PropertyKey, place: Place): Node {
  return {
    place,
    value: typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[step] : undefined,
    key: typeof step === 'string' ? step : key,
    schemas: schemas.flatMap((schema) => below(schema, step)),
  }
}

function showsValue({ place, value, key, schemas }: Node, isGuarded: boolean): boolean {
  const secrecy = schemas.map(secrecyOf).find((one) => one !== undefined)
  if (secrecy !== undefined) return value === null || showsReference(value, secrecy)
  if (schemas.length === 0 && key !== undefined && (isGuarded || namesSecret(key))) return false
  if (place.children !== undefined) return true
  // The file is one text, or a list of texts: it is another file.
  if (key === undefined) return false
  // In a map with free keys, a key that looks like the name of a secret may be an ordinary name. If the value fits the schema, the key does not hide
  // the value.
  if (namesSecret(key) && !schemas.some((schema) => schema.safeParse(value).success)) return false
  if (value !== null && schemas.some(holdsSecret) && !isWordFor(value, schemas)) return false
  return !(typeof value === 'string' && (givesAway(value) || (isGuarded && value.includes('\n'))))
}

/** Whether the value is a reference that may be shown: a text, or a map of one key with a text. */
function showsReference(value: unknown, { shows }: Secrecy): boolean {
  if (typeof value === 'string') return shows(value) && !givesAway(value)
  if (typeof value !== 'object' || value === null) return false
  const [[key, name] = [], ...more] = Object.entries(value)
  return more.length === 0 && typeof name === 'string' && shows(name, key) && !givesAway(name)
}

/** Whether a value is an allowed alternative to a map with secrets: `bind: anonymous`. */
const isWordFor = (value: unknown, schemas: readonly z.ZodType[]): boolean =>
  schemas.flatMap(layersOf).some((layer) => !holdsSecret(layer) && layer.safeParse(value).success)

/**
 * Whether a key is shown. In a guarded file a key that the schema does not have may be a secret: `{ SECRET }`, `SECRET: apiKey`.
 *
 * @param isKnown in a guarded file: whether a key is one of the schema, at any depth, or a misspelt one
 */
function showsKey({ schemas }: Node, { key = '', value }: Node, isKnown: ((key: string) => boolean) | undefined): boolean {
  if (givesAway(key)) return false
  if (isKnown === undefined || isKnown(key)) return true
  const isEntry = schemas.flatMap(partsOf).some(({ kind }) => kind === 'entry')
  return isEntry && (isPlainName(key) || (typeof value === 'object' && value !== null))
}
