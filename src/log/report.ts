import { waiverId } from '../core/change.ts'
import { errorText } from '../core/errorText.ts'
import type { Finding } from '../core/finding.ts'
import { sharedFindings } from '../core/findings/shared.ts'
import type { WorkspaceName } from '../core/mapping.ts'
import type { DirectoryReport } from '../core/report.ts'
import { visible } from '../core/safeName.ts'
import { cycleOutcome } from '../cycle/outcome.ts'
import { type CycleReport, stoppedText, type WorkspaceReport } from '../cycle/report.ts'
import { changeLine } from './changeLine.ts'
import { findingLine } from './findingLine.ts'
import { holdLines, type LoggedNames } from './holdLines.ts'
import { type LineSink, type LogLine, writeLines } from './line.ts'
import { summaryLine } from './summaryLine.ts'

/** Workspace → what has been logged of it. The key `undefined` has the findings that concern several workspaces. */
export type LoggedBefore = ReadonlyMap<WorkspaceName | undefined, LoggedNames>

/** Logs the report of each cycle. Holds and findings that the cycle before had are not logged again. */
export function openReportLog(sink: LineSink): (report: CycleReport) => void {
  let before: LoggedBefore = new Map()
  return (report) => {
    const { lines, loggedNames } = reportLines(report, before)
    before = loggedNames
    writeLines(sink, lines)
  }
}

/**
 * A cycle as lines: directories that could not be read, each write, new holds and findings, refusals, and one summary for each workspace. Pure.
 * `before` is the `loggedNames` of the cycle before.
 */
export function reportLines(
  report: CycleReport,
  before: LoggedBefore,
): { readonly lines: readonly LogLine[]; readonly loggedNames: LoggedBefore } {
  const workspaces = report.workspaces.map((one) => ({ one, ...workspaceLines(one, before.get(one.workspace) ?? nothing, report) }))
  const shared = newFindingLines(undefined, sharedFindings(report.workspaces), before.get(undefined) ?? new Set())
  return {
    lines: [
      ...declarationLines(report),
      ...report.directories.map(directoryLine),
      ...workspaces.flatMap(({ lines }) => lines),
      ...shared.lines,
    ],
    loggedNames: new Map([...workspaces.map(({ one, loggedNames }) => [one.workspace, loggedNames] as const), [undefined, shared.said]]),
  }
}

function declarationLines({ declaration: { kept, hash } }: CycleReport): readonly LogLine[] {
  if (kept === undefined) return []
  const message = `the declaration is invalid, the last valid one (${hash.slice(0, 8)}) stays in use: ${kept}`
  return [{ level: 'error', fields: { event: 'declaration', inUse: hash, why: kept }, message }]
}

function directoryLine({ name, kind, status, groups, why, tookMs, stopped }: DirectoryReport): LogLine {
  const fields = { event: 'directory', directory: name, kind, status, groups, tookMs, ...(why === undefined ? {} : { why }) } as const
  if (status === 'complete') return { level: 'debug', fields, message: `${name}: complete, ${groups} groups` }
  if (stopped === true) return { level: 'info', fields, message: `${name}: stopped while it was read` }
  const effect = 'it does not prove that a group is missing'
  return {
    level: status === 'failed' ? 'error' : 'warn',
    fields,
    message: `${name}: ${status}: ${visible(why ?? 'no reason given')}; ${effect}`,
  }
}

type Cycle = Pick<CycleReport, 'startedMs' | 'tookMs'>

function workspaceLines(
  report: WorkspaceReport,
  before: LoggedNames,
  cycle: Cycle,
): { readonly lines: readonly LogLine[]; readonly loggedNames: LoggedNames } {
  const { workspace, about } = report
  if (report.kind === 'failed') {
    const message = `${workspace} failed: ${visible(errorText(report.error))}`
    return { lines: [{ level: 'error', fields: { event: 'failure', workspace, err: report.error }, message }], loggedNames: before }
  }
  if (report.kind === 'stopped') {
    const fields = { event: 'summary', workspace, outcome: cycleOutcome(report), written: 0, tookMs: cycle.tookMs } as const
    return { lines: [{ level: 'info', fields, message: `${workspace} ${stoppedText}` }], loggedNames: before }
  }
  if (report.kind === 'moved') {
    const message = `${workspace}: the plan is not the one that was reviewed; nothing was written`
    return { lines: [{ level: 'error', fields: { event: 'failure', workspace }, message }], loggedNames: before }
  }
  const { plan } = report.verdict
  const endedMs = cycle.startedMs + cycle.tookMs
  const holds = holdLines([...plan.holds, ...(report.applied?.holds ?? [])], about, before, endedMs)
  const findings = newFindingLines(workspace, plan.findings, before)
  const lines = [
    ...(report.applied?.results ?? []).map((result) => changeLine(result, about, endedMs)),
    ...holds.lines,
    ...findings.lines,
    ...refusalLogLines(report),
    summaryLine(report, cycle.tookMs),
  ]
  const said = [...holds.loggedNames, ...findings.said]
  return { lines, loggedNames: said.length === 0 ? nothing : new Set(said) }
}

/** One shared empty set: of thousands of workspaces most have no holds and no findings. */
const nothing: LoggedNames = new Set()

/** Empty for a guard without a limit in the settings. */
const orSetting = (setting: string): string => (setting.startsWith('guards.') ? ` · or change ${setting}` : '')

type Judged = Extract<WorkspaceReport, { kind: 'judged' }>

/** One line for each finding that the cycle before did not have. */
function newFindingLines(workspace: WorkspaceName | undefined, findings: readonly Finding[], before: LoggedNames) {
  const nameOf = ({ code, place }: Finding) => `${code} ${place}`
  const fresh = findings.filter((finding) => !before.has(nameOf(finding)))
  return { lines: fresh.map((finding) => findingLine(workspace, finding)), said: new Set(findings.map(nameOf)) }
}

function refusalLogLines({ workspace, verdict }: Judged): readonly LogLine[] {
  if (verdict.approved) return []
  const waiver = `--allow ${waiverId(verdict.plan.fingerprint)}`
  return verdict.refusals.map(({ guard, count, limit, owned, setting, sentence }) => ({
    level: 'error',
    fields: { event: 'refusal', workspace, guard, count, limit, setting, waiver, ...(owned === undefined ? {} : { owned }) },
    message: `${workspace} refused, nothing is written: ${visible(sentence)}; to allow this plan: apply ${waiver}${orSetting(setting)}`,
  }))
}
