import { by } from '../core/compare.ts'
import { counted } from '../core/quantity.ts'
import type { PlanEntry } from './entry.ts'
import { totalsWithin } from './fold.ts'
import { totalLine, totalTable } from './markdownTable.ts'
import { prose } from './markup.ts'
import { overallText } from './text.ts'
import { urgentEntries } from './urgent.ts'
import type { FailedView, View } from './view.ts'

/**
 * The workspaces that do not fit, in about `charactersMax` characters: their outcomes, the guards that refused them, and totals of the urgent
 * changes.
 */
export function moreWorkspaces(views: readonly (View | FailedView)[], charactersMax: number): string {
  const planned = views.flatMap((view) => ('failed' in view ? [] : [view]))
  const refusals = planned.flatMap(({ verdict }) => (verdict.approved ? [] : verdict.refusals))
  const guards = [...Map.groupBy(refusals, ({ guard }) => guard)].toSorted(by(([guard]) => guard))
  const parts = [
    `… and ${counted(views.length, 'more workspace')} (\`--format text\` shows all)`,
    prose(overallText(views)),
    ...(guards.length === 0 ? [] : [guards.map(([guard, of]) => `- refused by ${guard}: ${counted(of.length, 'time')}`).join('\n')]),
  ]
  const entries = planned.flatMap((view) => urgentEntries(view).map((entry) => ofWorkspace(entry, view.about.workspace)))
  if (entries.length === 0) return parts.join('\n\n')
  const room = charactersMax - parts.join('\n\n').length - 500
  return [...parts, totalTable(totalsWithin(entries, room, (total) => totalLine(total).length + 1))].join('\n\n')
}

/**
 * An entry for totals over several workspaces. Projects of one name in two workspaces stay apart. The cure is left out, since its `--allow`
 * names one plan.
 */
function ofWorkspace(entry: PlanEntry, workspace: string): PlanEntry {
  const { parts, target } = entry
  const where = target?.kind === 'project' ? `${workspace}/${parts.target}` : parts.target
  return { ...entry, sharedCure: '', parts: { ...parts, target: where } }
}
