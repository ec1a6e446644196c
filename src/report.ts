import type { WorkspaceName } from './core/mapping.ts'
import type { Policy } from './core/policy.ts'
import type { RoleSettings } from './core/roles.ts'
import type { GroupSync } from './core/rule.ts'
import type { WorkspaceResult } from './workspace.ts'

/** What came of one cycle over all workspaces: what commands print, the daemon logs and counts. Plain data, no capability. */
export type CycleReport = {
  readonly startedMs: number
  readonly tookMs: number
  readonly declaration: {
    readonly hash: string
    readonly files: number
    /** Why the last good one is used instead of what lies there now. */
    readonly kept?: string
  }
  readonly directories: readonly DirectoryReport[]
  readonly workspaces: readonly WorkspaceReport[]
}

export type WorkspaceReport = WorkspaceResult & { readonly workspace: WorkspaceName; readonly about: WorkspaceAbout }

export type DirectoryReport = {
  readonly name: string
  readonly kind: string
  readonly status: 'complete' | 'partial' | 'failed'
  readonly groups: number
  /** What is missing, or why it failed; absent where it is complete. */
  readonly why?: string
  readonly atMs: number
  readonly tookMs: number
}

export type WorkspaceAbout = {
  readonly workspace: WorkspaceName
  readonly slug: string
  /** Host of the service. */
  readonly host: string
  readonly policy: Policy
  readonly suspend: boolean | 'grants'
  readonly credential: string
  /** As last seen; absent where they were never asked for. */
  readonly groupSync?: GroupSync
  /** Calls a minute that the budget allows. */
  readonly perMinute: number
  /** Calls of one fresh read of what exists. */
  readonly quietCalls: number
  readonly roles: RoleSettings
  /** Δ: until how long after its last byte a write of unknown outcome may still be executed. */
  readonly unknownOutcomeWaitMs: number
}
