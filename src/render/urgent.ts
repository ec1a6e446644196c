import type { Hold } from '../core/hold.ts'
import { grantsProtected } from '../core/judge/guards.ts'
import { isAsSent, type Outcome } from '../core/outcome.ts'
import { outcomeWords, protectedHeld, triedEntry, wasTried } from './applied.ts'
import { changeEntry, holdEntries, type PlanEntry } from './entry.ts'
import { laterEntries } from './later.ts'
import { heldMark, waitingMark } from './marks.ts'
import { isProtectedEntry } from './rows.ts'
import { appliedHolds, grantsLater, isUndeclaredProtected, sectionsOf, standingOf } from './sections.ts'
import type { FailedView, View } from './view.ts'

/** `urgent`: workspaces that are shown first if not all fit. */
export function byUrgency(views: readonly (View | FailedView)[]): Readonly<Record<'urgent' | 'others', readonly (View | FailedView)[]>> {
  const { true: urgent = [], false: others = [] } = Object.groupBy(views, (view) => `${isUrgent(view)}`)
  return { urgent, others }
}

function isUrgent(view: View | FailedView): boolean {
  if ('failed' in view || view.moved === true) return true
  const { changes, holds, later } = view.judged.plan
  const { results = [], left = [] } = view.applied ?? {}
  const allChanges = [...changes, ...left, ...results.map(({ change }) => change), ...holds.flatMap(({ change }) => change ?? [])]
  return (
    allChanges.some((change) => grantsProtected(change, view.about.roles)) ||
    later.some((row) => grantsLater(row, view.about.roles)) ||
    holds.some((hold) => hold.reason.kind === 'approval' || isUndeclaredProtected(hold, view.about.roles)) ||
    results.some(({ outcome }) => !isAsSent(outcome))
  )
}

/** The entries of a workspace that no format may leave out, labelled with their section. */
export function urgentEntries(view: View): readonly PlanEntry[] {
  const { judged, about } = view
  const { writes, waiting, undeclared } = sectionsOf(judged.plan)
  const waits = holdEntries(waiting, waitingMark, view).map((entry) => labelled(entry, `needs approval: ${entry.label}`))
  const held = (holds: readonly Hold[], label: string) => holdEntries(holds, heldMark, view).map((entry) => labelled(entry, label))
  const kept = undeclared.filter((hold) => isUndeclaredProtected(hold, about.roles))
  const dated = laterEntries(judged.plan, about)
    .filter(isProtectedEntry)
    .map((entry) => labelled(entry, 'later'))
  const changes = (of: typeof writes, label: string) =>
    of.map((change) => labelled(changeEntry(change, about.roles), label)).filter(isProtectedEntry)
  if (!wasTried(view)) {
    return [
      ...waits,
      ...changes(writes, standingOf(view) === 'writes' ? 'will be applied' : 'would be applied'),
      ...dated,
      ...held(protectedHeld(view), 'held'),
      ...held(kept, 'undeclared'),
    ]
  }
  const { results, left } = view.applied
  const { meanwhile } = appliedHolds(view)
  const before = protectedHeld(view).filter((hold) => !meanwhile.includes(hold))
  const tried = results.map((result) => ({ outcome: result.outcome, entry: triedEntry(result, view) }))
  return [
    ...tried
      .filter(({ outcome, entry }) => !isAsSent(outcome) || entry.isProtected)
      .map(({ outcome, entry }) => labelled(entry, triedLabel(outcome))),
    ...waits,
    ...held(meanwhile, 'held meanwhile').filter(isProtectedEntry),
    ...held(before, 'held'),
    ...changes(left, 'not tried'),
    ...dated,
    ...held(kept, 'undeclared'),
  ]
}

const triedLabel = (outcome: Outcome): string =>
  outcome.kind === 'done' && !isAsSent(outcome) ? 'written otherwise than sent' : outcomeWords[outcome.kind].title.toLowerCase()

const labelled = (entry: PlanEntry, label: string): PlanEntry => ({ ...entry, label })
