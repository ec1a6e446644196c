/** A state, a limit or a fault that cannot be read. `message` is for people: where, what, and what to do. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError'
}
