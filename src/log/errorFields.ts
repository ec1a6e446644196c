import { errorChain, errorParts } from '../core/errorText.ts'
import { withoutSecretForms } from '../core/secretText.ts'

/** An error as a log may hold it. */
type ErrorFields = {
  readonly type: string
  readonly message: string
  readonly code?: string
  readonly cure?: string
  readonly causes?: readonly string[]
  readonly stack?: string
}

/**
 * The fields of an error for a log line: only those that are listed here. Errors carry requests, headers and secrets as properties, and pino's own
 * serializer copies all of them. An error with a `code` or a name of its own has a message for people and needs no stack. Any other error is a
 * defect; its stack shows where it is.
 */
export function errorFields(error: unknown): unknown {
  if (!(error instanceof Error)) return typeof error === 'object' && error !== null ? '(not an error)' : error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const isWorded = code !== undefined || Object.hasOwn(error, 'name')
  const { message, cure } = errorParts(error)
  const causes = causesOf(error)
  return {
    type: error.name,
    message,
    // The code of some errors is only their name; it is not repeated.
    ...(code === undefined || code === error.name ? {} : { code }),
    ...(cure === undefined ? {} : { cure }),
    ...(causes.length === 0 ? {} : { causes }),
    ...(isWorded || error.stack === undefined ? {} : { stack: withoutSecretForms(error.stack) }),
  } satisfies ErrorFields
}

const causesOf = (error: Error): readonly string[] =>
  errorChain(error.cause).flatMap((cause) =>
    cause instanceof Error && cause.message !== error.message ? [withoutSecretForms(cause.message)] : [],
  )
