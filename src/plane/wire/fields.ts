import { z } from 'zod'

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * An id of the service. Ids become parts of paths, so characters that would change the path are refused. A UUID may come in either case (RFC 9562, section
 * 4), and is one id: two rows with it are one mapping, and a delete of one row would delete both.
 */
export const id = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, 'not an identifier')
  .transform((text) => (uuid.test(text) ? text.toLowerCase() : text))

export const optionalText = z.string().nullish()

/** The maximum number of characters in a name. Plane allows 255 for a group. An answer with a longer name is refused. */
export const textMax = 4_096

/** A date and time of ISO 8601 with any offset, as epoch ms. An unreadable one becomes undefined, so that the row is not lost. */
export const timestamp = z
  .string()
  .transform((text) => Date.parse(text))
  .nullish()
  .catch(undefined)

export type Times = { readonly createdAtMs?: number; readonly updatedAtMs?: number }

/** Fields of an answer that have no property of their own, with the names and values of the service. Absent if there are none. */
export type Others = { readonly others?: Readonly<Record<string, unknown>> }

/** The fields of a row that its schema does not have: `fields` and `expand` of a request may ask for any field of the service. */
export function othersOf(row: unknown, { shape }: { readonly shape: object }): Others {
  const others = Object.entries(row ?? {}).filter(([name]) => !Object.hasOwn(shape, name))
  return others.length === 0 ? {} : { others: Object.fromEntries(others) }
}

type TimeFields = { readonly created_at?: number | null | undefined; readonly updated_at?: number | null | undefined }

export function timesOf({ created_at, updated_at }: TimeFields): Times {
  return {
    ...(created_at ? { createdAtMs: created_at } : {}),
    ...(updated_at ? { updatedAtMs: updated_at } : {}),
  }
}

// Without this setting, zod compiles parsers with `new Function`, which hardened runtimes refuse. Such parsers are not faster for these bodies.
z.config({ jitless: true })

export { z }

/** An answer with a field that is missing or of the wrong shape. The message names the field: `results[3].role: …`. */
export class UnexpectedBody extends Error {
  override readonly name = 'UnexpectedBody'
}

/**
 * Checks one value of an answer. Unknown fields are ignored.
 *
 * @param at where the value is in the body, for the error; empty for the body itself
 * @throws {UnexpectedBody}
 */
export function parse<T>(schema: z.ZodType<T>, value: unknown, at: string): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const path = (issue?.path ?? []).map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('')
  throw new UnexpectedBody(`${`${at}${path}`.replace(/^\./, '') || 'the body'}: ${issue?.message ?? 'unexpected'}`)
}
