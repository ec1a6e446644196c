import type { LastDocument } from '../documents/last.ts'
import type { DocumentHold, PlannedWorkspace } from '../documents/plan.ts'

/** Workspace → what waits there → when it was first seen, ISO 8601. */
export type FirstSeen = ReadonlyMap<string, ReadonlyMap<string, string>>

/** A change that waits for approval keeps its time if another guard holds it later. */
export const holdName = ({ reason: { kind }, change, key }: Pick<DocumentHold, 'reason' | 'change' | 'key'>): string =>
  `${kind} ${change?.id ?? key}`

/** The fingerprint is not part of it: a refused plan changes while it waits. */
export const refusalName = ({ guard, setting }: Pick<PlannedWorkspace['refusals'][number], 'guard' | 'setting'>): string =>
  `${guard} ${setting}`

/** The times in a document. A workspace without a plan keeps the times that it had before. */
export function firstSeenIn({ workspaces }: Pick<LastDocument, 'workspaces'>, before: FirstSeen): FirstSeen {
  return new Map(
    workspaces.map(({ plan }) => {
      if (plan.standing === 'failed') return [plan.workspace, before.get(plan.workspace) ?? new Map()] as const
      const refusals = plan.refusals.map((refusal) => [refusalName(refusal), refusal.since] as const)
      const holds = plan.holds.map((hold) => [holdName(hold), hold.since] as const)
      return [plan.workspace, new Map([...refusals, ...holds])] as const
    }),
  )
}
