import type { Change } from './change.ts'
import type { Doors } from './doors.ts'
import type { Finding } from './finding.ts'
import type { GroupSync } from './groupSync.ts'
import type { Hold } from './hold.ts'
import type { WorkspaceName } from './mapping.ts'
import type { Outcome } from './outcome.ts'
import type { Policy } from './policy.ts'
import type { Revision } from './revision.ts'
import type { RoleSettings } from './roles.ts'

/** One write that was tried. `failedMs`: when an earlier cycle tried it last, and it failed. */
export type Result = { readonly change: Change; readonly outcome: Outcome; readonly failedMs?: number }

/** The results of writing an approved plan. */
export type Applied = {
  readonly results: readonly Result[]
  readonly holds: readonly Hold[]
  /** Approved but not tried: nothing more could be sent. */
  readonly left: readonly Change[]
  /**
   * Why writing ended before the end of the plan. `outdated`: the machine was suspended, so the readings of the cycle are too old. `notAsSent`: the service
   * stored several mappings otherwise than they were sent. `refused`: several changes in a row failed in the same way.
   */
  readonly stopped?: 'outdated' | 'credential' | 'throttled' | 'unreachable' | 'notAsSent' | 'refused' | 'signal' | 'journal'
  /** The error of the journal, if `stopped` is `journal`. */
  readonly why?: string
}

/** The state of the budget of one credential, in requests of the trailing window. */
export type BudgetSnapshot = {
  readonly limit: number
  /** The limit without the reserve. */
  readonly allowed: number
  /** Estimated requests of others with this credential. */
  readonly others: number
  /** Requests that may be sent now. */
  readonly remaining: number
  /** The wait before the next request. */
  readonly waitMs: number
  /** The wait of each of the next requests, ascending: one entry for each request that fits into one window. It assumes that others go on as now. */
  readonly waitsMs: readonly number[]
  readonly windowMs: number
}

/** Facts about a workspace that are shown beside its plan. */
export type WorkspaceAbout = {
  readonly workspace: WorkspaceName
  readonly slug: string
  readonly host: string
  readonly policy: Policy
  readonly suspend: boolean | 'grants'
  readonly doors: Doors
  readonly credential: string
  /** The settings of group sync as last read; absent if they were never read. */
  readonly groupSync?: GroupSync
  /** Why these settings could not be read; absent: they were read, or not asked for. */
  readonly groupSyncUnread?: string
  readonly budget: BudgetSnapshot
  /** Calls of a cycle without changes, as last counted. */
  readonly quietCalls: number
  /** Calls of the last reading, with the second ones of lists, those that ask by id, and that for the settings of group sync. */
  readonly readingCalls: number
  /** Changes of one slice. A longer plan is written in slices, each from a fresh read. */
  readonly sliceChanges: number
  /** The shortest time between two ticks of the schedule. */
  readonly intervalMs: number
  /** Tells raises from lowerings, and which roles are protected. */
  readonly roles: RoleSettings
  /** Δ: how long after its last byte a write of unknown outcome may still be executed. */
  readonly unknownOutcomeWaitMs: number
  /** Findings that are the same for all workspaces: about the clocks and the schedule. */
  readonly shared: readonly Finding[]
}

/**
 * A file or folder that is not used as it is now: it is invalid, cannot be read, or is outside of every fence. `isUsed`: its last valid text is used; otherwise
 * it gives nothing and takes nothing. `owner`: of its fence; absent: it is in none. `unread`: it is no invalid text, since it cannot be read. Of a folder: all
 * that is in it.
 */
export type KeptFile = { readonly file: string; readonly owner?: string; readonly isUsed: boolean; readonly unread?: true }

export type DeclarationReport = {
  /** SHA-256 in hex over all files. */
  readonly hash: string
  readonly files: number
  /** Absent: it is not known, or some files are not used as they are now. */
  readonly revision?: Revision
  /** What is wrong with the present files. Absent: nothing. */
  readonly kept?: string
  /** The files that are not used as they are now; empty: files contradict each other. Absent without `kept`. */
  readonly keptFiles?: readonly KeptFile[]
  /** This is a command that only plans, and a running daemon uses its own last valid texts in place of the files of which nothing is used here. */
  readonly besideDaemon?: true
}

/** The settings in use. `hash`: SHA-256 in hex. `kept`: why the present file is not used. Absent: it is in use. */
export type SettingsReport = { readonly hash: string; readonly kept?: string }

export type DirectoryReport = {
  readonly name: string
  readonly kind: string
  readonly status: 'complete' | 'partial' | 'failed'
  readonly groups: number
  readonly why?: string
  readonly atMs: number
  readonly tookMs: number
  /** The reading is incomplete because the program was asked to stop. */
  readonly stopped?: true
}
