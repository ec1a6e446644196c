import { errorText } from '../core/errorText.ts'
import type { Finding } from '../core/finding.ts'
import { sharedFindings } from '../core/findings/shared.ts'
import { type Hold, passOf } from '../core/hold.ts'
import type { WorkspaceName } from '../core/mapping.ts'
import type { Plan } from '../core/plan.ts'
import { counted } from '../core/quantity.ts'
import type { DirectoryReport, WorkspaceAbout } from '../core/report.ts'
import { visible } from '../core/safeName.ts'
import { type CycleReport, stoppedText, type WorkspaceReport } from '../cycle/cycleReport.ts'
import { cycleOutcome } from '../cycle/outcome.ts'
import { resultText } from '../render/applied.ts'
import { theseChanges } from '../render/approved.ts'
import { restText, sumText, writesText } from '../render/counts.ts'
import { approveSet, limitCure, limitText } from '../render/holdApproval.ts'
import { keptConsequence, keptFilesText } from '../render/keptFiles.ts'
import { journalText } from '../render/nextStep.ts'
import { countsOf, protectedWrites, setsOf, standingOf } from '../render/sections.ts'
import { findingLine, type LineSink, type LogLine, writeLines } from './line.ts'
import { holdLines, type LoggedNames } from './planLines.ts'

/** Workspace → what has been logged of it. The key `undefined` has what concerns several workspaces. */
type LoggedBefore = ReadonlyMap<WorkspaceName | undefined, LoggedNames>

/**
 * Logs the report of each cycle. Holds, findings and problems of the declaration that the cycle before had are not logged again. `whole`: the last report of
 * each workspace, if the cycle was about some workspaces only.
 */
export function openReportLog(sink: LineSink): (report: CycleReport, whole?: CycleReport) => void {
  let before: LoggedBefore = new Map()
  return (report, whole) => {
    const { lines, loggedNames } = reportLines(report, before, whole)
    before = loggedNames
    writeLines(sink, lines)
  }
}

/**
 * A cycle as lines: directories that could not be read, new holds and findings, sets that wait, and one summary for each workspace. Its writes have been logged
 * one by one. Pure.
 * `before` is the `loggedNames` of the cycle before.
 */
export function reportLines(
  report: CycleReport,
  before: LoggedBefore,
  whole: CycleReport = report,
): { readonly lines: readonly LogLine[]; readonly loggedNames: LoggedBefore } {
  const workspaces = report.workspaces.map((workspaceReport) => ({
    workspaceReport,
    ...workspaceLines(workspaceReport, before.get(workspaceReport.workspace) ?? nothing, report),
  }))
  const sharedBefore = before.get(undefined) ?? nothing
  const shared = newFindingLines(undefined, sharedFindings(whole.workspaces), sharedBefore)
  const declaration = declarationLines(report, sharedBefore)
  const directories = directoryLines(report, sharedBefore)
  return {
    lines: [...declaration.lines, ...directories.lines, ...workspaces.flatMap(({ lines }) => lines), ...shared.lines],
    loggedNames: new Map([
      ...whole.workspaces.map(({ workspace }) => [workspace, before.get(workspace) ?? nothing] as const),
      ...workspaces.map(({ workspaceReport, loggedNames }) => [workspaceReport.workspace, loggedNames] as const),
      [undefined, shared.logged.union(declaration.logged).union(directories.logged)],
    ]),
  }
}

