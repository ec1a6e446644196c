/** The promises that a world can break (docs/promises.md). */
export type Violation = { readonly promise: Promised; readonly atMs: number; readonly what: string }
export type Promised =
  | 'twice'
  | 'reading'
  | 'declared'
  | 'ours'
  | 'owned'
  | 'projects'
  | 'groups'
  | 'fences'
  | 'guards'
  | 'orders'
  | 'undone'
  | 'throttled'
  | 'slow'
  | 'settles'
  | 'bounded'
  | 'secrets'
  | 'reported'
  | 'retried'
  | 'evidence'

/** Reports a broken promise, and why. */
export type Fail = (promise: Promised, why: string) => void

export const protectedRoles: ReadonlySet<string> = new Set(['admin', 'owner'])
