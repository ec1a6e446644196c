import { hash } from 'node:crypto'
import { errorText } from '../../core/errorText.ts'
import { holdEffectsOf } from '../../core/holdEffects.ts'
import { type WorkspaceName, workspaceOfKey } from '../../core/mapping.ts'
import type { Memory } from '../../core/memory/memory.ts'
import type { ToldFact } from '../../core/memory/told.ts'
import { type Notice, withoutFloods } from '../../core/notice/notice.ts'
import type { Ending } from '../../core/notice/tell.ts'
import { OperationalError } from '../../core/operationalError.ts'
import { defined } from '../../core/optionalFields.ts'
import { fenceOwnerOfRow } from '../../core/ownerOf.ts'
import type { CycleReport, WorkspaceReport } from '../../cycle/cycleReport.ts'
import { contradictionNotice, fileNotice, type NoticeView, unreadNotice, workspaceNotices } from '../../render/notice.ts'
import { fenceOwners } from '../../settings/notify.ts'
import type { Settings } from '../../settings/schema.ts'

/** What the facts of now are made from. `dateMs`: epoch ms, by the date. */
type Seen = {
  readonly settings: Pick<Settings, 'fences' | 'workspaces'>
  readonly memory: Pick<Memory, 'edits'>
  readonly dateMs: number
}

/**
 * The facts that stand after a cycle, and what has become of those that do not. A workspace that could not be read, or of which not everything was read, shows
 * nothing as over.
 */
export function observedFacts(
  { workspaces, declaration }: CycleReport,
  { settings, memory, dateMs }: Seen,
): { readonly notices: readonly Notice[]; readonly endingOf: (fact: ToldFact) => Ending } {
  const ownerOfFile = fenceOwners(settings)
  const byWorkspace = Map.groupBy(
    memory.edits.filter((edit) => edit.by === 'others'),
    ({ key }) => workspaceOfKey(key),
  )
  const editsIn = (workspace: WorkspaceName) => byWorkspace.get(workspace) ?? []
  const ownerOf: NoticeView['ownerOf'] = (row) => fenceOwnerOfRow(row, ownerOfFile)
  const ofWorkspaces = workspaces.flatMap((report): readonly Notice[] => {
    const { workspace, about } = report
    if (report.kind === 'failed') {
      const code = report.error instanceof OperationalError ? report.error.code : 'defect'
      return [unreadNotice(about, code, errorText(report.error))]
    }
    if (report.kind !== 'judged') return []
    const { judged, applied } = report
    const view = { about, plan: judged.plan, ...defined({ applied }), ownerOf }
    return workspaceNotices({ ...view, edits: editsIn(workspace), dateMs })
  })
  const { kept, keptFiles = [] } = declaration
  const ofFiles = kept === undefined ? [] : keptFiles.length === 0 ? [contradictionNotice] : keptFiles.map(fileNotice)
  const byName = new Map(workspaces.map((report) => [report.workspace, report]))
  return {
    notices: withoutFloods([...ofFiles, ...ofWorkspaces], (text) => hash('sha256', text)),
    endingOf(fact) {
      const { workspace } = fact
      if (workspace === undefined) return 'over'
      if (!Object.hasOwn(settings.workspaces, workspace)) return 'gone'
      return endingIn(byName.get(workspace), fact)
    },
  }
}

function endingIn(report: WorkspaceReport | undefined, fact: ToldFact): Ending {
  if (report?.kind !== 'judged') return 'unknown'
  if (fact.about === 'edit') return 'gone'
  const { judged, applied } = report
  const { holds } = judged.plan
  if (fact.kind !== 'failed') {
    const isWhole = !holdEffectsOf(holds).has('unread') && holds.every(({ reason }) => reason.kind !== 'fileInvalid')
    return isWhole ? 'over' : 'unknown'
  }
  if (fact.about === 'cycle') return 'over'
  // A write that was not tried again may still fail.
  const wasTried = applied !== undefined && applied.left.length === 0 && applied.stopped === undefined
  return wasTried && holds.every(({ reason }) => reason.kind !== 'quarantined' && reason.kind !== 'suspended') ? 'over' : 'unknown'
}