/** The problems of an invalid declaration are an error, once. After that, a warning says in each cycle that they are the same. */
function declarationLines(
  { declaration: { kept, keptFiles = [], hash } }: CycleReport,
  before: LoggedNames,
): { readonly lines: readonly LogLine[]; readonly logged: LoggedNames } {
  if (kept === undefined) return { lines: [], logged: nothing }
  const name = `declaration ${kept}`
  const isLogged = before.has(name)
  const still = isLogged ? ' still' : ''
  const unread = keptFiles.filter((file) => file.unread === true)
  const invalid = keptFiles.filter((file) => file.unread !== true)
  const states = [
    ...(unread.length === 0 ? [] : [`${keptFilesText(unread)}${still} cannot be read. `]),
    ...(invalid.length === 0 ? [] : [`${keptFilesText(invalid)} ${invalid.length === 1 ? 'is' : 'are'}${still} invalid. `]),
  ]
  const stated = `${states.join('')}${keptConsequence(keptFiles)}`
  const message = isLogged ? `${stated}; plane-group-sync validate shows what to correct` : `${stated}: ${kept}`
  const fields = { event: 'declaration', inUse: hash, files: keptFiles } as const
  return { lines: [{ level: isLogged ? 'warn' : 'error', fields, message }], logged: new Set([name]) }
}

/** One line for each directory. Of one that was not complete when it was last read, it is logged that it is complete again. */
function directoryLines(
  { directories }: CycleReport,
  before: LoggedNames,
): { readonly lines: readonly LogLine[]; readonly logged: LoggedNames } {
  const nameOf = ({ name }: DirectoryReport) => `directory ${name}`
  const read = directories.filter(({ stopped }) => stopped !== true)
  const unread = [...before].filter((name) => name.startsWith('directory ') && !read.some((directory) => nameOf(directory) === name))
  const incomplete = read.filter(({ status }) => status !== 'complete').map(nameOf)
  return {
    lines: directories.map((directory) => directoryLine(directory, before.has(nameOf(directory)))),
    logged: new Set([...unread, ...incomplete]),
  }
}

function directoryLine({ name, kind, status, groups, why, tookMs, stopped }: DirectoryReport, wasIncomplete: boolean): LogLine {
  const fields = { event: 'directory', directory: name, kind, status, groups, tookMs, ...(why === undefined ? {} : { why }) } as const
  if (status === 'complete') {
    const [level, again] = wasIncomplete ? (['info', ' again'] as const) : (['debug', ''] as const)
    return { level, fields, message: `${name}: complete${again}, ${counted(groups, 'group')}` }
  }
  if (stopped === true) return { level: 'info', fields, message: `${name}: stopped while it was read` }
  const effect = 'this reading does not prove that a group is missing'
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
  const outcome = cycleOutcome(report)
  if (report.kind === 'failed') {
    const message = `${workspace} failed: ${visible(errorText(report.error))}`
    return {
      lines: [{ level: 'error', fields: { event: 'failure', workspace, outcome, err: report.error }, message }],
      loggedNames: before,
    }
  }
  if (report.kind === 'stopped') {
    const fields = { event: 'summary', workspace, outcome, written: 0, tookMs: cycle.tookMs } as const
    return { lines: [{ level: 'info', fields, message: `${workspace} ${stoppedText}` }], loggedNames: before }
  }
  if (report.kind === 'moved') {
    const message = `${workspace}: the plan is not the one that was reviewed; nothing was written`
    return { lines: [{ level: 'error', fields: { event: 'failure', workspace, outcome }, message }], loggedNames: before }
  }
  const { plan } = report.judged
  const endedMs = cycle.startedMs + cycle.tookMs
  const holds = holdLines(plan.holds.filter(waitsAlone), about, before, endedMs)
  const findings = newFindingLines(workspace, plan.findings, before)
  const lines = [...holds.lines, ...findings.lines, ...setLogLines(about, plan.holds), summaryLine(report, cycle.tookMs)]
  const logged = [...holds.loggedNames, ...findings.logged]
  return { lines, loggedNames: logged.length === 0 ? nothing : new Set(logged) }
}

/** A set of changes has a line of its own. */
const waitsAlone = ({ reason }: Hold): boolean => reason.kind !== 'approval' || reason.why !== 'limit'

/** One shared empty set: of thousands of workspaces most have no holds and no findings. */
const nothing: LoggedNames = new Set()

