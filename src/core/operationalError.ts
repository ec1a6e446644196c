type Particulars = { readonly cure?: string | undefined; readonly cause?: unknown }

/**
 * Something outside this program, or in what it was told, is wrong: no defect. Each such error that a person may see is one of these. The
 * message says what happened and where, `cure` what to do next. `code` is for programs; where an error has no codes of its own it is the
 * `name`. There is a subclass only where some code catches it by class, or where an error carries more.
 */
export class OperationalError<Code extends string = string> extends Error {
  override readonly name: string
  readonly code: Code
  readonly cure: string | undefined
  constructor(code: Code, message: string, { cure, cause }: Particulars = {}) {
    super(message, { cause })
    this.name = code
    this.code = code
    this.cure = cure
  }
}
