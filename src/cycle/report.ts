import type { WorkspaceName } from '../core/mapping.ts'
import type { DeclarationReport, DirectoryReport, WorkspaceAbout } from '../core/report.ts'
import type { WorkspaceResult } from './workspace.ts'

/** What came of one cycle over all workspaces: what commands print, the daemon logs and counts. Plain data, no capability. */
export type CycleReport = {
  readonly startedMs: number
  readonly tookMs: number
  readonly declaration: DeclarationReport
  readonly directories: readonly DirectoryReport[]
  readonly workspaces: readonly WorkspaceReport[]
}

export type WorkspaceReport = WorkspaceEnd & { readonly workspace: WorkspaceName; readonly about: WorkspaceAbout }
/** `failed`: it came to no verdict. `stopped`: nor to one of its own fault, for the program was asked to stop before. Nothing was written. */
export type WorkspaceEnd = WorkspaceResult | { readonly kind: 'failed'; readonly error: unknown } | { readonly kind: 'stopped' }
export const stoppedText = 'stopped before its lists were read; nothing was written'