/** One line for each finding that the cycle before did not have. Other numbers in the same sentence make no other finding. */
function newFindingLines(workspace: WorkspaceName | undefined, findings: readonly Finding[], before: LoggedNames) {
  const nameOf = ({ code, place, sentence }: Finding) => `${code} ${place} ${sentence.replaceAll(/\d+/g, '0').slice(0, 200)}`
  const fresh = findings.filter((finding) => !before.has(nameOf(finding)))
  return { lines: fresh.map((finding) => findingLine(workspace, finding)), logged: new Set(findings.map(nameOf)) }
}

/** One line for each set of changes that waits for a limit. */
const setLogLines = ({ workspace, doors }: Pick<WorkspaceAbout, 'workspace' | 'doors'>, waiting: readonly Hold[]): readonly LogLine[] =>
  setsOf(waiting).map(({ over: { name, count, limit, owned, setting, sentence, pass }, changes }) => ({
    level: 'warn',
    fields: {
      event: 'waitingSet',
      workspace,
      limit: name,
      count,
      allowed: limit,
      setting,
      id: pass,
      ...(owned === undefined ? {} : { owned }),
    },
    message: `${workspace} waits for approval: ${visible(limitText(name, sentence))}; ${limitCure(name, setting)} · ${approveSet(passOf({ name, pass, count }), theseChanges(changes), doors)}`,
  }))

type Judged = Extract<WorkspaceReport, { kind: 'judged' }>

/** The outcome of one workspace in one cycle, with counts. Only mappings that equal the declaration or were written count as success. */
function summaryLine(report: Judged, tookMs: number): LogLine {
  const { workspace, about, judged, applied } = report
  const plan: Plan = judged.plan
  const outcome = cycleOutcome(report)
  const done = (applied?.results ?? []).filter((result) => result.outcome.kind === 'done').map(({ change }) => change)
  const counts = countsOf(plan, about)
  const written = countsOf({ ...plan, changes: done }, about)
  const writes = writesText(written)
  const nothing = applied === undefined || plan.changes.length === 0
  const text = nothing
    ? `${report.isWrittenBefore ? 'already as planned: ' : outcome === 'planned' ? 'dry run: ' : ''}${inSentence(sumText(counts, standingOf({ judged })))}`
    : `${resultText([{ applied, about }])}${writes === '' ? '' : `: ${writes}`} · ${restText(counts)}${stoppedClause(applied)}`
  return {
    level: levels[outcome],
    fields: {
      event: 'summary',
      workspace,
      outcome,
      plan: plan.fingerprint.slice(0, 8),
      planned: plan.changes.length,
      written: done.length,
      ...counts,
      held: counts.held + counts.kept,
      protected: protectedWrites(counts),
      tookMs,
    },
    message: `${workspace} ${text}`,
  }
}

/** A text that follows the name of the workspace. */
const inSentence = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

const levels = {
  success: 'info',
  waiting: 'warn',
  planned: 'info',
  incomplete: 'warn',
  stale: 'warn',
  partial: 'error',
  failed: 'error',
} as const

function stoppedClause(applied: NonNullable<Judged['applied']>): string {
  const { stopped, why } = applied
  switch (stopped) {
    case undefined:
      return ''
    case 'credential':
      return ' · stopped: the service does not accept the credential'
    case 'throttled':
      return ' · stopped: the service asks to wait'
    case 'unreachable':
      return ' · stopped: the service does not answer'
    case 'notAsSent':
      return ' · stopped: the service stores mappings otherwise than they were sent'
    case 'refused':
      return ' · stopped: the service failed in the same way several times in a row'
    case 'signal':
      return ' · stopped on request'
    case 'journal':
      return ` · ${applied.left.length === 0 ? '' : 'stopped: '}${visible(why ?? 'the journal cannot be written')}; ${journalText(applied)}`
    case 'outdated':
      return ' · stopped: the machine was suspended, or its clock was set forward; the next cycle reads everything again'
    default:
      return stopped satisfies never
  }
}
