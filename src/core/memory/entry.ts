import type { Change } from '../change.ts'
import type { WorkspaceName } from '../mapping.ts'
import type { Outcome } from '../outcome.ts'
import type { ProjectIds } from './projectIds.ts'

/** By `directory/name`: the id under which a directory knew a group that an exact rule names. */
export type GroupIds = Readonly<Record<string, string>>

/**
 * What the journal says, one entry a line: intent before each write, result after, sizes of believed readings, waivers used, a clean end.
 * `run` tells processes apart. Of a start `waits` is `yes` where nothing says how the process before ended, and `service` is what this journal
 * is about. Times are epoch ms.
 */
export type Entry = {
  readonly atMs: number
  readonly run: string
} & (
  | {
      readonly entry: 'start'
      readonly version: string
      readonly command: string
      readonly waits: 'yes' | 'no' | 'waived'
      readonly service: Service
    }
  | { readonly entry: 'reading'; readonly of: string; readonly size: number }
  | { readonly entry: 'intent'; readonly workspace: WorkspaceName; readonly change: Change; readonly declaration: string }
  | {
      readonly entry: 'result'
      readonly workspace: WorkspaceName
      readonly change: Change
      readonly declaration: string
      readonly outcome: Outcome
    }
  | {
      readonly entry: 'waiver'
      readonly workspace: WorkspaceName
      readonly fingerprint: string
      readonly passes: readonly string[]
      readonly by: string
      readonly source: string
    }
  /** The ids of groups that rules name, as far as they are new: what tells a rename from a new group. */
  | { readonly entry: 'groups'; readonly ids: GroupIds }
  /**
   * Which texts of a workspace's declaration mean which project: each identifier of which something is new, whole. One without an id is
   * forgotten. Since format 2.
   */
  | { readonly entry: 'projects'; readonly workspace: WorkspaceName; readonly ids: ProjectIds }
  | { readonly entry: 'end' }
)

/** Host, and the slug that each workspace name is bound to: what a journal remembers means nothing elsewhere. */
export type Service = { readonly host: string; readonly slugs: Readonly<Record<string, string>> }
