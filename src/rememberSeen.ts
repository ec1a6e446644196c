import { at } from './core/drawers.ts'
import type { Waiver } from './core/guards.ts'
import type { WorkspaceName } from './core/mapping.ts'
import { baselineOf, listName, type Memory } from './core/memory.ts'
import type { GroupIds } from './core/notices.ts'
import type { NewProjectIds, ProjectIds } from './core/projects.ts'
import type { Reconciled } from './reconcile.ts'

/** What takes up what was seen: the journal. */
export type Remembers = {
  waived(workspace: WorkspaceName, fingerprint: string, waivers: readonly Waiver[]): Promise<void>
  /** Stores the size of a list that was read whole; the next reading is compared with it. */
  believed(list: string, size: number): Promise<void>
  /** Ids of groups that are new to the memory. */
  knows(ids: GroupIds): Promise<void>
  /** Ids of projects that are new to the memory. */
  knowsProjects(workspace: WorkspaceName, ids: ProjectIds): Promise<void>
}

type Remembering = { readonly memory: () => Memory; readonly waivers: readonly Waiver[]; readonly writer: Remembers }

/** Gives the journal what a look at one workspace showed and the memory does not have: sizes of lists, ids of groups and of projects. */
export async function rememberSeen(
  workspace: WorkspaceName,
  { verdict, sizes, groupIds, projectIds }: Reconciled,
  isAgreed: boolean,
  { memory, waivers, writer }: Remembering,
): Promise<void> {
  for (const [list, size] of sizes) {
    const name = listName(workspace, list)
    if (baselineOf(memory(), name) !== size) await writer.believed(name, size)
  }
  const groups = Object.entries(groupIds).filter(([name, id]) => at(memory().groupIds, name) !== id)
  if (groups.length > 0) await writer.knows(Object.fromEntries(groups))
  // A waiver that names the change of a project counts only with a plan that may be written; without it the same is learned at the next look.
  if (projectIds.waived.length > 0 && !(verdict.approved && isAgreed)) return
  const used = projectWaivers(waivers, projectIds)
  if (used.length > 0) await writer.waived(workspace, verdict.plan.fingerprint, used)
  if (Object.keys(projectIds.ids).length > 0) await writer.knowsProjects(workspace, projectIds.ids)
}

/** The waivers that name the change of a project, each with only those of its names. */
export const projectWaivers = (waivers: readonly Waiver[], { waived }: NewProjectIds): readonly Waiver[] =>
  waivers.flatMap((waiver) => {
    const passes = waiver.passes.filter((pass) => waived.includes(pass))
    return passes.length === 0 ? [] : [{ ...waiver, passes }]
  })
