import { isNear } from '../core/nearest.ts'
import { dots, givesAway, isPlainName, namesSecret, secretValueIn, withoutSecretForms } from '../core/secretText.ts'
import type { Place } from './document.ts'
import { below, fieldsBelow, fieldsOf, holdsSecret, layersOf, partsOf, type Secrecy, secrecyOf } from './schemaAt.ts'
import type { z } from './zod.ts'

/**
 * Masks a parsed text by the schema that it should have. A file is *guarded* if its schema has places for secrets, or if it has no key of its
 * schema and so may be another file.
 *
 * | part of the text                                  | in a guarded file                                   | in another file                     |
 * |---------------------------------------------------|-----------------------------------------------------|-------------------------------------|
 * | a value at a place for a secret                   | hidden, except a reference that `secrecy` shows     | the same                            |
 * | a text or number instead of a map with secrets    | hidden                                              | does not occur                      |
 * | an address beside or below a secret `url`        | hidden: it may be that `url`, in a wrong place      | does not occur                      |
 * | a value under a key that the schema does not have | hidden                                              | hidden if its key names a secret    |
 * | a key that the schema has nowhere                 | hidden, unless it is a plain name with a value      | shown                               |
 * | any other key or value                            | shown, unless it looks like a secret                | the same                            |
 * | a comment                                         | left out                                            | left out if any other part is hidden|
 */
export function maskPlaces({ text, value, root }: ParsedText, schema: z.ZodType): string {
  const isOther = !hasFieldOf(schema, root)
  const isGuarded = holdsSecret(schema) || isOther
  const tokens: Token[] = []
  const known = isGuarded ? misspeltAmong(fieldsBelow(schema)) : undefined
  const visit = (node: Node): void => {
    const { place } = node
    const isShown = showsValue(node, isGuarded)
    if (!isShown || place.children === undefined) tokens.push({ start: place.start, end: place.end, isShown })
    else {
      for (const [step, inner] of place.children) {
        const entry = entryOf(node, step, inner)
        if (inner.key !== undefined) tokens.push({ ...inner.key, isShown: showsKey(node, entry, known, isOther) })
        visit(entry)
      }
    }
  }
  visit({ place: root, value, key: undefined, schemas: [schema], isBesideUrl: false })
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
  /** Whether this place is in a map whose `url` is a secret. */
  readonly isBesideUrl: boolean
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

function entryOf({ key, value, schemas, isBesideUrl }: Node, step: PropertyKey, place: Place): Node {
  return {
    place,
    value: typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[step] : undefined,
    key: typeof step === 'string' ? step : key,
    schemas: schemas.flatMap((schema) => below(schema, step)),
    isBesideUrl: isBesideUrl || schemas.some((schema) => below(schema, 'url').some((url) => secrecyOf(url) !== undefined)),
  }
}

function showsValue({ place, value, key, schemas, isBesideUrl }: Node, isGuarded: boolean): boolean {
  if (isBesideUrl && typeof value === 'string' && /^\s*https:\/\//i.test(value)) return false
  const secrecy = schemas.map(secrecyOf).find((mark) => mark !== undefined)
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
 * Whether a key is shown. In a guarded file a key that the schema does not have may be a secret, if it has no value or a key as its value: `{ SECRET }`,
 * `SECRET: apiKey`.
 *
 * @param isKnown in a guarded file: whether a key is one of the schema, at any depth, or a misspelt one
 * @param isOther whether the file has no key of the schema, and so may be another file
 */
function showsKey(
  { schemas }: Node,
  { key = '', value }: Node,
  isKnown: ((key: string) => boolean) | undefined,
  isOther: boolean,
): boolean {
  if (givesAway(key)) return false
  if (isKnown === undefined || isKnown(key)) return true
  if (schemas.flatMap(partsOf).some(({ kind }) => kind === 'entry'))
    return isPlainName(key) || (typeof value === 'object' && value !== null)
  const isTurned = value === null || (typeof value === 'string' && isKnown(value))
  return !isOther && !isTurned && isPlainName(key.replaceAll(/(?<=[a-z])[A-Z](?=[a-z])/g, (hump) => hump.toLowerCase()))
}

/*
 * A masked text has a dot for each character that no output may show. Its lines and offsets are the same as in the text.
 */

/** A part of a text that is a key or a value. */
type Token = { readonly start: number; readonly end: number; readonly isShown: boolean }

/**
 * Masks a text that is not parsed. If the schema has places for secrets, or the text has no key of the schema and so may be another file, only keys
 * of the schema are shown. Otherwise the text is shown up to the first value whose key names a secret. After that, only keys of the schema are shown.
 */
export function maskText(text: string, schema: z.ZodType): string {
  const from = holdsSecret(schema) || !mentionsFieldOf(schema, text) ? 0 : (secretValueIn(text) ?? text.length)
  const known = fieldsBelow(schema)
  const tokens: Token[] = [{ start: 0, end: from, isShown: true }]
  const keys = text.slice(from).matchAll(/(?<=^|[\s{,[-])(["']?)([A-Za-z]+)\1(?=[^\S\n]{0,9}:(?:[\s"'{[]|$))/g)
  for (const { index, 0: key, 2: name = '' } of keys) {
    if (known.has(name)) tokens.push({ start: from + index, end: from + index + key.length, isShown: true })
  }
  return maskAround(text, tokens, true)
}

/** Whether a line begins with a top-level key of the schema. */
function mentionsFieldOf(schema: z.ZodType, text: string): boolean {
  const fields = fieldsOf(schema)
  return (
    fields.length === 0 ||
    text.matchAll(/^(?:\uFEFF?\{\s*)?["']?([A-Za-z]+)["']?[^\S\n]{0,9}:/gm).some(({ 1: key = '' }) => fields.includes(key))
  )
}

/**
 * Masks a text except the tokens that are shown. In these only texts with the form of a secret are masked.
 *
 * @param tokens in the order of the text
 * @param isGuarded masks the text between the tokens, such as comments, even if no token is hidden
 */
function maskAround(text: string, tokens: readonly Token[], isGuarded: boolean): string {
  const between = betweenOf(text, tokens)
  const hidesBetween = isGuarded || tokens.some(({ isShown }) => !isShown) || between.some((part) => secretValueIn(part) !== undefined)
  let masked = ''
  for (const [index, part] of between.entries()) {
    masked += hidesBetween ? part.replaceAll(comments, blanks).replaceAll(words, dots) : part
    const { start, end, isShown } = tokens[index] ?? { start: 0, end: 0, isShown: true }
    const token = text.slice(start, end)
    masked += isShown ? token : dots(token)
  }
  return withoutSecretForms(masked, dots)
}

/** A comment that may not be shown is left out: dots would look like a value. */
const comments = /(?<=^|\s)#[^\n]*/gm
const blanks = (comment: string): string => ' '.repeat(comment.length)

/** In each line: from the first character that is not YAML syntax to the last one. */
const words = /(?:[^\s{}[\],:?-]|[?-](?=\S))(?:[^\n]*[^\s{}[\],:])?/g

/** The text before each token, and the text after the last one. */
function betweenOf(text: string, tokens: readonly Token[]): readonly string[] {
  let from = 0
  const before = tokens.map(({ start, end }) => {
    const part = text.slice(from, start)
    from = end
    return part
  })
  return [...before, text.slice(from)]
}
