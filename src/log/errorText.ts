import { withoutSecretForms } from '../core/secretText.ts'

/** An error as a log may hold it. */
export type LoggedError = {
  readonly type: string
  readonly message: string
  readonly code?: string
  readonly cure?: string
  readonly causes?: readonly string[]
  readonly stack?: string
}

const causesMax = 5

/**
 * Only what is listed here: errors of libraries and our own carry requests, headers and secrets as properties, and pino's own serializer
 * copies every one of them. An error that somebody worded has a `code` or a name of its own and needs no stack; any other is a defect and
 * shows where it is.
 */
export function loggedError(error: unknown): unknown {
  if (!(error instanceof Error)) return typeof error === 'object' && error !== null ? '(not an error)' : error
  const [code, cure] = [textOf(error, 'code'), textOf(error, 'cure')]
  const causes = causesOf(error)
  const logged: LoggedError = {
    type: error.name,
    message: withoutSecretForms(error.message),
    ...(code === undefined ? {} : { code }),
    ...(cure === undefined ? {} : { cure }),
    ...(causes.length === 0 ? {} : { causes }),
    ...(code !== undefined || Object.hasOwn(error, 'name') || error.stack === undefined ? {} : { stack: withoutSecretForms(error.stack) }),
  }
  return logged
}

/** What happened and what to do next, in one line. */
export function errorSentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cure = textOf(error, 'cure')
  return withoutSecretForms(cure === undefined ? error.message : `${error.message}; ${cure}`)
}

function causesOf(error: Error): readonly string[] {
  const causes: string[] = []
  for (let cause = error.cause; cause instanceof Error && causes.length < causesMax; cause = cause.cause) {
    if (cause.message !== error.message) causes.push(withoutSecretForms(cause.message))
  }
  return causes
}

function textOf(error: Error, name: 'code' | 'cure'): string | undefined {
  const value: unknown = name in error ? (error as Error & Record<typeof name, unknown>)[name] : undefined
  return typeof value === 'string' ? value : undefined
}
