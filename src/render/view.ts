import type { Judged } from '../core/judge/guards.ts'
import type { PlanDifference } from '../core/planDifference.ts'
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
  /** The plan is made from a recording, not from what Plane and the directories have now. */
  readonly recorded?: RecordedView
  /** The plan shows only what a branch changes beside its base. */
  readonly difference?: Pick<PlanDifference, 'gone' | 'same' | 'left'>
  /** Only the rows of the rules of one owner are shown. */
  readonly owner?: OwnerView
  readonly nowMs: number
}

/** `others`: how many rows of others are not shown. `known`: the owners that have rows, if this one has none. */
export type OwnerView = { readonly name: string; readonly others: number; readonly known: readonly string[] }

/** `differs`: settings of the present folder that are not as recorded; `invalid`: these cannot be compared. The recorded ones count. */
export type RecordedView = {
  readonly takenMs: number
  readonly ageMs: number
  readonly differs: readonly string[] | 'invalid'
  /** The date of the plan, if it is not the present one. */
  readonly planMs?: number
  readonly base?: BaseView
}

/** What the plan is compared with. `behind`: how many commits of the base the branch lacks. `invalid`: its files cannot be used, so the whole plan is shown. */
export type BaseView = { readonly name: string; readonly behind: number; readonly invalid: boolean }

export type AppliedView = View & { readonly applied: Applied }

/** A workspace without a plan. `failed`: why no plan could be made; `cure`: what to do next. */
export type FailedView = { readonly about: WorkspaceAbout; readonly failed: string; readonly cure?: string }
