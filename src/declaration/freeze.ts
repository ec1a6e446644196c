import type { WorkspaceName } from '../core/mapping.ts'
import type { FileRights, FrozenFile } from '../core/rule.ts'
import type { Problem } from '../yaml/problem.ts'
import { type Fence, type FenceOf, type FenceTexts, fenceFrom } from './fence.ts'
import type { OwnerOf } from './fenceOwner.ts'
import { nothingReadable, type ReadableNames } from './readableNames.ts'

/** What a frozen file may speak of. Without fences: all workspaces. */
type Reach = { readonly rights: FileRights; readonly fences?: readonly Fence[] }

/** Collects the frozen files of each workspace that they may speak of. `workspaces`: the names in the settings. */
export function openFreezing(workspaces: readonly string[], fences: FenceTexts, fenceOf: FenceOf, ownerOf: OwnerOf) {
  const allFences = Object.entries(fences).flatMap(([path, text]) => (text === 'everything' ? [] : [fenceFrom(path, text)]))
  const frozen = new Map<WorkspaceName, FrozenFile[]>()
  const add = (workspace: WorkspaceName, file: FrozenFile) => {
    const before = frozen.get(workspace)
    if (before === undefined) frozen.set(workspace, [file])
    else before.push(file)
  }
  function freeze(path: string, { at, message: why }: Problem, names: ReadableNames, { rights, fences: inside }: Reach): void {
    const paths = path === '' ? [] : [path]
    // A file that no fence matches may speak of nothing, so only what it names is held.
    const isWhole = names.isWhole || rights === 'none'
    const file = { because: { at }, why, paths, isWhole, rights }
    if (inside === undefined) {
      for (const name of workspaces) add(name as WorkspaceName, { ...file, names: names.in(name) })
      return
    }
    for (const [workspace, ofWorkspace] of Map.groupBy(inside, (fence) => fence.workspace)) {
      const because = { at, owner: (ofWorkspace[0] as Fence).owner }
      const fence = ofWorkspace.flatMap(({ lists }) =>
        [...lists.values()].map(({ list, groups, projects, allProjects }) => ({ list, groups, projects, allProjects })),
      )
      add(workspace, { ...file, because, names: names.in(workspace), fence })
    }
  }
  return {
    /** A file with this problem, whose text names this. */
    freeze(file: string, problem: Problem, names: ReadableNames): void {
      const fence = fenceOf(file)
      if (Array.isArray(fence)) freeze(file, problem, names, { rights: 'none' })
      else if (fence === 'everything') freeze(file, problem, names, { rights: 'unlimited' })
      else freeze(file, problem, names, { rights: 'fenced', fences: [fence as Fence] })
    },
    /** A file or folder that cannot be read. A folder may have files of each fence of its owner, and without an owner files without limits. */
    freezeUnread(path: string, owner: string | undefined, problem: Problem): void {
      const fence = fenceOf(path)
      const knownOwner = owner ?? ownerOf(path)
      if (knownOwner === undefined) freeze(path, problem, nothingReadable, { rights: 'unlimited' })
      else if (owner === undefined && typeof fence === 'object' && 'lists' in fence)
        freeze(path, problem, nothingReadable, { rights: 'fenced', fences: [fence] })
      else
        freeze(path, problem, nothingReadable, {
          rights: 'fenced',
          fences: allFences.filter(({ owner: fenceOwner }) => fenceOwner === knownOwner),
        })
    },
    frozen: (): ReadonlyMap<WorkspaceName, readonly FrozenFile[]> => frozen,
  }
}
