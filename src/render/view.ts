import type { Judged } from '../core/judge/guards.ts'
import type { Applied, DeclarationReport, DirectoryReport, WorkspaceAbout } from '../core/report.ts'

/** Everything that a rendering of one workspace shows. */
export type View = {
  readonly about: WorkspaceAbout
  readonly declaration: DeclarationReport
  readonly directories: readonly DirectoryReport[]
  readonly judged: Judged
  /** Absent if nothing was to be written. */
  readonly applied?: Applied
  /** The plan is not the one that was reviewed, so nothing was written. */
  readonly moved?: boolean
  /** The command waits, reads again and plans anew by itself, so there is no next step for a person. */
  readonly goesOn?: boolean
  /** The plan is that of a file. */
  readonly isSaved?: boolean
  readonly nowMs: number
}

export type AppliedView = View & { readonly applied: Applied }

/** A workspace without a plan. `failed`: why no plan could be made; `cure`: what to do next. */
export type FailedView = { readonly about: WorkspaceAbout; readonly failed: string; readonly cure?: string }
