import { z } from 'zod'

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
