import type { Change } from '../core/change.ts'
import { settingsAfter } from '../core/existing.ts'
import { changesBeforeCheck } from '../core/firstCreates.ts'
import { boundText, count, counted, durationText } from '../core/quantity.ts'
import type { BudgetSnapshot, WorkspaceAbout } from '../core/report.ts'
import { changeKindOf } from './change.ts'
import { type Cost, callsAMinute, cost } from './cost.ts'
import { feltText } from './groupSync.ts'
import { standingOf } from './sections.ts'
import type { View } from './view.ts'

/** Whether the plan has changes that are written now. */
export const hasMeaning = (view: View): boolean => standingOf(view) === 'writes'

/** When the plan takes effect, by the settings of group sync after the plan is written, and its cost. Beside a base the cost is left out: the rest of the plan has one, too. */
export function meaningText({ about, judged: { plan }, difference }: Pick<View, 'about' | 'judged' | 'difference'>): string {
  const { changes } = plan
  const settings = settingsAfter(about.groupSync, changes)
  const takesAway = changes.some((change) => change.action === 'delete' || changeKindOf(change, about.roles) === 'lower')
  const felt = feltText(settings, takesAway)
  if (difference !== undefined) return felt
  return `${felt === '' ? '' : `${felt} `}${costText(costOf(about, changes), about.budget)}.`
}

type Calls = Pick<WorkspaceAbout, 'quietCalls' | 'readingCalls' | 'sliceChanges' | 'budget'>

export function costOf({ quietCalls: reads, sliceChanges, ...about }: Calls, changes: readonly Pick<Change, 'action'>[]): Cost {
  const work = { changes: changes.length, changesBeforeCheck: changesBeforeCheck(changes, sliceChanges) }
  return cost({ ...work, reads, sliceChanges, readingCalls: about.readingCalls, budget: about.budget })
}

/** `7 calls, under 5 s at 54 a minute`; `180 calls, 5 min at 34 a minute, earlier commands and others use 20 of 60`. */
export function costText({ calls, ms, fits }: Cost, budget: BudgetSnapshot): string {
  const others = budget.others === 0 ? '' : `, earlier commands and others use ${count(budget.others)} of ${count(budget.limit)}`
  return `${counted(calls, 'call')}, ${fits ? `under ${boundText(ms)}` : durationText(ms)} at ${count(callsAMinute(budget))} a minute${others}`
}
