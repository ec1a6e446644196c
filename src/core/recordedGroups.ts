import type { GroupName } from './mapping.ts'
import { patternId } from './matches.ts'
import type { GroupSelector, WorkspaceDeclaration } from './rule.ts'

/**
 * The groups that a narrow recording looked for (`record --declared-groups`). Another group may exist, and the recording does not have it. `names`: those that the
 * recorded declaration says, and those of mappings. `patterns`: each pattern of the recorded declaration, by `selectionText`.
 */
export type RecordedGroups = { readonly names: ReadonlySet<GroupName>; readonly patterns: ReadonlySet<string> }

type PatternGroups = Extract<GroupSelector, { kind: 'pattern' }>

/** One text for patterns that select the same names, whatever names there are. */
export const selectionText = ({ pattern, except, within = [] }: PatternGroups): string =>
  JSON.stringify([patternId(pattern), [...except].toSorted(), within.map(selectorText).toSorted()])

const selectorText = (groups: GroupSelector): string => (groups.kind === 'exact' ? JSON.stringify(groups.name) : selectionText(groups))

/** Whether the recording looked for the group that a rule means. Then a group that it does not have does not exist. */
export const isRecorded = (group: GroupName, by: GroupSelector, { names, patterns }: RecordedGroups): boolean =>
  names.has(group) || (by.kind === 'pattern' && patterns.has(selectionText(by)))

/** What the rules of a declaration mean: the names that they say, and their patterns. */
export function groupsMeant({ rules, removed }: Pick<WorkspaceDeclaration, 'rules' | 'removed'>): RecordedGroups {
  const selectors = rules.map(({ groups }) => groups)
  const said = rules.flatMap(({ groups, previously }) => [
    ...(groups.kind === 'exact' ? [groups.name] : []),
    ...(previously === undefined ? [] : [previously]),
  ])
  return {
    names: new Set([...said, ...removed.map(({ group }) => group)]),
    patterns: new Set(selectors.flatMap((groups) => (groups.kind === 'pattern' ? selectionText(groups) : []))),
  }
}
