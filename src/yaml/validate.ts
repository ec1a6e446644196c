import { positionText } from '../core/rule.ts'
import {
  absentHelp,
  brief,
  choiceHelp,
  choicesIn,
  cureAt,
  givenCure,
  keysHelp,
  kindHelp,
  mayQuote,
  placeName,
  unknownKeyHelp,
  valueKind,
  withoutConsequences,
} from './cures.ts'
import { type Path, problemAt, valueAt, type YamlDocument } from './document.ts'
import { type Problem, problemOfFile } from './problem.ts'
import { besideKey, choicesOf, holdsSecret, schemaAt, secretAbove } from './schemaAt.ts'
import { kindNamed, type z } from './zod.ts'

/** Maximum of issues that become problems: for each one the source is searched. */
const issuesMax = 100

type Validated<T> = { readonly valid: true; readonly value: T } | { readonly valid: false; readonly problems: readonly Problem[] }

/**
 * Checks a document by its schema. Each issue becomes a problem at its place. For an unknown key the cure names the key that was probably meant. For
 * a missing key it is the key's description, and the place is the map that lacks the key. The problems of a union are those of the branch that fits
 * the written value. A refinement can set `params: {cure, key: true}`; `key`: it is about the key, not about a secret below it.
 * `unseen` is for `cureAt`.
 */
export function validate<T>(document: YamlDocument, schema: z.ZodType<T>): Validated<T> {
  const result = parsed(schema, document.value)
  if (result === undefined) {
    const message = 'this file has too many mistakes to show each one'
    return { valid: false, problems: [problemOfFile(document.source.file, message, 'check that it is the right file')] }
  }
  if (result.success) return { valid: true, value: result.data }
  const problems = new Map<string, Problem>()
  for (const issue of withoutConsequences(document, schema, result.error.issues.slice(0, issuesMax))) {
    // All issues of one secret place have the same text, so they are one problem.
    for (const problem of problemsOf(document, schema, issue, [])) problems.set(`${positionText(problem.at)} ${problem.message}`, problem)
  }
  return { valid: false, problems: [...problems.values()] }
}

