import { didYouMean } from '../core/nearest.ts'
import { exactPlaceAt, type Path, placeAt, valueAt, type YamlDocument } from './document.ts'
import { below, keysOf, presentKeysOf, schemaAt } from './schemaAt.ts'
import { shows } from './source.ts'
import { kindNamed, type z } from './zod.ts'

/** The key that was probably meant, or the map that the key belongs to, and all keys that are allowed. No deprecated key is recommended. */
export function unknownKeyHelp(key: string, schema: z.ZodType | undefined, written: unknown): string {
  const present = presentKeysOf(schema, written)
  const near = synonym(key, present) ?? didYouMean(key, present)
  const [owner, ...others] = near === '' ? ownersOf(key, schema, written) : []
  const meant = owner !== undefined && others.length === 0 ? `it is a key of "${owner}". ` : near
  return blankCure(key, keysOf(schema, written)) ?? `${meant}Allowed here: ${present.join(', ')}`
}

/** Words of other programs for a key of this one. */
const synonyms: readonly (readonly [pattern: RegExp, key: string])[] = [
  [/^(?:api|access|personal|plane)?[-_]?(?:access)?[-_]?(?:token|key|pat)$/i, 'apiKey'],
  [/^(?:base[-_]?)?(?:url|uri|address|host|endpoint)$/i, 'baseUrl'],
]

function synonym(key: string, present: readonly string[]): string | undefined {
  const meant = synonyms.find(([pattern, known]) => present.includes(known) && pattern.test(key))?.[1]
  return meant === undefined ? undefined : `did you mean "${meant}"? `
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
  if (expected === 'array' && typeof value === 'string') return listHelp(value, written ?? JSON.stringify(value), schema)
  if (expected === 'array' && typeof value === 'object')
    return Object.keys(value ?? {}).length === 0 ? 'write []' : 'its items begin with "- "'
  return (typeof value === 'string' ? blankCure(value, keysOf(schema, value)) : undefined) ?? ofPlace
}

/** A text in the place of a list. If the list takes fixed words and the text is none of them, the cure names them. */
function listHelp(value: string, written: string, schema: z.ZodType | undefined): string {
  const item = schema && below(schema, 0)[0]
  const [issue] = item?.safeParse(value).error?.issues ?? []
  if (issue?.code !== 'invalid_value') return `write it as a list: [${written}]`
  return `write a list: [ … ]. ${choiceHelp([], value, issue).replace(/^d/, 'D')}`
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

/** The values that a place takes, and the kinds of value, in words. */
type Choices = { readonly values: readonly unknown[]; readonly kinds?: readonly string[] }

/** The cure that names the allowed values of a place, and the value that was probably meant. */
export function choiceHelp(path: Path, written: unknown, { values, kinds = [] }: Choices): string {
  const allowed = [...values, ...kinds].map(String)
  const [only] = values
  if (values.length === 1 && typeof only === 'number') return `write "${String(path.at(-1))}: ${only}"`
  const truth = typeof written === 'string' ? truthOf(written, values) : undefined
  if (truth !== undefined) return `write ${truth}, without quotes. Allowed: ${allowed.join(', ')}`
  const meant = typeof written === 'string' ? didYouMean(written, values.map(String)) : ''
  return `${meant}Allowed: ${allowed.join(', ')}`
}

/**
 * The fixed values and the kinds of value that a union takes. Undefined if the union has no fixed value, or if a branch accepts the kind of the
 * written value.
 */
export function choicesIn(branches: z.core.$ZodIssueInvalidUnion['errors']): Choices | undefined {
  const choices = branches.map(([issue, ...more]): Partial<Choices> | undefined => {
    if (issue === undefined || more.length > 0 || issue.path.length > 0) return undefined
    if (issue.code === 'invalid_value') return { values: issue.values }
    if (issue.code !== 'invalid_type') return undefined
    return issue.expected === 'boolean' ? { values: [true, false] } : { kinds: [kindNamed(issue.expected)] }
  })
  const values = choices.flatMap((choice) => choice?.values ?? [])
  return values.length === 0 || choices.includes(undefined)
    ? undefined
    : { values, kinds: choices.flatMap((choice) => choice?.kinds ?? []) }
}

/** `true` or `false` for a word of YAML 1.1 that means it. YAML 1.2 reads it as a text. */
function truthOf(written: string, values: readonly unknown[]): string | undefined {
  if (!values.includes(true)) return undefined
  if (/^(?:yes|y|on|true)$/i.test(written)) return 'true'
  return /^(?:no|n|off|false)$/i.test(written) ? 'false' : undefined
}

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

type Issue = z.core.$ZodIssue

export const blankMissing = 'a blank is missing after the colon'

/** A key, a colon and a value without a blank: `group:/design` is one text in YAML. An address such as `https://…` has another meaning. */
const withoutBlank = /^([A-Za-z]\w*):(?!\/\/)\S/

/** The key that a text begins with, if the blank after its colon is missing. */
export const keyWithoutBlank = (text: string): string | undefined => withoutBlank.exec(text)?.[1]

/** The cure for a text that begins with a known key and lacks the blank after the colon. It does not contain the value. */
function blankCure(text: string, known: readonly string[]): string | undefined {
  const key = keyWithoutBlank(text)
  return key !== undefined && known.includes(key) ? `${blankMissing}: write "${key}: …"` : undefined
}

/** Leaves out the issues which only say that a map lacks a key whose blank is missing. */
export function withoutConsequences({ value }: YamlDocument, schema: z.ZodType, issues: readonly Issue[]): readonly Issue[] {
  const missing = new Map<string, ReadonlySet<string>>()
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') continue
    const known = keysOf(schemaAt(schema, issue.path, value), valueAt(value, issue.path))
    const keys = issue.keys.flatMap((key) => keyWithoutBlank(key) ?? []).filter((key) => known.includes(key))
    if (keys.length > 0) missing.set(JSON.stringify(issue.path), new Set(keys))
  }
  if (missing.size === 0) return issues
  const lacksKey = (path: Issue['path']) =>
    missing.get(JSON.stringify(path.slice(0, -1)))?.has(String(path.at(-1))) === true && valueAt(value, path) === undefined
  return issues.filter(({ code, path }) => (code === 'custom' ? !missing.has(JSON.stringify(path)) : !lacksKey(path)))
}
