import type { WorkspaceName } from '../core/mapping.ts'
import { emptyMemory } from '../core/memory/memory.ts'
import { editsKeptMs, editsSince } from '../core/memory/seen.ts'
import { complete, defined } from '../core/optionalFields.ts'
import type { CycleReport } from '../cycle/cycleReport.ts'
import type { ReportDocument } from '../documents/report.ts'
import { realDisk } from '../journal/disk.ts'
import { readPast } from '../journal/past.ts'
import type { Recording } from '../recording/recording.ts'
import { notFoundText, type ReportFilter, type ReportView, reportDocument } from '../render/reportDocument.ts'
import type { LoadedSettings } from '../settings/load.ts'
import { serviceOf } from '../settings/service.ts'
import type { Terminal } from './command.ts'
import { type Evidence, reportedWorkspaces } from './reportedWorkspaces.ts'

/** `journal`: absent if it was not asked, or if there is none. */
type Known = Pick<Evidence, 'seen' | 'written' | 'edits'> & Pick<ReportView, 'journal'>

/** What the journal knows now, beside the plans. Without a journal: nothing. */
export async function evidenceNow(
  { settings: { journal, service }, path }: LoadedSettings,
  { processes }: Pick<Terminal, 'processes'>,
  nowMs: number,
  signal: AbortSignal,
): Promise<Known> {
  if (journal === 'none') return nothingKnown
  const folder = path(journal.folder)
  const past = await readPast(folder, realDisk(processes), Number.POSITIVE_INFINITY, service.unknownOutcomeWait, signal)
  return {
    seen: past.memory?.seen ?? emptyMemory.seen,
    written: past.memory === undefined ? new Map() : past.written,
    edits: editsSince(past.memory?.edits ?? [], nowMs - editsKeptMs),
    journal: { folder, ...defined({ fromMs: past.fromMs }) },
  }
}

export const nothingKnown: Known = { seen: emptyMemory.seen, written: new Map() }

/** The report of plans that were made from these readings. `atMs`, `plannedMs`: epoch ms. */
export function viewOfReadings(
  planned: CycleReport,
  { takenMs, steadyMs, workspaces, directories, settings }: Recording,
  { journal, atMs, plannedMs, ...known }: Known & { readonly atMs: number; readonly plannedMs?: number | undefined },
): ReportView {
  const of = {
    ...known,
    lists: (workspace: WorkspaceName) => workspaces.get(workspace)?.lists ?? new Map(),
    directories: new Map([...directories].map(([name, { reading }]) => [name, reading])),
    dateOf: (ms: number) => takenMs + ms - steadyMs,
  }
  return complete<ReportView>({
    atMs,
    from: 'readings',
    service: serviceOf(settings),
    declaration: planned.declaration,
    plannedMs,
    journal,
    workspaces: reportedWorkspaces(planned, of),
  })
}

/** A filter as a person asks for it. `endsWithinMs`: rules that end within this time from the date of the plans. */
export type AskedFilter = Omit<ReportFilter, 'endsBeforeMs'> & { readonly endsWithinMs?: number | undefined }

/** `notFound`: a line for each word of the filter that no row has. */
export function filteredReport(
  view: ReportView,
  { endsWithinMs, ...asked }: AskedFilter,
): { readonly report: ReportDocument; readonly notFound: string } {
  const fromMs = view.plannedMs ?? view.atMs
  const filter = { ...asked, ...defined({ endsBeforeMs: endsWithinMs === undefined ? undefined : fromMs + endsWithinMs }) }
  return { report: reportDocument(view, filter), notFound: notFoundText(view, filter) }
}
