type Particulars = { readonly cure?: string | undefined; readonly cause?: unknown }

/**
 * An error that is no defect of this program: something outside it, or in its input, is wrong. Every such error that a person may see is an
 * `OperationalError`. The message says what happened and where; `cure` says what to do next. `code` is for programs. A kind of error that needs no
 * separate codes uses its name as its code. Make a subclass only if code tests for the class, or if the error needs more fields.
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
