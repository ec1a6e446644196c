import { OperationalError } from './operationalError.ts'
import { withoutSecretForms } from './secretText.ts'

/** The message of what was thrown: of others' code that need not be an Error. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** What happened, and what to do next where the error says so. */
export function errorParts(error: unknown): { readonly message: string; readonly cure?: string } {
  const message = withoutSecretForms(messageOf(error))
  if (!(error instanceof OperationalError) || error.cure === undefined) return { message }
  return { message, cure: withoutSecretForms(error.cure) }
}

/** The same as one text. @param between what stands before the cure */
export function errorText(error: unknown, between = '; '): string {
  const { message, cure } = errorParts(error)
  return cure === undefined ? message : message + between + cure
}

/** Longer than any chain that tells something; a chain may be a circle. */
const errorsMax = 5

/** An error and its causes, the outermost first. */
export function errorChain(error: unknown): readonly unknown[] {
  const chain: unknown[] = []
  for (let at = error; at !== undefined && chain.length < errorsMax; at = at instanceof Error ? at.cause : undefined) chain.push(at)
  return chain
}
