import { type Clock, dateOf } from '../core/clock.ts'
import type { WorkspaceName } from '../core/mapping.ts'
import type { Memory } from '../core/memory/memory.ts'
import { complete } from '../core/optionalFields.ts'
import type { CycleReport } from '../cycle/cycleReport.ts'
import type { ReportDocument } from '../documents/report.ts'
import type { KeptReadings } from '../recording/readings.ts'
import { type ReportView, reportDocument } from '../render/reportDocument.ts'
import type { LoadedSettings } from '../settings/load.ts'
import { serviceOf } from '../settings/service.ts'
import { reportedWorkspaces } from './reportedWorkspaces.ts'

type PageReportOptions = {
  readonly readings: KeptReadings
  readonly memory: () => Memory
  readonly loaded: () => LoadedSettings
  readonly clock: Pick<Clock, 'now' | 'wall'>
}

/** Who has access, for the page of a daemon. It is made when the page is asked for, once for each cycle. */
type PageReport = { ended(report: CycleReport): void; document(): ReportDocument | undefined }

export function openPageReport({ readings, memory, loaded, clock }: PageReportOptions): PageReport {
  let last: { readonly report: CycleReport; readonly atMs: number } | undefined
  let made: ReportDocument | undefined
  return {
    ended(report) {
      last = { report, atMs: clock.wall() }
      made = undefined
    },
    document() {
      if (last === undefined) return undefined
      made ??= documentOf(last)
      return made
    },
  }

  function documentOf({ report, atMs }: NonNullable<typeof last>): ReportDocument {
    const { settings, path } = loaded()
    const evidence = {
      lists: (workspace: WorkspaceName) => readings.workspaces.get(workspace)?.lists ?? new Map(),
      directories: readings.directories,
      seen: memory().seen,
      // The page has no column for who agreed: report says it.
      written: new Map(),
      dateOf: (ms: number) => dateOf(clock, ms),
    }
    const view = complete<ReportView>({
      atMs,
      from: 'readings',
      service: serviceOf(settings),
      declaration: report.declaration,
      plannedMs: undefined,
      journal: settings.journal === 'none' ? undefined : { folder: path(settings.journal.folder) },
      workspaces: reportedWorkspaces(report, evidence),
    })
    return reportDocument(view, { roles: [], owners: [], groups: [] })
  }
}
