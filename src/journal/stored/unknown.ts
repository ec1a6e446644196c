import type { NoFields } from '../../core/fields.ts'
import { OperationalError } from '../../core/operationalError.ts'

/** Called with the path of each field that this version does not know: `result.change.ticket`. */
export type Tell = (name: string) => void

/** A `Tell` for the fields inside `field`: it puts `field.` before each name. */
export const inField =
  (tell: Tell, field: string): Tell =>
  (name) =>
    tell(`${field}.${name}`)

/**
 * Returns `value`, which was made field by field from a stored object. `rest` has the fields that were not read. Code that forgets to read
 * a field of the type does not compile. So at run time `rest` can only have fields of a newer version, and `tell` is called for each.
 */
export function read<T>(value: T, rest: NoFields, tell: Tell): T {
  for (const name of Object.keys(rest)) tell(name)
  return value
}

/**
 * The error for a value that this version cannot use. An unknown text comes from a newer version: the error is an `OperationalError` that names the
 * text. Any other value is damage.
 */
export const notUnderstood = (what: string, value: unknown): Error =>
  typeof value === 'string' ? new OperationalError('JournalNewer', `${what} ${JSON.stringify(value)}`) : new TypeError(`${what} is no text`)

/** Converts each value of a record. The names stay. */
export const eachOf = <Name extends string, From, To>(
  record: Readonly<Record<Name, From>>,
  make: (value: From) => To,
): Readonly<Record<Name, To>> =>
  Object.fromEntries(Object.entries<From>(record).map(([name, value]) => [name, make(value)])) as Record<Name, To>
