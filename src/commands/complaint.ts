import { visible } from '../core/safeName.ts'
import { InvalidDeclaration } from '../settings/declared.ts'
import { type ExitCode, exit, UsageError } from './command.ts'
import { InvalidSettings } from './open.ts'

/** What a person is told when a command throws, and the exit code that goes with it. */
export function complaint(error: unknown): { readonly text: string; readonly code: ExitCode } {
  if (error instanceof UsageError) return { text: `${error.message.trimEnd()}\n`, code: exit.usage }
  if (error instanceof InvalidSettings || error instanceof InvalidDeclaration)
    return { text: `${error.files.text.trimEnd()}\n`, code: exit.configuration }
  return { text: `${sentence(error)}\n`, code: exit.failed }
}

/** What happened and what to do next, in one line, whatever was thrown. */
export function sentence(error: unknown): string {
  if (!(error instanceof Error)) return visible(String(error))
  const cure = 'cure' in error && typeof error.cure === 'string' ? `\n  ${error.cure}` : ''
  // A bug shows where it is; an error that somebody worded does not need to.
  const bug = error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError
  return bug ? `${error.stack ?? error.message}` : `${visible(error.message)}${cure}`
}
