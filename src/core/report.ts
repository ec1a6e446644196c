import type { Change } from './change.ts'
import type { Hold } from './hold.ts'
import type { WorkspaceName } from './mapping.ts'
import type { Outcome } from './outcome.ts'
import type { Policy } from './policy.ts'
import type { RoleSettings } from './roles.ts'
import type { GroupSync } from './rule.ts'

/** One write that was tried. */
export type Result = { readonly change: Change; readonly outcome: Outcome }

/** What came of writing an approved plan. */
export type Applied = {
  readonly results: readonly Result[]
  readonly holds: readonly Hold[]
  /** Approved, and not tried: the slice was full, or nothing more could be sent. */
  readonly left: readonly Change[]
  /** Why it ended before the plan did. */
  readonly stopped?: 'slice' | 'credential' | 'throttled' | 'unreachable' | 'signal' | 'journal'
  /** Why the journal took no more, where that ended it. */
  readonly why?: string
}

/** How the budget of one credential stands: requests in the trailing window. */
export type BudgetSeen = {
  readonly limit: number
  /** Of the limit, with the reserve taken off. */
  readonly allowed: number
  /** Used by others, estimated. */
  readonly others: number
  /** What may be sent at once, and how long the next one waits. */
  readonly remaining: number
  readonly waitMs: number
  readonly windowMs: number
}

/** What there is to say of a workspace besides its plan. */
export type WorkspaceAbout = {
  readonly workspace: WorkspaceName
  readonly slug: string
  readonly host: string
  readonly policy: Policy
  readonly suspend: boolean | 'grants'
  readonly credential: string
  /** As last seen; absent where it was never asked for. */
  readonly groupSync?: GroupSync
  readonly budget: BudgetSeen
  /** Calls of a cycle in which nothing changes, as last counted. */
  readonly quietCalls: number
  /** A longer plan is written in slices of so many changes, each from a fresh read. */
  readonly sliceChanges: number
  /** The shortest time between two ticks of the schedule. */
  readonly intervalMs: number
  /** For raise and lower, and for what is protected. */
  readonly roles: RoleSettings
  /** Δ: until how long after its last byte a write of unknown outcome may still be executed. */
  readonly unknownOutcomeWaitMs: number
}

export type DeclarationReport = {
  /** SHA-256 in hex over all files. */
  readonly hash: string
  readonly files: number
  /** Why the last good one is used instead of what lies there now. */
  readonly kept?: string
}

export type DirectoryReport = {
  readonly name: string
  readonly kind: string
  readonly status: 'complete' | 'partial' | 'failed'
  readonly groups: number
  readonly why?: string
  readonly atMs: number
  readonly tookMs: number
  /** It was not read whole since the program was asked to stop meanwhile. */
  readonly stopped?: true
}
