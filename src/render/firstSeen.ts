import type { LastDocument } from '../documents/last.ts'
import type { DocumentHold } from '../documents/plan.ts'

/** Workspace → what waits there → when it was first seen, ISO 8601. */
export type FirstSeen = ReadonlyMap<string, ReadonlyMap<string, string>>

/** A change that waits for approval keeps its time if another guard holds it later. */
export const holdName = ({ reason: { kind }, change, key }: Pick<DocumentHold, 'reason' | 'change' | 'key'>): string =>
  `${kind} ${change?.id ?? key}`

/** The times in a document. A workspace without a plan keeps the times that it had before. */
export function firstSeenIn({ workspaces }: Pick<LastDocument, 'workspaces'>, before: FirstSeen): FirstSeen {
  return new Map(
    workspaces.map(({ plan }) => {
      if (plan.standing === 'failed') return [plan.workspace, before.get(plan.workspace) ?? new Map()] as const
      const holds = plan.holds.map((hold) => [holdName(hold), hold.since] as const)
      return [plan.workspace, new Map(holds)] as const
    }),
  )
}
