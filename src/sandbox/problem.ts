/** A state, a limit or a fault that cannot be read. The message says where, what, and what to do. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError'
}
