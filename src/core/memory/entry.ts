import type { Change } from '../change.ts'
import type { List, WorkspaceName } from '../mapping.ts'
import type { Outcome } from '../outcome.ts'
import type { Revision } from '../revision.ts'
import type { DescribedChange } from '../waiverWords.ts'
import type { Approval } from './approvals.ts'
import type { MappingIds } from './knownMappings.ts'
import type { CycleRecord } from './lastCycle.ts'
import type { LearnedIds, MeantIds } from './meantIds.ts'
import type { OwnershipChange } from './ownership.ts'
import type { SeenReading } from './seen.ts'
import type { ToldChange } from './told.ts'

/** `directory/name` → the id of a group in that directory; only groups that exact rules name. */
export type GroupIds = Readonly<Record<string, string>>

/**
 * An entry of the journal, one a line: intent before each write, result after it, sizes of accepted readings of directories, ids of mappings, waivers used, a clean end.
 * `run` tells processes apart. In `start`: `waits` is `yes` if the memory may lack writes of an earlier process; `service` says which
 * service the journal belongs to. Times are epoch ms.
 */
export type Entry = {
  readonly atMs: number
  readonly run: string
} & (
  | {
      readonly kind: 'start'
      readonly version: string
      readonly command: string
      readonly waits: 'yes' | 'no' | 'waived'
      readonly service: Service
    }
  /** An edit of the settings changed the workspaces while the process ran, or the service has shown a known workspace under another slug. */
  | { readonly kind: 'service'; readonly service: Service }
  | { readonly kind: 'reading'; readonly of: string; readonly size: number }
  /** The ids that a reading of a list changed. `unread`: the next whole reading counts as the first one, since no file declares the list any more, or no reading was whole. */
  | { readonly kind: 'mappings'; readonly workspace: WorkspaceName; readonly list: List; readonly ids: MappingIds; readonly unread?: true }
  | { readonly kind: 'intent'; readonly workspace: WorkspaceName; readonly change: Change; readonly declaration: string }
  | {
      readonly kind: 'result'
      readonly workspace: WorkspaceName
      readonly change: Change
      readonly declaration: string
      readonly outcome: Outcome
    }
  | {
      readonly kind: 'waiver'
      readonly workspace: WorkspaceName
      readonly fingerprint: string
      readonly passes: readonly string[]
      readonly by: string
      /** Absent: a file gave the approval, or an older version wrote the entry. */
      readonly account?: string
      readonly source: string
    }
  /** A person handed an approval to the daemon. It counts only after this entry is on the disk. */
  | { readonly kind: 'approval'; readonly approval: Approval }
  /** A whole list shows changes of approvals as done. */
  | { readonly kind: 'shown'; readonly workspace: WorkspaceName; readonly changes: readonly DescribedChange[] }
  /** A person ended an approval before its time. */
  | { readonly kind: 'withdrawal'; readonly approval: string; readonly by: string; readonly account: string }
  /**
   * New ids of groups that rules name. The ids tell a rename from a new group. `meant`: which texts of a workspace's declaration mean which
   * group; if the ids or texts of a name differ from before, the entry has all ids of that name.
   */
  | { readonly kind: 'groups'; readonly ids: GroupIds; readonly meant?: LearnedIds }
  /**
   * Which texts of a workspace's declaration mean which project. If the ids or texts of an identifier differ from before, the entry has all
   * ids of that identifier. An identifier with an empty record is removed. Since format 2.
   */
  | { readonly kind: 'projects'; readonly workspace: WorkspaceName; readonly ids: MeantIds }
  /** What is ours, as far as a reading changed it. Only a cycle that may write has this entry. */
  | ({ readonly kind: 'ownership' } & OwnershipChange)
  /** What a reading of a list shows that was not known. */
  | ({ readonly kind: 'seen' } & SeenReading)
  /** A cycle that may write uses a declaration of this hash, or knows another commit of it. */
  | ({ readonly kind: 'declaration' } & KnownRevision)
  /** What `notify` tells from now on as known. */
  | ({ readonly kind: 'told' } & ToldChange)
  /** The last entry of a file that has a next one. If it is read, the next file is lost, and with it the record of later writes. */
  | { readonly kind: 'continued' }
  /** No write is in flight. `cycle`: a cycle of the daemon ended here. */
  | { readonly kind: 'end'; readonly cycle?: CycleRecord }
)

/**
 * `host`: host, port and base path, as `serviceAddress` writes them. `slugs`: the slug that each workspace name is bound to: that of the settings, or
 * the confirmed one, as long as the service has not shown this workspace under the slug of the settings. The memory of a journal means nothing for another service.
 */
export type Service = { readonly host: string; readonly slugs: Readonly<Record<string, string>> }

/** The commit of the declaration that has this hash. */
export type KnownRevision = { readonly hash: string; readonly revision: Revision }
