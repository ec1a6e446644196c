import { sharedFindings } from '../core/findings/shared.ts'
import type { HoldKind } from '../core/hold.ts'
import { holdEffectsOf } from '../core/holdEffects.ts'
import { isAsSent } from '../core/outcome.ts'
import type { CycleReport, WorkspaceReport } from '../cycle/cycleReport.ts'
import { isUndeclaredProtected } from '../render/sections.ts'
import { type ExitCode, exitCodes } from './command.ts'
import type { failOn } from './description.ts'

export type FailOn = (typeof failOn)[number]

/**
 * Failed comes before an invalid file, that before waiting, and waiting before pending. A directory or list that could not be read whole counts as failed.
 */
export function exitCode(report: CycleReport, fails: ReadonlySet<FailOn> = new Set()): ExitCode {
  const { workspaces, directories, declaration } = report
  if (directories.some(({ status }) => status !== 'complete') || workspaces.some(hasFailed)) return exitCodes.failed
  if (declaration.kept !== undefined) return exitCodes.configuration
  if (workspaces.some(isWaiting)) return exitCodes.refused
  if (fails.has('findings') && sharedFindings(workspaces).length > 0) return exitCodes.pending
  return workspaces.some((workspace) => [...fails].some((reason) => applies(reason, workspace))) ? exitCodes.pending : exitCodes.done
}

/**
 * The exit code of a command that writes. It is 1 also if another writer makes the same mappings: people and jobs repeat an `apply` to see whether all
 * changes are written now.
 */
export const exitCodeOfWriting = (report: CycleReport): ExitCode =>
  report.workspaces.some(hasAnotherWriter) ? exitCodes.failed : exitCode(report)

const hasAnotherWriter = (workspace: WorkspaceReport): boolean =>
  workspace.kind === 'judged' && holdEffectsOf(workspace.judged.plan.holds).has('fails')

function hasFailed(workspace: WorkspaceReport): boolean {
  if (!isJudged(workspace) || holdEffectsOf(workspace.judged.plan.holds).has('unread')) return true
  if (workspace.judged.plan.findings.some(({ code }) => code === 'reading-incomplete')) return true
  if (workspace.kind === 'moved' || workspace.applied === undefined) return false
  if (workspace.applied.stopped === 'journal') return true
  return workspace.applied.left.length > 0 || workspace.applied.results.some(({ outcome }) => !isAsSent(outcome))
}

function isWaiting(workspace: WorkspaceReport): boolean {
  if (!isJudged(workspace)) return false
  return workspace.kind === 'moved' || holdEffectsOf(workspace.judged.plan.holds).has('waits')
}

/** Whether the plan of a workspace has what `--fail-on` names. */
function applies(reason: FailOn, workspace: WorkspaceReport): boolean {
  if (!isJudged(workspace)) return false
  const { changes, holds, findings } = workspace.judged.plan
  const has = (wanted: (kind: HoldKind) => boolean) => holds.some(({ reason: { kind } }) => wanted(kind))
  switch (reason) {
    case 'changes':
      return changes.length > 0
    case 'findings':
      return findings.length > 0
    case 'undeclared':
      return has((kind) => kind === 'undeclared')
    case 'undeclared-protected':
      return holds.some((hold) => isUndeclaredProtected(hold, workspace.about.roles))
    case 'approval':
      return has((kind) => kind === 'approval')
    case 'dangling':
      return holds.some(({ reason: why }) => why.kind === 'groupUnknown' && why.mapped)
    case 'held':
      return has((kind) => kind !== 'undeclared' && kind !== 'approval')
    default:
      return reason satisfies never
  }
}

type Judged = Exclude<WorkspaceReport, { kind: 'failed' | 'stopped' }>
const isJudged = (workspace: WorkspaceReport): workspace is Judged => workspace.kind !== 'failed' && workspace.kind !== 'stopped'