/** Undefined if there are too many issues: zod passes them as arguments of a call, and a call takes some 120,000 arguments. */
function parsed<T>(schema: z.ZodType<T>, value: unknown): z.ZodSafeParseResult<T> | undefined {
  try {
    return schema.safeParse(value)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function problemsOf(document: YamlDocument, schema: z.ZodType, issue: z.core.$ZodIssue, base: Path): Problem[] {
  const path = [...base, ...issue.path]
  const written = valueAt(document.value, path)
  const expectedHere = schemaAt(schema, path, document.value)
  const name = placeName(document, path)
  const at = (message: string, cure?: string) => [problemAt(document, path, message, cure)]
  const description = descriptionAt(document, schema, path)
  const secret = secretAbove(schema, path)
  const part = issue.code === 'custom' && issue.params?.key === true ? 'key' : 'value'
  if (secret?.cure !== undefined && part === 'value') return [secretProblem(document, secret.path, secret.cure)]
  switch (issue.code) {
    case 'unrecognized_keys': {
      const strange = new Set(issue.keys)
      return issue.keys.slice(0, issuesMax).map((key) => {
        const neighbour = besideKey(expectedHere, written, key, strange)
        if (neighbour !== undefined)
          return problemAt(document, [...path, key], `"${key}" cannot stand beside "${neighbour}"`, 'keep one of them', 'key')
        const unknown = mayQuote(document, [...path, key], 'key') ? `unknown key "${key}"` : 'unknown key'
        return problemAt(document, [...path, key], unknown, unknownKeyHelp(key, expectedHere, written), 'key')
      })
    }
    case 'invalid_type':
      if (written === undefined) return at(`${name} is missing`, description)
      if (written === null) return at(`${name} has no value`, description ?? absentHelp(issue.expected, expectedHere))
      return at(
        `${name} must be ${kindNamed(issue.expected)}, this is ${valueKind(written, mayQuote(document, path))}`,
        kindHelp(document, path, issue.expected, expectedHere),
      )
    case 'invalid_value':
      return at(choiceMessage(document, path, written), choiceHelp(path, written, issue))
    case 'invalid_union':
      return unionProblems(document, schema, issue, path, written)
    case 'invalid_key':
      return issue.issues.map((inner) => problemAt(document, path, inner.message, givenCure(inner), 'key'))
    case 'custom':
      return [problemAt(document, path, issue.message, cureAt(document, path, issue), part)]
    default:
      // If the schema has its own error text, that text is a full sentence. `predicateOf` makes all other error texts.
      return at(issue.message.startsWith('must ') ? `${name} ${issue.message}` : `${name}: ${issue.message}`, description)
  }
}

/**
 * The problems of a union. The branch that was meant accepts the kind of the value, and only has issues deeper inside. If there are several, it is
 * the first of those that lack the fewest of the written keys.
 */
function unionProblems(
  document: YamlDocument,
  schema: z.ZodType,
  issue: z.core.$ZodIssueInvalidUnion,
  path: Path,
  written: unknown,
): Problem[] {
  const isKind = (inner: z.core.$ZodIssue) => inner.code === 'invalid_type' && inner.path.length === 0
  const discriminator = 'discriminator' in issue && typeof issue.discriminator === 'string' ? issue.discriminator : undefined
  if (discriminator !== undefined) {
    const choices = choicesOf(schemaAt(schema, path.slice(0, -1)), discriminator)
    return [problemAt(document, path, choiceMessage(document, path, written), choiceHelp(path, written, { values: choices }))]
  }
  const placeSchema = schemaAt(schema, path, document.value)
  // If a map with a secret is expected and the file has another value, that value may be the secret.
  if (placeSchema !== undefined && holdsSecret(placeSchema) && written !== null && written !== undefined && typeof written !== 'object')
    return [
      problemAt(
        document,
        path,
        `${placeName(document, path)} cannot be ${valueKind(written, mayQuote(document, path))}`,
        placeSchema.description,
      ),
    ]
  const choices = choicesIn(issue.errors)
  if (choices !== undefined && written !== undefined && written !== null)
    return [
      problemAt(document, path, choiceMessage(document, path, written), choiceHelp(path, written, choices) + keysHelp('; ', placeSchema)),
    ]
  const name = placeName(document, path)
  if (placeSchema?.description !== undefined && (written === undefined || written === null))
    return [problemAt(document, path, `${name} ${written === null ? 'has no value' : 'is missing'}`, placeSchema.description)]
  const possible = issue.errors.filter((branch) => !branch.some(isKind))
  const [meant] = possible.toSorted((a, b) => strangeKeys(a).length - strangeKeys(b).length)
  if (meant !== undefined) return meant.flatMap((inner) => problemsOf(document, schema, inner, path))
  const expected = issue.errors.flatMap((branch) =>
    branch.filter(isKind).map((inner) => (inner.code === 'invalid_type' ? kindNamed(inner.expected) : '')),
  )
  if (written === undefined) return [problemAt(document, path, `${name} is missing`)]
  const alternatives = `it is ${[...new Set(expected)].join(' or ')}`
  if (written === null) return [problemAt(document, path, `${name} has no value`, alternatives)]
  const kind = valueKind(written, mayQuote(document, path))
  return [problemAt(document, path, `${name} cannot be ${kind}`, kindHelp(document, path, 'string', placeSchema) ?? alternatives)]
}

/** The written keys that a branch does not have. */
const strangeKeys = (branch: readonly z.core.$ZodIssue[]): readonly string[] =>
  branch.flatMap((issue) => (issue.code === 'unrecognized_keys' && issue.path.length === 0 ? issue.keys : []))

/** A problem at a secret place. Neither the message nor the frame shows the value. */
function secretProblem(document: YamlDocument, path: Path, cure: string): Problem {
  const written = valueAt(document.value, path)
  const name = placeName(document, path)
  if (written === undefined) return problemAt(document, path, `${name} is missing`, cure)
  if (written === null) return problemAt(document, path, `${name} has no value`, cure)
  if (written === '') return problemAt(document, path, `${name} is empty`, cure)
  if (hasKey(written, 'file') && hasKey(written, 'env'))
    return problemAt(document, path, `${name} has both "file" and "env"`, 'keep one of them')
  const empty = ['file', 'env'].find((key) => valueAt(written, [key]) === '')
  if (empty !== undefined) return problemAt(document, path, `${name} has an empty "${empty}"`, cure)
  return problemAt(document, path, `${name} must say where the secret is, not the secret itself`, cure)
}

const hasKey = (value: unknown, key: string): boolean => typeof value === 'object' && value !== null && Object.hasOwn(value, key)

function choiceMessage(document: YamlDocument, path: Path, written: unknown): string {
  if (written === undefined) return `${placeName(document, path)} is missing`
  return `${placeName(document, path)} cannot be ${mayQuote(document, path) ? brief(written) : 'this'}`
}

/** The description of a place. An item of a list has the description of its list. */
function descriptionAt({ value }: YamlDocument, schema: z.ZodType, path: Path): string | undefined {
  const own = schemaAt(schema, path, value)?.description
  return own ?? (typeof path.at(-1) === 'number' ? schemaAt(schema, path.slice(0, -1), value)?.description : undefined)
}
