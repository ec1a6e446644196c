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
