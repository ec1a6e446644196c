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
import { type Evidence, reportedWorkspaces } from './reportedWorkspaces.ts'

type PageReportOptions = {
  readonly readings: KeptReadings
  readonly memory: () => Pick<Memory, 'seen'>
  readonly loaded: () => Pick<LoadedSettings, 'settings' | 'path'>
  readonly clock: Pick<Clock, 'now' | 'wall'>
}

/** Who has access, for the page of a daemon. It is made when the page is asked for, once for each cycle. */
type PageReport = { ended(report: CycleReport): void; document(): ReportDocument | undefined }

/** What one cycle knew at its end. While the next one reads, readings and settings are already its own. */
type Ended = {
  readonly report: CycleReport
  readonly atMs: number
  readonly evidence: Evidence
  readonly loaded: Pick<LoadedSettings, 'settings' | 'path'>
}

export function openPageReport({ readings, memory, loaded, clock }: PageReportOptions): PageReport {
  let last: Ended | undefined
  let made: ReportDocument | undefined
  return {
    ended(report) {
      last = { report, atMs: clock.wall(), evidence: evidenceNow(), loaded: loaded() }
      made = undefined
    },
    document() {
      if (last === undefined) return undefined
      made ??= documentOf(last)
      return made
    },
  }

  /** Copies the maps that the next cycle changes. The lists in them are never changed. */
  function evidenceNow(): Evidence {
    const lists = new Map([...readings.workspaces].map(([workspace, kept]) => [workspace, kept.lists]))
    return {
      lists: (workspace: WorkspaceName) => lists.get(workspace) ?? new Map(),
      directories: new Map(readings.directories),
      seen: memory().seen,
      // The page has no column for who agreed: report says it.
      written: new Map(),
      dateOf: (ms: number) => dateOf(clock, ms),
    }
  }
}

function documentOf({ report, atMs, evidence, loaded: { settings, path } }: Ended): ReportDocument {
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
