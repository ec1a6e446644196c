import type { BudgetSeen } from '../budgetNear.ts'
import type { Change } from '../change.ts'
import type { Verdict } from '../guards.ts'
import type { Hold } from '../hold.ts'
import type { WorkspaceName } from '../mapping.ts'
import type { Outcome } from '../outcome.ts'
import type { Policy } from '../policy.ts'
import type { RoleSettings } from '../roles.ts'
import type { GroupSync } from '../rule.ts'

/** Everything that a rendering of one workspace shows. */
export type View = {
  readonly about: About
  readonly declaration: DeclarationSeen
  readonly directories: readonly DirectorySeen[]
  readonly verdict: Verdict
  /** Absent where nothing was to be written. */
  readonly applied?: AppliedSeen
  /** The plan is not the one that was agreed to: nothing was written. */
  readonly moved?: boolean
  readonly nowMs: number
}

/** A workspace of which no plan could be made, and why. */
export type FailedView = { readonly about: About; readonly failed: string; readonly cure?: string }

export type About = {
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

export type DeclarationSeen = {
  readonly hash: string
  readonly files: number
  /** Why the last good one is used instead of what lies there now. */
  readonly kept?: string
}

export type DirectorySeen = {
  readonly name: string
  readonly kind: string
  readonly status: 'complete' | 'partial' | 'failed'
  readonly groups: number
  readonly why?: string
  readonly atMs: number
  readonly tookMs: number
}

export type AppliedSeen = {
  readonly results: readonly { readonly change: Change; readonly outcome: Outcome }[]
  readonly holds: readonly Hold[]
  readonly left: readonly Change[]
  readonly stopped?: 'slice' | 'credential' | 'throttled' | 'unreachable' | 'signal' | 'journal'
  /** Why the journal took no more. */
  readonly why?: string
}
