/** A state, a limit or a fault that cannot be read. The message says where, what, and what to do. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError'
  /** Where to read how it is written. Absent: the help of the command says it. */
  readonly cure: string | undefined

  constructor(message: string, { cure, ...options }: { readonly cure?: string; readonly cause?: unknown } = {}) {
    super(message, options)
    this.cure = cure
  }
}
