import type { Change } from './change.ts'
import type { Finding } from './finding.ts'
import type { Hold } from './hold.ts'
import type { List, WorkspaceName } from './mapping.ts'

/** What would be written to one workspace, what waits, and what there is to know. Sorted: equal inputs give equal plans. */
export type Plan = {
  readonly workspace: WorkspaceName
  readonly changes: readonly Change[]
  readonly holds: readonly Hold[]
  readonly findings: readonly Finding[]
  readonly unchanged: number
  /** What the guards measure against: how many mappings are owned, a list at a time, and how many of them are workspace administrators. */
  readonly owned: Readonly<Partial<Record<List, number>>>
  readonly administrators: number
  /** SHA-256 in hex over origin, format version and the changes with ids and before/after; not over counts, times or people. */
  readonly fingerprint: string
}
