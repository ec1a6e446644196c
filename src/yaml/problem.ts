import { OperationalError } from '../core/operationalError.ts'
import type { Position } from '../core/rule.ts'
import { withoutSecretForms } from '../core/secretText.ts'

/** A mistake in a file, with its place and the line to show. Line 0 means the file as a whole. */
export type Problem = {
  readonly at: Position
  readonly message: string
  /** The allowed values, or the value that was probably meant. */
  readonly cure?: string
  readonly source?: Excerpt
}

/** A line of a source without its secrets. `from` and `to` are UTF-16 indexes of the part with the problem. */
export type Excerpt = { readonly line: string; readonly from: number; readonly to: number }

/** Files that cannot be used: all their problems, and the text that shows them without colour. */
export type InvalidFiles = { readonly valid: false; readonly problems: readonly Problem[]; readonly text: string }

/** The input files of the program cannot be used. `files.text` shows every problem with its line. */
export class InvalidInput extends OperationalError {
  /** The kind of input, as a sentence names it. */
  readonly what: 'settings' | 'declaration'
  readonly files: InvalidFiles
  constructor(what: InvalidInput['what'], message: string, files: InvalidFiles) {
    super(what === 'settings' ? 'InvalidSettings' : 'InvalidDeclaration', message)
    this.what = what
    this.files = files
  }
}

/** A problem of a file as a whole: missing, unreadable, too large. */
export const problemOfFile = (file: string, message: string, cure?: string): Problem => ({
  at: { file, line: 0, column: 0 },
  message: withoutSecretForms(message),
  ...(cure === undefined ? {} : { cure: withoutSecretForms(cure) }),
})
