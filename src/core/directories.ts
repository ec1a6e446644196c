import { compare } from './compare.ts'
import type { GroupIndex } from './group.ts'
import { type Reading, valueIfRead, whyIncomplete } from './reading.ts'
import type { Rule } from './rule.ts'

/** Directory → its reading. A workspace has those of the configured directories that its rules use, also the failed ones. */
export type Directories = ReadonlyMap<string, Reading<GroupIndex>>

/**
 * The directories that a rule uses, by name, so that the order of the settings does not matter. One that `from` names counts also if the settings do
 * not have it: the last valid texts may be older than the settings.
 */
export const directoriesOf = ({ from }: Pick<Rule, 'from'>, directories: Directories): readonly string[] =>
  [...new Set(from ?? directories.keys())].toSorted(compare)

/** The groups of all directories that a rule uses; undefined if it uses none, or if one of them was not read completely. */
export function groupsOf(rule: Pick<Rule, 'from'>, directories: Directories): readonly GroupIndex[] | undefined {
  const readings = directoriesOf(rule, directories).map((name) => directories.get(name))
  return readings.length > 0 && readings.every((reading) => reading?.status === 'complete')
    ? readings.flatMap((reading) => valueIfRead(reading) ?? [])
    : undefined
}

/** Why the groups of a directory are not known completely; undefined if they are. */
export function whyUnread(name: string, directories: Directories): string | undefined {
  const reading = directories.get(name)
  return reading === undefined ? 'the settings have no directory with this name' : whyIncomplete(reading)
}
