import { accessRows } from '../core/access/access.ts'
import type { WrittenFor } from '../core/access/agreed.ts'
import type { GroupIndex } from '../core/group.ts'
import { type Key, type List, type Mapping, type WorkspaceName, workspaceOfKey } from '../core/mapping.ts'
import type { Edit, SeenLists } from '../core/memory/seen.ts'
import { defined } from '../core/optionalFields.ts'
import { type Reading, valueIfRead } from '../core/reading.ts'
import { type CycleReport, stoppedText, type WorkspaceReport } from '../cycle/cycleReport.ts'
import { type ReportView, reportedLists } from '../render/reportDocument.ts'
import { failure } from './errorReport.ts'

/** What a report is made from beside its plans. `dateOf`: the date of a moment of the readings' clock. */
export type Evidence = {
  readonly lists: (workspace: WorkspaceName) => ReadonlyMap<List, Reading<readonly Mapping[]>>
  readonly directories: ReadonlyMap<string, Reading<GroupIndex>>
  readonly seen: SeenLists
  readonly written: ReadonlyMap<Key, WrittenFor>
  /** What others changed lately. Absent: not known. */
  readonly edits?: readonly Edit[]
  readonly dateOf: (atMs: number) => number
}

/** The mappings of each workspace of a cycle that listed the unchanged ones. */
export const reportedWorkspaces = ({ workspaces }: CycleReport, evidence: Evidence): ReportView['workspaces'] =>
  workspaces.map((workspace) => reportedWorkspace(workspace, evidence))

function reportedWorkspace(
  report: WorkspaceReport,
  { lists, directories, seen, written, edits, dateOf }: Evidence,
): ReportView['workspaces'][number] {
  const { workspace, about } = report
  if (report.kind === 'failed') return { workspace, failed: failure(report.error).failed }
  if (report.kind === 'stopped') return { workspace, failed: stoppedText }
  const { plan } = report.judged
  const readings = lists(workspace)
  const indexes = [...directories.values()].flatMap((reading) => valueIfRead(reading) ?? [])
  return {
    workspace,
    fingerprint: plan.fingerprint,
    lists: reportedLists(workspace, readings, seen, dateOf),
    rows: accessRows({ plan, lists: readings, directories: indexes, seen, written }),
    roles: about.roles,
    ...defined({ edits: edits?.filter(({ key, by }) => by !== 'program' && workspaceOfKey(key) === workspace) }),
  }
}
