import { by } from '../compare.ts'
import type { GroupIndex } from '../group.ts'
import type { GroupIds } from '../memory/entry.ts'
import { isComplete, type Reading } from '../reading.ts'
import type { Rule, WorkspaceDeclaration } from '../rule.ts'

/** A directory that was read whole: its name and its groups. */
export type CompleteDirectory = readonly [name: string, groups: GroupIndex]

/** By name, so that the order of the settings does not matter. */
export const completeDirectories = (directories: ReadonlyMap<string, Reading<GroupIndex>>): readonly CompleteDirectory[] =>
  [...directories]
    .flatMap(([name, reading]) => (isComplete(reading) ? [[name, reading.value] as const] : []))
    .toSorted(by(([name]) => name))

/** The directories that a rule uses. */
export const usedBy = (from: Rule['from'], complete: readonly CompleteDirectory[]): readonly CompleteDirectory[] =>
  from === undefined ? complete : complete.filter(([name]) => from.includes(name))

/** `directory/name` → id of each group that an exact rule names and a complete reading contains once, by one name. */
export function lastGroupIds({ rules }: WorkspaceDeclaration, directories: ReadonlyMap<string, Reading<GroupIndex>>): GroupIds {
  const complete = completeDirectories(directories)
  const ids: Record<string, string> = {}
  for (const { groups, from } of rules) {
    if (groups.kind === 'pattern') continue
    for (const [directory, index] of usedBy(from, complete)) {
      const [only, ...more] = index.get(groups.name) ?? []
      if (only !== undefined && only.names === undefined && more.length === 0) ids[`${directory}/${groups.name}`] = only.id
    }
  }
  return ids
}
