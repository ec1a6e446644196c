import { errorParts } from '../core/errorText.ts'
import { visible } from '../core/safeName.ts'
import { withoutSecretForms } from '../core/secretText.ts'
import type { LogLine } from '../log/line.ts'
import { InvalidInput } from '../yaml/problem.ts'
import { type ExitCode, exitCodes, UsageError } from './command.ts'

/**
 * The text on standard error and the exit code for an error that a command threw.
 *
 * @param pointer the next step after a wrong command line, unless the error has a cure of its own
 */
export function errorReport(error: unknown, pointer?: string): { readonly text: string; readonly code: ExitCode } {
  const { text, code } = reportOf(error, pointer)
  return { text: withoutSecretForms(text), code }
}

function reportOf(error: unknown, pointer: string | undefined): { readonly text: string; readonly code: ExitCode } {
  // Closing failed, too. The first error is reported.
  if (error instanceof SuppressedError) return reportOf(error.suppressed, pointer)
  if (error instanceof UsageError) {
    const cure = error.cure ?? pointer
    return {
      text: `${visibleLines(error.message.trimEnd())}${cure === undefined ? '' : `\n  ${visibleLines(cure)}`}\n`,
      code: exitCodes.usage,
    }
  }
  if (error instanceof InvalidInput) return { text: `${error.files.text.trimEnd()}\n`, code: exitCodes.configuration }
  return { text: `${sentence(error)}\n`, code: exitCodes.failed }
}

/** The message and the fields of the log line for an error that ends a command. */
export function errorLine(error: unknown): ErrorLine {
  const { fields, message } = wordedLine(error)
  return { fields, message: withoutSecretForms(message) }
}

type ErrorLine = Pick<LogLine, 'fields' | 'message'>

function wordedLine(error: unknown): ErrorLine {
  if (error instanceof SuppressedError) return wordedLine(error.suppressed)
  const event = 'failure'
  if (error instanceof InvalidInput) {
    const verb = error.what === 'settings' ? 'are' : 'is'
    return { fields: { event }, message: `the ${error.what} ${verb} invalid: ${error.files.text.trimEnd()}` }
  }
  const { message, cure } = errorParts(error)
  if (isDefect(error)) return { fields: { event, err: error }, message: visible(message) }
  return { fields: { event, ...(cure === undefined ? {} : { cure }) }, message: visible(message) }
}

/** Makes control characters of a text visible, and keeps its line breaks. The text may quote an argument, which may contain any character. */
const visibleLines = (text: string): string => text.split('\n').map(visible).join('\n')

/** The text of anything that was thrown, with its cure on a line of its own. */
function sentence(error: unknown): string {
  // A defect shows where it is; an error with words for people does not need to.
  if (isDefect(error)) return visibleLines(error.stack ?? error.message)
  const { message, cure } = errorParts(error)
  return cure === undefined ? visible(message) : `${visible(message)}\n  ${visible(cure)}`
}

/** The message of an error and its cure as two texts, for a document. The text of a defect is the beginning of its stack. */
export function failure(error: unknown): { readonly failed: string; readonly cure?: string } {
  if (isDefect(error)) return { failed: withoutSecretForms((error.stack ?? error.message).split(/\n\s*/).slice(0, 4).join(' · ')) }
  const { message, cure } = errorParts(error)
  return cure === undefined ? { failed: message } : { failed: message, cure }
}

const isDefect = (error: unknown): error is Error =>
  error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError
