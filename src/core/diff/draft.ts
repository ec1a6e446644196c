import { type ChangeBody, canonical, type Hash, type UnorderedChange, waiverId } from '../change.ts'
import type { Desired, DesiredRole } from '../desired.ts'
import type { Finding } from '../finding.ts'
import type { Hold } from '../hold.ts'
import type { Key, List, WorkspaceName } from '../mapping.ts'
import type { Policy } from '../policy.ts'
import type { RoleSettings } from '../roles.ts'
import type { ByKey } from './byKey.ts'
import type { PendingReplacement } from './pendingReplacements.ts'
import type { Renames } from './renames.ts'
import type { ReadingProof } from './undeclared.ts'

export type DiffOptions = {
  /** The place that the plan is for, as the fingerprint has it: the service's address and the workspace's slug. */
  readonly origin: string
  readonly policy: Policy
  readonly roles: RoleSettings
  /** List → sent role → the other role that the service answered with. */
  readonly echoes: Readonly<Partial<Record<List, Readonly<Record<string, string>>>>>
  readonly hash: Hash
}

/** A plan while it is made. */
export type Draft = Omit<ReadingProof, 'lost'> & {
  readonly workspace: WorkspaceName
  readonly desired: Desired
  readonly options: DiffOptions
  readonly byKey: ByKey
  /** Keys that are both desired and mapped. */
  matchedKeys: number
  /** Desired, and not mapped. */
  readonly missing: [Key, DesiredRole][]
  /** Desired, not mapped, and not decidable yet. */
  readonly pending: PendingReplacement[]
  readonly renames: Renames
  readonly changes: UnorderedChange[]
  readonly holds: Hold[]
  readonly findings: Finding[]
  unchanged: number
}

/** Adds a change, with its id. */
export function addChange(change: ChangeBody, { changes, options: { hash } }: Draft): void {
  changes.push({ ...change, id: waiverId(hash(canonical(change))) })
}
