/** What a world broke, by the promise (docs/promises.md). */
export type Violation = { readonly promise: Promised; readonly atMs: number; readonly what: string }
export type Promised =
  | 'twice'
  | 'reading'
  | 'declared'
  | 'owned'
  | 'projects'
  | 'guards'
  | 'undone'
  | 'throttled'
  | 'slow'
  | 'settles'
  | 'bounded'
  | 'secrets'
  | 'reported'

/** Says that something is broken, and why. */
export type Fail = (promise: Promised, why: string) => void

export const protectedRoles: ReadonlySet<string> = new Set(['admin', 'owner'])
