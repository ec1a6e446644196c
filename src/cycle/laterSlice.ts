import type { Change, ChangeId } from '../core/change.ts'
import type { Guard, Verdict, Waiver } from '../core/judge/guards.ts'
import type { ProjectIdentifier } from '../core/mapping.ts'
import type { Applied } from '../core/report.ts'

/** What a later slice of an approved plan may still write: approved, not tried yet, and waiting for nothing that failed or was not approved. */
export type LaterSlice = {
  readonly keep: (change: Change) => boolean
  readonly waivers: readonly Waiver[]
  /** An earlier slice may have deleted the only mapping that showed that a project exists. */
  readonly approvedProjects: ReadonlySet<ProjectIdentifier>
}

/**
 * Guards that judge how much a plan writes: they judge it once. Whether a list would be emptied, or the last administrator go, is judged anew
 * for each slice, since others may have written in between: it passes only where that was waived of the first plan.
 */
const judgedOnce: readonly Guard[] = ['changes', 'deletes', 'creates', 'run', 'day']

export function laterSlice({ plan: { changes }, waived }: Verdict, { results, holds }: Applied): LaterSlice {
  const approved = new Set(changes.map(({ id }) => id))
  const tried = new Set<ChangeId>([...results.map(({ change }) => change.id), ...holds.flatMap(({ change }) => change?.id ?? [])])
  const isLeft = (id: ChangeId) => approved.has(id) && !tried.has(id)
  return {
    approvedProjects: new Set(
      changes.flatMap((change) => ('target' in change && change.target.kind === 'project' ? [change.target.project] : [])),
    ),
    keep: ({ id, requires }) => isLeft(id) && requires.every(isLeft),
    waivers: [
      ...waived,
      {
        passes: [],
        rememberedScope: new Map(judgedOnce.map((guard) => [guard, approved])),
        by: 'this run',
        untilMs: Number.POSITIVE_INFINITY,
        source: 'its first slice',
      },
    ],
  }
}
