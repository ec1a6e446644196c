import { dots, secretValueIn, withoutSecretForms } from '../core/secretText.ts'
import { fieldsOf } from './schemaAt.ts'
import { fieldsBelow, holdsSecret } from './secretPlaces.ts'
import type { z } from './zod.ts'

/*
 * A masked text has a dot for each character that no output may show. Its lines and offsets are the same as in the text.
 */

/** A part of a text that is a key or a value. */
export type Token = { readonly start: number; readonly end: number; readonly isShown: boolean }

/**
 * Masks a text that is not parsed. If the schema has places for secrets, or the text has no key of the schema and so may be another file, only keys
 * of the schema are shown. Otherwise the text is shown up to the first value whose key names a secret. After that, only keys of the schema are shown.
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

/** Whether a line begins with a top-level key of the schema. */
function hasFieldOf(schema: z.ZodType, text: string): boolean {
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
