import { visible } from '../core/safeName.ts'
import { withoutSecretForms } from '../core/secretText.ts'
import type { Line } from '../log/line.ts'
import { InvalidDeclaration } from '../settings/declared.ts'
import { type ExitCode, exit, UsageError } from './command.ts'
import { InvalidSettings } from './settings.ts'

/** What a person is told when a command throws, and the exit code that goes with it. */
export function errorReport(error: unknown): { readonly text: string; readonly code: ExitCode } {
  const { text, code } = worded(error)
  return { text: withoutSecretForms(text), code }
}

function worded(error: unknown): { readonly text: string; readonly code: ExitCode } {
  // Closing failed, too: what went wrong first is what matters.
  if (error instanceof SuppressedError) return worded(error.suppressed)
  if (error instanceof UsageError) return { text: `${error.message.trimEnd()}\n`, code: exit.usage }
  if (error instanceof InvalidSettings || error instanceof InvalidDeclaration)
    return { text: `${error.files.text.trimEnd()}\n`, code: exit.configuration }
  return { text: `${sentence(error)}\n`, code: exit.failed }
}

/** The same as one line of a log. */
export function errorLine(error: unknown): LogLine {
  const { fields, message } = wordedLine(error)
  return { fields, message: withoutSecretForms(message) }
}

type LogLine = Pick<Line, 'fields' | 'message'>

function wordedLine(error: unknown): LogLine {
  if (error instanceof SuppressedError) return wordedLine(error.suppressed)
  const event = 'failure'
  if (error instanceof InvalidSettings) return { fields: { event }, message: `the settings are invalid: ${error.files.text.trimEnd()}` }
  if (error instanceof InvalidDeclaration)
    return { fields: { event }, message: `the declaration is invalid: ${error.files.text.trimEnd()}` }
  if (!(error instanceof Error)) return { fields: { event }, message: visible(String(error)) }
  if (isBug(error)) return { fields: { event, err: error }, message: visible(error.message) }
  const { failed, cure } = failure(error)
  return { fields: { event, ...(cure === undefined ? {} : { cure }) }, message: visible(failed) }
}

/** What happened, and what to do next on a line of its own, whatever was thrown. */
export function sentence(error: unknown): string {
  // A bug shows where it is; an error that somebody worded does not need to.
  if (error instanceof Error && isBug(error)) return error.stack ?? error.message
  const { failed, cure } = failure(error)
  return cure === undefined ? visible(failed) : `${visible(failed)}\n  ${visible(cure)}`
}

/** The same in its two halves, for whoever shows them as part of something. */
export function failure(error: unknown): { readonly failed: string; readonly cure?: string } {
  if (!(error instanceof Error)) return { failed: String(error) }
  if (isBug(error)) return { failed: withoutSecretForms((error.stack ?? error.message).split(/\n\s*/).slice(0, 4).join(' · ')) }
  return { failed: withoutSecretForms(error.message), ...('cure' in error && typeof error.cure === 'string' ? { cure: error.cure } : {}) }
}

const isBug = (error: Error): boolean => error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError
