import type { Applied } from './apply.ts'
import type { Change, ChangeId } from './core/change.ts'
import type { Guard, Verdict, Waiver } from './core/guards.ts'
import type { ProjectIdentifier } from './core/mapping.ts'

/** Which changes a later slice may still write: agreed to, not tried yet, and waiting for nothing that failed or was not agreed to. */
export type Rest = {
  readonly keep: (change: Change) => boolean
  readonly waivers: readonly Waiver[]
  /** What an earlier slice took away may be all that made a project known. */
  readonly projectsAgreed: ReadonlySet<ProjectIdentifier>
}

/**
 * How much a plan writes is judged once. That a list would be emptied, or the last administrator go, is judged anew, since others may have
 * written in between: it passes only where that was waived of the first plan.
 */
const passedOnce: readonly Guard[] = ['changes', 'deletes', 'creates', 'run', 'day']

export function restOf({ plan: { changes }, waived }: Verdict, { results, holds }: Applied): Rest {
  const agreed = new Set(changes.map(({ id }) => id))
  const tried = new Set<ChangeId>([...results.map(({ change }) => change.id), ...holds.flatMap(({ change }) => change?.id ?? [])])
  const isLeft = (id: ChangeId) => agreed.has(id) && !tried.has(id)
  return {
    projectsAgreed: new Set(
      changes.flatMap((change) => ('target' in change && change.target.kind === 'project' ? [change.target.project] : [])),
    ),
    keep: ({ id, requires }) => isLeft(id) && requires.every(isLeft),
    waivers: [
      ...waived,
      {
        passes: [],
        covers: new Map(passedOnce.map((guard) => [guard, agreed])),
        by: 'this run',
        untilMs: Number.POSITIVE_INFINITY,
        source: 'its first slice',
      },
    ],
  }
}
