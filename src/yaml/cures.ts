import { didYouMean } from '../core/nearest.ts'
import { truthOf } from './choices.ts'
import { exactPlaceAt, type Path, placeAt, valueAt, type YamlDocument } from './document.ts'
import { blankCure } from './missingBlank.ts'
import { mayQuote } from './placeWords.ts'
import { below, keysOf, presentKeysOf } from './schemaAt.ts'
import { kindNamed, type z } from './zod.ts'

/** The key that was probably meant, or the map that the key belongs to, and all keys that are allowed. No deprecated key is recommended. */
export function unknownKeyHelp(key: string, schema: z.ZodType | undefined, written: unknown): string {
  const present = presentKeysOf(schema, written)
  const near = didYouMean(key, present)
  const [owner, ...others] = near === '' ? ownersOf(key, schema, written) : []
  const meant = owner !== undefined && others.length === 0 ? `it is a key of "${owner}". ` : near
  return blankCure(key, keysOf(schema, written)) ?? `${meant}Allowed here: ${present.join(', ')}`
}

/** The keys of the map whose own maps may have the key. */
const ownersOf = (key: string, schema: z.ZodType | undefined, written: unknown): readonly string[] =>
  schema === undefined
    ? []
    : presentKeysOf(schema, written).filter((owner) => below(schema, owner).some((part) => presentKeysOf(part, undefined).includes(key)))

/** What to write at a place that has no value. */
export function absentHelp(expected: string, schema: z.ZodType | undefined): string {
  if (expected !== 'object') return `it must be ${kindNamed(expected)}`
  return keysHelp(schema?.safeParse({}).success === true ? 'write {}, or ' : '', schema) || `it must be ${kindNamed(expected)}`
}

/** `its keys: cron, timezone`; empty if the place takes no map with fixed keys. */
export function keysHelp(before: string, schema: z.ZodType | undefined): string {
  const keys = presentKeysOf(schema, undefined)
  return keys.length === 0 ? '' : `${before}its keys: ${keys.join(', ')}`
}

/** How to write the value in the kind that is expected: `group: 2024` is a number in YAML, `groups: a` is not a list. */
export function kindHelp(document: YamlDocument, path: Path, expected: string, schema: z.ZodType | undefined): string | undefined {
  const ofPlace = schema?.description ?? (expected === 'object' ? keysHelp('', schema) || undefined : undefined)
  if (!mayQuote(document, path)) return ofPlace
  const { written } = placeAt(document, path)
  const value = valueAt(document.value, path)
  if (expected === 'string' && written !== undefined) return quotedHelp(written, schema)
  const truth = expected === 'boolean' && typeof value === 'string' ? truthOf(value, [true]) : undefined
  if (truth !== undefined) return `write ${truth}, without quotes`
  if (expected === 'array' && typeof value === 'string') return `write it as a list: [${written ?? JSON.stringify(value)}]`
  if (expected === 'array' && typeof value === 'object')
    return Object.keys(value ?? {}).length === 0 ? 'write []' : 'its items begin with "- "'
  return (typeof value === 'string' ? blankCure(value, keysOf(schema, value)) : undefined) ?? ofPlace
}

/** For a value that is no text in YAML: to write it in quotes, or how else to write it if that is not enough. */
function quotedHelp(written: string, schema: z.ZodType | undefined): string | undefined {
  const quoted = schema?.safeParse(written)
  if (quoted?.success !== false) return `write it in quotes: "${written}"`
  const [issue] = quoted.error.issues
  return (issue && givenCure(issue)) ?? schema?.description
}

/** For a text whose escapes were probably meant as they are written. */
export const escapesCure =
  'in double quotes YAML reads \\n, \\t, \\e and the like as one character: write single quotes, or \\\\ for a backslash'

/**
 * The cure of an issue at its place. A refinement sets `params: {unseen: true}` for a character that cannot be seen: if an escape of the file made it, the
 * cure says how a backslash is written.
 */
export function cureAt(document: YamlDocument, path: Path, issue: z.core.$ZodIssue): string | undefined {
  const isUnseen = issue.code === 'custom' && issue.params?.unseen === true
  return isUnseen && hasEscape(document, path) ? escapesCure : givenCure(issue)
}

/** Whether the text at a place is in double quotes, and an escape of one letter in it makes a blank or a character that cannot be seen. */
function hasEscape(document: YamlDocument, path: Path): boolean {
  const place = exactPlaceAt(document, path)
  return place !== undefined && /^"(?:[^\\]|\\[^0abtnvferNLP_])*\\[0abtnvferNLP_]/.test(document.source.text.slice(place.start, place.end))
}

/** The cure that a refinement gives. */
export function givenCure(issue: z.core.$ZodIssue): string | undefined {
  return issue.code === 'custom' && typeof issue.params?.cure === 'string' ? issue.params.cure : undefined
}
