import { by } from '../compare.ts'
import { type ChangedProject, type Desired, type DesiredMapping } from '../desired.ts'
import { acceptText, type Doors } from '../doors.ts'
import { isOwnedInPart } from '../existing.ts'
import { type Finding } from '../finding.ts'
import { type ProjectChanged } from '../hold.ts'
import { type Key, type Mapping, type ProjectIdentifier, type ProjectIndex, type WorkspaceName } from '../mapping.ts'
import { counted, listedFirst } from '../quantity.ts'
import { type Reading, valueIfRead } from '../reading.ts'
import { comparePositions, type Position, positionText, type WorkspaceDeclaration } from '../rule.ts'

/** A project with the keys of its existing mappings, and the first rule that names it. */
type Named = { readonly keys: Set<Key>; first?: Position }
type Projects = Map<ProjectIdentifier, Named>

/**
 * Findings about projects that are archived (`project-archived`), and about mappings in projects that a complete list does not show
 * (`project-vanished`). Unmanaged mappings and those that are to be deleted do not count. A project is not reported as vanished if a hold or the
 * finding `project-changed` says so already, or if a rule with `unknownProjects: send` says that the list need not show it.
 */
export function missingProjectFindings(
  declared: WorkspaceDeclaration,
  { mappings, isUnmanaged, isOwned, changed }: Pick<Desired, 'mappings' | 'isUnmanaged' | 'isOwned' | 'changed'>,
  existing: readonly Mapping[],
  projects: Reading<ProjectIndex> | undefined,
): readonly Finding[] {
  const { workspace, rules } = declared
  const index = valueIfRead(projects)
  if (index === undefined || !isOwnedInPart('projectRoles', declared)) return []
  const archived: Projects = new Map([...index].flatMap(([project, is]) => (is.archived ? [[project, { keys: new Set() }]] : [])))
  const vanished: Projects = new Map()
  if (archived.size > 0) {
    for (const { kind, target, because } of mappings.values())
      if (target.kind === 'project' && kind !== 'absent') noteRule(archived.get(target.project), because.at)
  }
  const told = new Set(changed.map(({ reason }) => reason.project))
  let trusting: ReadonlySet<string> | undefined
  const isTrusted = ({ because }: DesiredMapping) => {
    trusting ??= new Set(rules.flatMap((rule) => (rule.unknownProjects === 'send' ? [positionText(rule.because.at)] : [])))
    return trusting.has(positionText(because.at))
  }
  for (const { key, group, target } of existing) {
    if (target.kind !== 'project') continue
    const { project } = target
    const isGone = projects?.status === 'complete' && !index.has(project) && !told.has(project)
    const named = isGone ? (vanished.get(project) ?? { keys: new Set() }) : archived.get(project)
    if (named === undefined || isUnmanaged(group, target) || !isOwned(group, target)) continue
    const wanted = mappings.get(key)
    if (wanted?.kind === 'absent' || (isGone && wanted !== undefined && (isHeldForProject(wanted) || isTrusted(wanted)))) continue
    if (isGone) vanished.set(project, named)
    named.keys.add(key)
    if (wanted !== undefined) noteRule(named, wanted.because.at)
  }
  const inUse = new Map([...archived].filter(([, { keys, first }]) => keys.size > 0 || first !== undefined))
  return [...findings(workspace, inUse, archivedText), ...findings(workspace, vanished, vanishedText)]
}

function noteRule(named: Named | undefined, at: Position): void {
  if (named !== undefined && (named.first === undefined || comparePositions(at, named.first) < 0)) named.first = at
}

/** Whether the hold of the key says already that its project is missing. */
const isHeldForProject = (wanted: DesiredMapping): boolean => wanted.kind === 'unknown' && wanted.reason.kind === 'projectUnknown'

type Text = (names: string, projects: number, mappings: number) => Pick<Finding, 'code' | 'severity' | 'sentence' | 'cure'>

const archivedText: Text = (names, projects, mappings) => ({
  code: 'project-archived',
  severity: 'info',
  sentence: `${projects === 1 ? `project ${names} is` : `projects ${names} are`} archived in Plane, and ${usedBy(projects, mappings)}`,
  cure: `if no longer needed, remove ${it(projects)} from the rules${mappings === 0 ? '' : ' and list the mappings under "removed"'}; otherwise restore ${it(projects)} in Plane`,
})

const vanishedText: Text = (names, projects, mappings) => ({
  code: 'project-vanished',
  severity: 'warning',
  sentence: `Plane's list does not show ${projects === 1 ? `project ${names}` : `projects ${names}`}, and ${usedBy(projects, mappings)}: deleted, renamed, or hidden from the owner of the credential`,
  cure: 'if renamed, write the new identifier in the file; if deleted, list the mappings under "removed"; if hidden, add the owner of the credential to the project, or set unknownProjects: send',
})

const usedBy = (projects: number, mappings: number): string =>
  mappings === 0 ? `rules name ${it(projects)}` : `${counted(mappings, 'mapping')} ${mappings === 1 ? 'is' : 'are'} there`
const it = (projects: number): string => (projects === 1 ? 'it' : 'them')

/** A workspace with more such projects gets one finding for all of them. */
const singleMax = 3
const shownMax = 10

function findings(workspace: WorkspaceName, projects: Projects, text: Text): readonly Finding[] {
  const sorted = [...projects].toSorted(by(([project]) => project))
  if (sorted.length <= singleMax)
    return sorted.map(([project, { keys, first }]) => ({
      ...text(project, 1, keys.size),
      place: first === undefined ? ([...keys].toSorted()[0] ?? workspace) : positionText(first),
    }))
  const names = sorted.slice(0, shownMax).map(([project]) => project)
  const mappings = sorted.reduce((sum, [, { keys }]) => sum + keys.size, 0)
  return [{ ...text(listedFirst(names, sorted.length), sorted.length, mappings), place: workspace }]
}

/** The sentence about a changed project that the declaration names, and its cure. */
export function changedProjectText(
  { project, replaced, called, pass }: ProjectChanged,
  doors: Doors,
): {
  readonly sentence: string
  readonly cure: string
} {
  if (replaced)
    return {
      sentence: `identifier ${project} belongs to another project now; the project that had it ${called === undefined ? 'is gone, or the owner of the credential cannot see it' : `is called ${called}`}`,
      cure: `if the old project is meant, write ${called ?? 'its current identifier'} in the file; if the new one is meant: ${acceptText(pass, doors) ?? 'edit the rule'}`,
    }
  if (called !== undefined)
    return { sentence: `project ${project} is called ${called} now`, cure: `write ${called} instead of ${project} in the file` }
  return {
    sentence: `project ${project} is gone, or the owner of the credential cannot see it any more`,
    cure: 'remove it from the file, or add the owner of the credential to the project',
  }
}

export function changedProjectFinding({ because, reason }: ChangedProject, doors: Doors): Finding {
  return { code: 'project-changed', severity: 'warning', place: positionText(because.at), ...changedProjectText(reason, doors) }
}
