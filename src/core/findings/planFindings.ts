import { by } from '../compare.ts'
import { type Dates } from '../dates.ts'
import { type ChangedGroups, type Desired, type DesiredRole, type SkippedProjects } from '../desired.ts'
import type { Doors } from '../doors.ts'
import { listsInScope } from '../existing.ts'
import { type Finding } from '../finding.ts'
import { type Group, type GroupIndex } from '../group.ts'
import { type GroupName, type List, lists, type Mapping, type ProjectIndex } from '../mapping.ts'
import { type Matches, type Unmatched } from '../matches.ts'
import { type MeantIds } from '../memory/meantIds.ts'
import { counted, listedFirst } from '../quantity.ts'
import { type Reading, valueIfRead } from '../reading.ts'
import type { RecordedGroups } from '../recordedGroups.ts'
import { type RoleSettings, rankOf } from '../roles.ts'
import { comparePositions, lineText, positionText, type RenamedGroup, type WorkspaceDeclaration } from '../rule.ts'
import { changedGroupFindings } from './changedGroup.ts'
import { changedProjectFinding, missingProjectFindings } from './missingProjects.ts'
import { declarationFindings, invalidFileFindings, unmatchedFinding } from './notices.ts'
import {
  clippedPatternFindings,
  globDepthFindings,
  unrecordedPatternFindings,
  unusedExceptionFindings,
  unusedPatternFindings,
} from './patterns.ts'

type FindingInput = {
  readonly directories: ReadonlyMap<string, Reading<GroupIndex>>
  readonly existing: readonly Mapping[]
  /** Absent if no text of the declaration names a project. */
  readonly projects?: Reading<ProjectIndex>
  readonly matches: Matches
  readonly unmatched: Unmatched | undefined
  readonly changedGroups: readonly ChangedGroups[]
  readonly renamed: readonly RenamedGroup[]
  /** The id that `directory/name` had in the last complete reading. */
  readonly lastId: (name: string) => string | undefined
  /** `directory/name` → the ids that the texts of the declaration mean; undefined: the journal has no such record. */
  readonly meantGroups: MeantIds | undefined
  /** The mappings of a list when it was last read whole; undefined if it never was. */
  readonly sizeOf: (list: List) => number | undefined
  readonly roles: RoleSettings
  readonly doors: Doors
  readonly dates: Dates
  /** The groups that a narrow recording was asked for. */
  readonly recordedGroups?: RecordedGroups | undefined
}

/** The findings about directories, groups and projects that a plan begins with. `diff` adds those about mappings. */
export const planFindings = (
  declared: WorkspaceDeclaration,
  desired: Desired,
  {
    directories,
    existing,
    projects,
    matches,
    unmatched,
    changedGroups,
    renamed,
    lastId,
    meantGroups,
    sizeOf,
    roles,
    doors,
    dates,
    recordedGroups,
  }: FindingInput,
): readonly Finding[] => [
  ...invalidFileFindings(declared),
  ...declarationFindings(declared, directories, renamed, lastId, meantGroups),
  ...(unmatched === undefined ? [] : [unmatchedFinding(unmatched)]),
  ...changedGroupFindings(changedGroups, doors),
  ...desired.changed.map((changed) => changedProjectFinding(changed, doors)),
  ...desired.skipped.map(skippedProjectsFinding),
  ...missingProjectFindings(declared, desired, existing, projects),
  ...leftListFindings(declared, sizeOf),
  ...unrecordedPatternFindings(declared.rules, recordedGroups),
  ...(unmatched === undefined ? unusedPatternFindings(declared.rules, directories, matches, dates, recordedGroups) : []),
  ...(unmatched === undefined && recordedGroups === undefined ? unusedExceptionFindings(declared, directories, matches, dates) : []),
  ...(unmatched === undefined ? clippedPatternFindings(declared.rules, directories, matches) : []),
  ...severalNamesFindings(desired, existing, directories),
  ...globDepthFindings(declared.rules, desired),
  ...lowerInProjectFindings(desired, roles),
]

/**
 * A finding for each list that had mappings when it was last read, and that no file declares any more. Such a list is not read, so nothing else of the
 * plan shows that its mappings are no longer managed.
 *
 * @param sizeOf the mappings of a list when it was last read whole, by the memory; undefined if it never was
 */
export function leftListFindings(declared: WorkspaceDeclaration, sizeOf: (list: List) => number | undefined): readonly Finding[] {
  const inScope = listsInScope(declared)
  return lists.flatMap((list): readonly Finding[] => {
    const size = inScope.has(list) ? 0 : (sizeOf(list) ?? 0)
    if (size === 0) return []
    const sentence = `no file declares ${list} of this workspace any more; ${counted(size, 'mapping')} that it had ${size === 1 ? 'stays as it is, and is' : 'stay as they are, and are'} not compared any more`
    const cure = `to delete them, declare ${list}: [] with the policy exclusive; to keep them managed, declare their rules again`
    return [{ code: 'list-left', severity: 'warning', place: declared.workspace, sentence, cure }]
  })
}

