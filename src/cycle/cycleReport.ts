import type { WorkspaceName } from '../core/mapping.ts'
import type { DeclarationReport, DirectoryReport, WorkspaceAbout } from '../core/report.ts'
import type { WorkspaceResult } from './workspace.ts'

/** The result of one cycle over all workspaces. Commands print it; the daemon logs and counts it. Plain data, without any capability. */
export type CycleReport = {
  readonly startedMs: number
  readonly tookMs: number
  readonly declaration: DeclarationReport
  readonly directories: readonly DirectoryReport[]
  readonly workspaces: readonly WorkspaceReport[]
  /** When the next rule of these workspaces starts or ends, by the date of this machine; absent if no rule does. */
  readonly nextDateMs?: number
}

export type WorkspaceReport = WorkspaceEnd & { readonly workspace: WorkspaceName; readonly about: WorkspaceAbout }
/**
 * `failed`: there is no judged plan, because of an error; usually the lists could not be read. `stopped`: there is no judged plan, because the program was asked to
 * stop before, and nothing was written.
 */
export type WorkspaceEnd = WorkspaceResult | { readonly kind: 'failed'; readonly error: unknown } | { readonly kind: 'stopped' }
export const stoppedText = 'stopped before its plan was judged; nothing was written'
