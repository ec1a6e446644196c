import { dots, secretValueIn, withoutSecretForms } from '../core/secretText.ts'
import { fieldsOf } from './schemaAt.ts'
import { fieldsBelow, holdsSecret } from './secretPlaces.ts'
import type { z } from './zod.ts'

/*
 * A masked text has a dot for each character that no output may show. Its lines and offsets are those of the text.
 */

/** A part of a text whose meaning is known. */
export type Token = { readonly start: number; readonly end: number; readonly isShown: boolean }

/**
 * Masks a text that is not understood, or not yet. A file that may hold secrets by its schema, or that has no key of its schema and so may
 * be another file, shows only the keys of its schema. Any other does so from the first value on whose key names a secret.
 */
export function maskText(text: string, schema: z.ZodType): string {
  const from = holdsSecret(schema) || !hasFieldOf(schema, text) ? 0 : (secretValueIn(text) ?? text.length)
  const known = fieldsBelow(schema)
  const tokens: Token[] = [{ start: 0, end: from, isShown: true }]
  const keys = text.slice(from).matchAll(/(?<=^|[\s{,[-])(["']?)([A-Za-z]+)\1(?=[^\S\n]{0,9}:(?:[\s"'{[]|$))/g)
  for (const { index, 0: key, 2: name = '' } of keys) {
    if (known.has(name)) tokens.push({ start: from + index, end: from + index + key.length, isShown: true })
  }
  return maskAround(text, tokens, true)
}

/** Whether a line begins with a key that the file may have. */
function hasFieldOf(schema: z.ZodType, text: string): boolean {
  const fields = fieldsOf(schema)
  return (
    fields.length === 0 ||
    text.matchAll(/^(?:\uFEFF?\{\s*)?["']?([A-Za-z]+)["']?[^\S\n]{0,9}:/gm).some(({ 1: key = '' }) => fields.includes(key))
  )
}

/**
 * Masks all of a text but the tokens that are shown, and of those what has the form of a secret.
 *
 * @param tokens in their order
 * @param isGuarded also where no token is hidden: what stands between them, such as comments
 */
export function maskAround(text: string, tokens: readonly Token[], isGuarded: boolean): string {
  const between = betweenOf(text, tokens)
  const hidesBetween = isGuarded || tokens.some(({ isShown }) => !isShown) || between.some((part) => secretValueIn(part) !== undefined)
  let masked = ''
  for (const [index, part] of between.entries()) {
    masked += hidesBetween ? part.replaceAll(words, dots) : part
    const { start, end, isShown } = tokens[index] ?? { start: 0, end: 0, isShown: true }
    const token = text.slice(start, end)
    masked += isShown ? token : dots(token)
  }
  return withoutSecretForms(masked, dots)
}

/** In each line from the first that is no sign of YAML to the last. */
const words = /(?:[^\s{}[\],:?-]|[?-](?=\S))(?:[^\n]*[^\s{}[\],:])?/g

/** What stands before each token, and behind the last. */
function betweenOf(text: string, tokens: readonly Token[]): readonly string[] {
  let from = 0
  const before = tokens.map(({ start, end }) => {
    const part = text.slice(from, start)
    from = end
    return part
  })
  return [...before, text.slice(from)]
}