const shownMax = 10

/** A declared role in one project, and that of the same group in all projects. */
type Lower = { readonly own: DesiredRole; readonly general: DesiredRole }

/**
 * A finding about declared roles in a project that give no more than the declared role of the same group in all projects. In a project the higher role
 * decides, so the role in the project narrows nothing. Roles that `roles.order` lacks are not compared.
 */
export function lowerInProjectFindings({ mappings }: Pick<Desired, 'mappings'>, roles: RoleSettings): readonly Finding[] {
  const general = new Map<GroupName, DesiredRole>()
  for (const mapping of mappings.values())
    if (mapping.kind === 'role' && mapping.target.kind === 'allProjects') general.set(mapping.group, mapping)
  if (general.size === 0) return []
  const lower: Lower[] = []
  for (const own of mappings.values()) {
    const wider = own.kind === 'role' && own.target.kind === 'project' ? general.get(own.group) : undefined
    if (own.kind === 'role' && wider !== undefined && isNoMore(own, wider, roles)) lower.push({ own, general: wider })
  }
  const sorted = lower.toSorted((a, b) => comparePositions(a.own.because.at, b.own.because.at))
  const [first] = sorted
  if (first === undefined) return []
  const shown = sorted.slice(0, shownMax).map(rowText)
  return [
    {
      code: 'lower-in-project',
      severity: 'info',
      place: positionText(first.own.because.at),
      sentence: `${counted(sorted.length, 'role')} in a project ${sorted.length === 1 ? 'gives' : 'give'} no more than the role of the same group in all projects: ${listedFirst(shown, sorted.length)}`,
      cure: 'in a project the higher of the two roles decides: remove the lower one, or declare the projects one by one instead of allProjects',
    },
  ]
}

function isNoMore({ role }: DesiredRole, { role: wider }: DesiredRole, roles: RoleSettings): boolean {
  const [own, general] = [rankOf(role, roles), rankOf(wider, roles)]
  return own >= 0 && own <= general
}

const rowText = ({ own, general }: Lower): string => {
  const project = own.target.kind === 'project' ? own.target.project : ''
  return `${own.group} is ${own.role} in ${project}, and ${general.role} in all projects by ${lineText(general.because.at)}`
}

/** The projects that a rule with `unknownProjects: skip` leaves out. */
export const skippedProjectsFinding = ({ because, projects, mappings }: SkippedProjects): Finding => ({
  code: 'projects-skipped',
  severity: 'info',
  place: positionText(because.at),
  sentence: `unknownProjects: skip leaves out ${counted(mappings, 'mapping')} in ${counted(projects.length, 'project')} that Plane has never shown: ${listedFirst(projects.slice(0, shownMax), projects.length)}`,
  cure: 'if one of these projects exists, add the owner of the credential to it, or write its identifier in the map of the rule',
})

const usedNamesMax = 10

/**
 * A finding for each entry of a directory that has several names, if a rule or a mapping uses one of them. A person who may edit the entry can
 * have added that name, so that its members get the roles of another group. All directories are asked: a login does not know the rule's `from`.
 */
export function severalNamesFindings(
  { mappings }: Pick<Desired, 'mappings'>,
  existing: readonly Mapping[],
  directories: ReadonlyMap<string, Reading<GroupIndex>>,
): readonly Finding[] {
  const used = new Set([...existing.map(({ group }) => group), ...Array.from(mappings.values(), ({ group }) => group)])
  const findings = [...directories].flatMap(([directory, reading]) => {
    const index = valueIfRead(reading)
    return index === undefined ? [] : entriesNamed(used, index).map((entry) => finding(directory, entry))
  })
  return findings.toSorted(by(({ place }) => place))
}

type Entry = { readonly place: string; readonly names: readonly string[]; readonly used: GroupName[] }

/** The entries with several names that have one of the names in use. */
function entriesNamed(used: ReadonlySet<GroupName>, index: GroupIndex): readonly Entry[] {
  const entries = new Map<string, Entry>()
  for (const name of used) {
    for (const { place, names } of index.get(name) ?? ([] as readonly Group[])) {
      if (names === undefined) continue
      const known = entries.get(place)
      if (known === undefined) entries.set(place, { place, names, used: [name] })
      else known.used.push(name)
    }
  }
  return [...entries.values()]
}

function finding(directory: string, { place, names, used }: Entry): Finding {
  const shown = used.toSorted().slice(0, usedNamesMax)
  return {
    code: 'group-several-names',
    severity: 'warning',
    place: `${directory}: ${place}`,
    sentence: `the group has several names (${names.join(', ')}), and rules or mappings use ${listedFirst(shown, used.length)}: its members may get the roles of a group that is not theirs`,
    cure: 'find out who added the name; remove all names but one from the entry, or exclude the entry with groups.filter',
  }
}
