import type { Dates } from '../dates.ts'
import type { ChangedGroups, Desired } from '../desired.ts'
import type { Finding } from '../finding.ts'
import type { GroupIndex } from '../group.ts'
import type { List, Mapping, ProjectIndex } from '../mapping.ts'
import type { Matches, Unmatched } from '../matches.ts'
import type { MeantIds } from '../memory/meantIds.ts'
import type { Reading } from '../reading.ts'
import type { RoleSettings } from '../roles.ts'
import type { WorkspaceDeclaration } from '../rule.ts'
import { changedGroupFindings } from './changedGroup.ts'
import { changedProjectFinding } from './changedProject.ts'
import { clippedPatternFindings } from './clippedPatterns.ts'
import { globDepthFindings } from './globDepth.ts'
import { leftListFindings } from './leftLists.ts'
import { lowerInProjectFindings } from './lowerInProject.ts'
import { missingProjectFindings } from './missingProjects.ts'
import { declarationFindings, invalidFileFindings, unmatchedFinding } from './notices.ts'
import { severalNamesFindings } from './severalNames.ts'
import { skippedProjectsFinding } from './skippedProjects.ts'
import { unusedExceptionFindings } from './unusedExceptions.ts'
import { unusedPatternFindings } from './unusedPatterns.ts'

type Seen = {
  readonly directories: ReadonlyMap<string, Reading<GroupIndex>>
  readonly existing: readonly Mapping[]
  /** Absent if no text of the declaration names a project. */
  readonly projects?: Reading<ProjectIndex>
  readonly matches: Matches
  readonly unmatched: Unmatched | undefined
  readonly changedGroups: readonly ChangedGroups[]
  /** The id that `directory/name` had in the last complete reading. */
  readonly lastId: (name: string) => string | undefined
  /** `directory/name` → the ids that the texts of the declaration mean; undefined: the journal has no such record. */
  readonly meantGroups: MeantIds | undefined
  /** The mappings of a list when it was last read whole; undefined if it never was. */
  readonly sizeOf: (list: List) => number | undefined
  readonly roles: RoleSettings
  readonly dates: Dates
}

/** The findings about directories, groups and projects that a plan begins with. `diff` adds those about mappings. */
export const planFindings = (
  declared: WorkspaceDeclaration,
  desired: Desired,
  { directories, existing, projects, matches, unmatched, changedGroups, lastId, meantGroups, sizeOf, roles, dates }: Seen,
): readonly Finding[] => [
  ...invalidFileFindings(declared),
  ...declarationFindings(declared, directories, lastId, meantGroups, { mappings: desired.mappings, matches }),
  ...(unmatched === undefined ? [] : [unmatchedFinding(unmatched)]),
  ...changedGroupFindings(changedGroups),
  ...desired.changed.map(changedProjectFinding),
  ...desired.skipped.map(skippedProjectsFinding),
  ...missingProjectFindings(declared, desired, existing, projects),
  ...leftListFindings(declared, sizeOf),
  ...(unmatched === undefined ? unusedPatternFindings(declared.rules, directories, matches, dates) : []),
  ...(unmatched === undefined ? unusedExceptionFindings(declared, directories, matches, dates) : []),
  ...(unmatched === undefined ? clippedPatternFindings(declared.rules, directories, matches) : []),
  ...severalNamesFindings(desired, existing, directories),
  ...globDepthFindings(declared.rules, desired),
  ...lowerInProjectFindings(desired, roles),
]
