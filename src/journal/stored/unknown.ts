import type { NoFields } from '../../core/fields.ts'
import { OperationalError } from '../../core/operationalError.ts'

/** Takes the name of a field that this version does not know, with the fields around it: `result.change.ticket`. */
export type Tell = (name: string) => void

/** For the fields of `field`. */
export const inField =
  (tell: Tell, field: string): Tell =>
  (name) =>
    tell(`${field}.${name}`)

/**
 * A value that was made field by field from a stored one. `rest` is what the stored one has besides: TypeScript refuses it where a known field
 * was left out, and in a file it is what a newer version wrote.
 */
export function read<T>(value: T, rest: NoFields, tell: Tell): T {
  for (const name of Object.keys(rest)) tell(name)
  return value
}

/**
 * Why nothing can be made of a value. A text that is not known is the word of a newer version: an `OperationalError`, whose message names it.
 * Anything else is damage.
 */
export const notUnderstood = (what: string, value: unknown): Error =>
  typeof value === 'string' ? new OperationalError('JournalNewer', `${what} ${JSON.stringify(value)}`) : new TypeError(`${what} is no text`)

/** Each value of a record, under its name. */
export const eachOf = <Name extends string, From, To>(
  record: Readonly<Record<Name, From>>,
  make: (value: From) => To,
): Readonly<Record<Name, To>> =>
  Object.fromEntries(Object.entries<From>(record).map(([name, value]) => [name, make(value)])) as Record<Name, To>
