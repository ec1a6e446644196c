import { realClock } from '../compose/realClock.ts'
import { withParts } from '../core/judge/guards.ts'
import { endOfDatesMs } from '../core/later.ts'
import type { WorkspaceName } from '../core/mapping.ts'
import { planDifference } from '../core/planDifference.ts'
import type { Waiver } from '../core/waiver.ts'
import type { CycleReport } from '../cycle/cycleReport.ts'
import type { RecordedView, View } from '../render/view.ts'
import { InvalidDeclaration } from '../settings/declared.ts'
import type { Settings } from '../settings/schema.ts'
import { requireOpenDoor } from './allowOption.ts'
import { openBase } from './base.ts'
import type { Call, Terminal } from './command.ts'
import { openRecorded } from './openRecorded.ts'
import { planOnly } from './planOnly.ts'
import { onlyWorkspaces } from './workspaces.ts'

type RecordedPlan = {
  /** Beside a base it has only what the branch changes. */
  readonly report: CycleReport
  readonly nowMs: number
  readonly recorded: RecordedView
  readonly differences: Differences
  /** Of the settings. */
  readonly fences: Settings['fences']
  /** The report of the base. */
  readonly before?: CycleReport
}
export type Differences = ReadonlyMap<WorkspaceName, NonNullable<View['difference']>>

/** Plans a declaration from a recording, or what it changes beside its base. */
export async function planRecorded(
  file: string,
  values: Call['values'],
  terminal: Terminal,
  waivers: readonly Waiver[],
  signal: AbortSignal,
): Promise<RecordedPlan> {
  const open = await openRecorded(file, values, terminal, waivers, realClock.wall(), signal)
  requireOpenDoor(waivers, open.recording.settings)
  const only = onlyWorkspaces(values, open.recording.settings)
  await using base = await openBase(values, open.place, terminal, signal)
  // Beside a base all dates count, since the reviewer sees the file only now.
  const options = base === undefined ? { listsUnchanged: values.all === true } : { listsUnchanged: true, laterUntilMs: endOfDatesMs }
  const plannedAt = (place: string) => planOnly(open.partsOf(place), { only, ...options }, signal)
  const [report, before] = await Promise.all([plannedAt(open.place), base && unlessInvalid(plannedAt(base.place))])
  const whole = { report, nowMs: open.nowMs, fences: open.recording.settings.fences, recorded: open.view, differences: new Map() }
  if (base === undefined) return whole
  const { name, behind } = base
  const recorded = { ...open.view, base: { name, behind, invalid: before === undefined } }
  if (before === undefined) return { ...whole, recorded }
  return { ...whole, recorded, before, ...onlyChanged(before, report) }
}

/** A base whose files cannot be used decides nothing: then the whole plan is shown. */
async function unlessInvalid(planning: Promise<CycleReport>): Promise<CycleReport | undefined> {
  try {
    const report = await planning
    return report.declaration.kept === undefined ? report : undefined
  } catch (error) {
    if (error instanceof InvalidDeclaration) return undefined
    throw error
  }
}

function onlyChanged(base: CycleReport, branch: CycleReport): Pick<RecordedPlan, 'report' | 'differences'> {
  const differences = new Map<WorkspaceName, NonNullable<View['difference']>>()
  const before = new Map(base.workspaces.map((workspace) => [workspace.workspace, workspace]))
  const workspaces = branch.workspaces.map((workspace) => {
    const same = before.get(workspace.workspace)
    if (workspace.kind !== 'judged' || same?.kind !== 'judged') return workspace
    const { added, ...difference } = planDifference(same.judged.plan, workspace.judged.plan)
    differences.set(workspace.workspace, difference)
    return { ...workspace, judged: withParts(workspace.judged, added) }
  })
  return { report: { ...branch, workspaces }, differences }
}
