import { didYouMean } from '../core/nearest.ts'
import type { Path } from './document.ts'
import { kindNamed, type z } from './zod.ts'

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
  const found = branches.map(([issue, ...more]): Partial<Choices> | undefined => {
    if (issue === undefined || more.length > 0 || issue.path.length > 0) return undefined
    if (issue.code === 'invalid_value') return { values: issue.values }
    if (issue.code !== 'invalid_type') return undefined
    return issue.expected === 'boolean' ? { values: [true, false] } : { kinds: [kindNamed(issue.expected)] }
  })
  const values = found.flatMap((one) => one?.values ?? [])
  return values.length === 0 || found.includes(undefined) ? undefined : { values, kinds: found.flatMap((one) => one?.kinds ?? []) }
}

/** `true` or `false` for a word of YAML 1.1 that means it. YAML 1.2 reads it as a text. */
export function truthOf(written: string, values: readonly unknown[]): string | undefined {
  if (!values.includes(true)) return undefined
  if (/^(?:yes|y|on|true)$/i.test(written)) return 'true'
  return /^(?:no|n|off|false)$/i.test(written) ? 'false' : undefined
}
