import { OperationalError } from './operationalError.ts'
import { withoutSecretForms } from './secretText.ts'

/** The message of a thrown value; other code may throw a value that is no Error. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The message of an error, and its cure if it has one, both without secrets. */
export function errorParts(error: unknown): { readonly message: string; readonly cure?: string } {
  const message = withoutSecretForms(messageOf(error))
  if (!(error instanceof OperationalError) || error.cure === undefined) return { message }
  return { message, cure: withoutSecretForms(error.cure) }
}

/**
 * The message and the cure as one text.
 *
 * @param between the text before the cure
 */
export function errorText(error: unknown, between = '; '): string {
  const { message, cure } = errorParts(error)
  return cure === undefined ? message : message + between + cure
}

/** Longer than any useful chain. A chain may be a circle. */
const errorsMax = 5

/** An error and its causes, the outermost first. */
export function errorChain(error: unknown): readonly unknown[] {
  const chain: unknown[] = []
  for (let at = error; at !== undefined && chain.length < errorsMax; at = at instanceof Error ? at.cause : undefined) chain.push(at)
  return chain
}
