import type { GroupSize } from '../bounds.ts'
import { type Hash } from '../change.ts'
import { compare } from '../compare.ts'
import { type Dates, isOver } from '../dates.ts'
import { type Desired, type DesiredMapping, type Given, type RoleResult } from '../desired.ts'
import { directoriesOf, whyUnread } from '../directories.ts'
import { projectsReason } from '../existing.ts'
import { type Group, type GroupIndex } from '../group.ts'
import { type HoldReason, type UncertainGroup } from '../hold.ts'
import { type GroupName, isProjectIdentifier, type Mapping, type ProjectIdentifier, type ProjectIndex, type Target } from '../mapping.ts'
import { type Matches, type Unmatched } from '../matches.ts'
import { type Reading, valueIfRead } from '../reading.ts'
import { isRecorded, type RecordedGroups } from '../recordedGroups.ts'
import { type Provenance, type Rule, type WorkspaceDeclaration } from '../rule.ts'
import { unsafeName } from '../safeName.ts'
import { type ChangedByRule } from './groups.ts'
import { type ResolvedRole } from './produce.ts'
import { type ProjectCheck } from './projects.ts'

/** The input for resolving rules: all that was read. */
export type ResolveInput = {
  readonly directories: ReadonlyMap<string, Reading<GroupIndex>>
  /** The directories of the settings that no rule of the workspace asks, so that they were not read for it. Absent: none. */
  readonly unasked?: readonly string[]
  /** The service's mappings that were read, also those of incomplete lists. */
  readonly existing: readonly Mapping[]
  /** The names in directories and existing mappings that the patterns match. */
  readonly matches: Matches
  /** The patterns were not matched, because that would cost too much. `matches` is empty then. */
  readonly unmatched?: Unmatched | undefined
  /** Absent if no text of the declaration names a project. */
  readonly projects?: Reading<ProjectIndex>
  /** Whether an identifier still names the project that a text meant. */
  readonly check: ProjectCheck
  /** Whether the memory knows the project of an identifier, for a text that is still declared. */
  readonly isRemembered: (project: ProjectIdentifier) => boolean
  readonly changedGroups: ChangedByRule
  /** The id that `directory/name` had in the last complete reading. */
  readonly lastId: (name: string) => string | undefined
  readonly hash: Hash
  /** The groups that a narrow recording was asked for. Absent: the readings are of all groups. */
  readonly recordedGroups?: RecordedGroups | undefined
  /** In a later slice of a plan: the projects that were known when the plan was approved. They count as known. */
  readonly knownProjects?: ReadonlySet<ProjectIdentifier> | undefined
  readonly dates: Dates
  /** What the journal knows of a mapping. Absent: there is no journal. */
  readonly givenOf?: ((mapping: Mapping) => Given | undefined) | undefined
  /** The declarations of the other workspaces. A hint says where they name a group. Absent: none. */
  readonly others?: readonly WorkspaceDeclaration[]
}

/**
 * The directories of a rule. `asked`: how many they are; none if the settings have none and the rule has no `from`. `known`: the groups of those that
 * were read, also in part. `incomplete`: each directory that was not read completely, with the reason. A directory that was read in part is in both lists.
 * `others`: the other directories of the workspace that were read, also in part. `asksOnly`: `from` leaves out directories of the settings.
 */
type Sources = {
  readonly known: readonly (readonly [string, GroupIndex])[]
  readonly incomplete: readonly (readonly [string, string])[]
  readonly asked: number
  readonly others: readonly (readonly [string, GroupIndex])[]
  readonly asksOnly: boolean
}

/** Which of these directories the rules ask, sorted. A rule without `from` asks all. */
export const directoriesAsked = (rules: readonly Rule[], names: readonly string[]): readonly string[] =>
  names.filter((name) => rules.some((rule) => asks(rule, name))).toSorted(compare)

const asks = ({ from }: Rule, directory: string): boolean => from === undefined || from.includes(directory)

/** Sorted by name, so that messages do not depend on the order of the settings. */
export function sourcesOf(rule: Rule, { directories, unasked = [] }: ResolveInput): Sources {
  const asked = directoriesOf(rule, directories)
  const others = rule.from === undefined ? [] : [...directories.keys()].filter((name) => !asked.includes(name)).toSorted(compare)
  const read = (names: readonly string[]) => names.flatMap((name) => pairs(name, valueIfRead(directories.get(name))))
  return {
    asked: asked.length,
    known: read(asked),
    incomplete: asked.flatMap((name) => pairs(name, whyUnread(name, directories))),
    others: read(others),
    asksOnly: others.length > 0 || (rule.from !== undefined && unasked.length > 0),
  }
}

/** See `Desired.sizeOf`. */
export function sizesIn(directories: ResolveInput['directories']): (group: GroupName) => GroupSize | undefined {
  const read = [...directories.values()].flatMap((reading) => valueIfRead(reading) ?? [])
  return (group) => {
    const [only, ...others] = read.flatMap((index) => index.get(group) ?? [])
    return others.length === 0 ? only?.size : undefined
  }
}

/** Returns the directories that do not have a group. See `Desired.unknownTo`. */
export function directoriesWithout({
  directories,
  unasked = [],
  recordedGroups,
}: Pick<ResolveInput, 'directories' | 'unasked' | 'recordedGroups'>): Desired['unknownTo'] {
  const names = [...directories.keys()].toSorted(compare)
  const isProved = names.length > 0 && names.every((name) => whyUnread(name, directories) === undefined)
  const indexes = [...directories.values()].flatMap((reading) => valueIfRead(reading) ?? [])
  const answer = { unknownTo: names, ...(unasked.length > 0 && { unasked }) }
  const isAsked = (group: GroupName) => recordedGroups?.names.has(group) !== false
  return (group) => (isProved && isAsked(group) && !indexes.some((index) => index.has(group)) ? answer : undefined)
}

const pairs = <T>(name: string, value: T | undefined): readonly (readonly [string, T])[] => (value === undefined ? [] : [[name, value]])

type Match = { readonly group: GroupName; readonly target: Target; readonly role: ResolvedRole; readonly mapped: boolean }

const baseOf = ({ because, previously, fenced }: Rule, { group, target }: Pick<Match, 'group' | 'target'>) => ({
  group,
  target,
  because,
  ...(previously === undefined ? {} : { previously: [previously] }),
  ...(fenced && { fenced }),
})

/** The desired mapping of a rule for one group. Whether the project exists is decided later, since that depends on all claims. */
export function desiredFor(
  rule: Rule,
  match: Match,
  sources: Sources,
  { dates, changedGroups, recordedGroups }: Pick<ResolveInput, 'dates' | 'changedGroups' | 'recordedGroups'>,
): DesiredMapping {
  const { group, target, role } = match
  const base = baseOf(rule, match)
  const would: RoleResult | undefined = 'role' in role ? { kind: 'role', role: role.role } : undefined
  const unknown = (reason: HoldReason, result = would): DesiredMapping => ({
    ...base,
    kind: 'unknown',
    reason,
    ...(result === undefined ? {} : { would: result }),
  })

  const { startsMs, expiresMs } = rule
  const expired = expiresMs === undefined ? 'no' : isOver(expiresMs, dates)
  // An expired rule deletes also under an unsafe name, since a delete names the id of the mapping.
  // It claims no mapping under an earlier name.
  if (expired === 'yes') return { group, target, because: rule.because, kind: 'absent', why: 'expired' }
  const started = startsMs === undefined ? 'yes' : isOver(startsMs, dates)
  // By one of the two clocks the rule has expired, so it is unknown which role it gives.
  if (expired === 'disputed') return { ...base, kind: 'unknown', reason: { kind: 'clocksDiffer' } }
  if (started === 'disputed') return unknown({ kind: 'clocksDiffer' })
  if (startsMs !== undefined && started === 'no') return unknown({ kind: 'notStarted', startsMs })
  const unsafe = unsafeName(group)
  if (unsafe !== undefined) return unknown({ kind: 'unsafeName', what: unsafe })

  const places = sources.known.flatMap(([directory, index]) =>
    (index.get(group) ?? []).map((candidate) => ({ directory, group: candidate })),
  )
  const [lacking] = sources.incomplete
  const size = places.length === 1 ? places[0]?.group.size : undefined
  // Only complete readings prove that a name is in no other place, or in none at all. While a directory changes, one reading can show a group twice.
  if (lacking !== undefined) return unknown({ kind: 'readingIncomplete', of: lacking[0], why: lacking[1] }, withSize(would, size))
  const names = places.length === 1 ? places[0]?.group.names : undefined
  if (places.length > 1 || names !== undefined) {
    const texts = places.map(({ directory, group: candidate }) => `${directory}: ${candidate.place}`).toSorted()
    return unknown({ kind: 'ambiguous', places: texts, ...(names === undefined ? {} : { names }) })
  }
  // A label says which group is meant, so a group that no directory shows is not it.
  const send = rule.groups.kind === 'exact' && rule.label === undefined && (rule.unknownGroups === 'send' || sources.asked === 0)
  const [place] = places
  if (place === undefined && recordedGroups !== undefined && !isRecorded(group, rule.groups, recordedGroups))
    return unknown({ kind: 'notRecorded' })
  if (place === undefined && !send)
    return unknown({
      kind: 'groupUnknown',
      directories: sources.known.map(([name]) => name),
      mapped: match.mapped,
      ...unknownElsewhere(group, sources),
      ...unknownWithLabel(rule, sources.known),
    })
  if ('unmapped' in role) return unknown({ kind: 'roleUnmapped', captured: role.unmapped, allowed: role.allowed })
  if (target.kind === 'project' && !isProjectIdentifier(target.project)) return unknown(unknownProject(target.project, rule.target.kind))

  const grantsWait = changedGroups.get(rule)?.get(group) ?? (place && labelDiffers(rule, place, sources.known))
  return {
    ...base,
    because: becauseOf(rule, place?.directory),
    kind: 'role',
    role: role.role,
    // A person who can create groups can make a pattern match, so a pattern must not allow a protected role.
    allowProtected: rule.allowProtected && rule.groups.kind === 'exact',
    ...(size === undefined ? {} : { size }),
    ...(grantsWait === undefined ? {} : { grantsWait }),
  }
}

const withSize = (would: RoleResult | undefined, size: GroupSize | undefined): RoleResult | undefined =>
  would === undefined || size === undefined ? would : { ...would, size }
/** Of directories that the rule does not ask, it is only said what this run has read of them for other rules. */
function unknownElsewhere(
  group: GroupName,
  { others, asksOnly }: Pick<Sources, 'others' | 'asksOnly'>,
): Pick<Extract<HoldReason, { kind: 'groupUnknown' }>, 'asksOnly' | 'elsewhere'> {
  const elsewhere = others.flatMap(([name, index]) => (index.has(group) ? [name] : []))
  return { ...(asksOnly && { asksOnly: true }), ...(elsewhere.length > 0 && { elsewhere }) }
}

function becauseOf({ because, expiresMs }: Rule, directory: string | undefined): Provenance {
  return { ...because, ...(directory === undefined ? {} : { directory }), ...(expiresMs === undefined ? {} : { expiresMs }) }
}

const unknownProject = (project: ProjectIdentifier, selector: Rule['target']['kind']): HoldReason => ({
  kind: 'projectUnknown',
  project,
  ...(selector === 'captured' ? { captured: true } : {}),
})

/** Why a rule waits for its project, if no existing mapping shows that the project exists; undefined if it does not wait. */
export function projectUnseen(
  { unknownProjects, target: { kind } }: Rule,
  target: Target,
  { projects }: ResolveInput,
): HoldReason | undefined {
  if (target.kind !== 'project' || unknownProjects === 'send' || valueIfRead(projects)?.has(target.project)) return undefined
  return projectsReason(projects) ?? unknownProject(target.project, kind)
}

/**
 * Whether a pattern's claim is weak: it counts only beside another claim or for an existing mapping. It is weak if the pattern has expired,
 * or if no directory that was read has the name. A weak claim counts beside another claim for this reason: an incomplete directory may have
 * the name, and the roles of the two claims may then differ.
 */
export const isWeak = (wanted: DesiredMapping, group: GroupName, { known }: Sources): boolean =>
  wanted.kind === 'absent' || !known.some(([, index]) => index.has(group))

/** A reviewer of a file reads the label, and the id is what counts. So a label that the directory does not confirm holds the grants. */
function labelDiffers(
  { label }: Rule,
  { directory, group }: Place,
  known: readonly (readonly [string, GroupIndex])[],
): UncertainGroup | undefined {
  if (label === undefined) return undefined
  const called = group.label ?? group.name
  const shared = known.reduce((sum, [, index]) => sum + (labelsIn(index).get(label)?.count ?? 0), 0)
  if (label === called && shared <= 1) return undefined
  return { kind: 'labelDiffers', directory, label, called, ...(label === called ? { shared } : {}) }
}
type Place = { readonly directory: string; readonly group: Group }

/**
 * What the hold of a rule says that has a label, and whose group no directory knows. A group that was made again has the same label: in Entra it has
 * another id, which is its name. So the group with this label is named, if only one has it.
 */
function unknownWithLabel(
  { label }: Rule,
  known: readonly (readonly [string, GroupIndex])[],
): Pick<Extract<HoldReason, { kind: 'groupUnknown' }>, 'hasLabel' | 'near' | 'nearLabel'> {
  if (label === undefined) return {}
  const [only, ...others] = known.flatMap(([, index]) => labelsIn(index).get(label) ?? [])
  return { hasLabel: true, ...(only?.count === 1 && others.length === 0 ? { near: only.first, nearLabel: label } : {}) }
}

/** `first`: one of the groups with the label. */
type Labelled = { readonly first: GroupName; readonly count: number }

/** Label → the groups that have it. A cache of a pure function: thousands of rules ask for the same index. */
const labels = new WeakMap<GroupIndex, ReadonlyMap<string, Labelled>>()
function labelsIn(index: GroupIndex): ReadonlyMap<string, Labelled> {
  const before = labels.get(index)
  if (before !== undefined) return before
  const byLabel = new Map<string, Labelled>()
  for (const groups of index.values())
    for (const { label, name } of groups) {
      const { first = name, count = 0 } = byLabel.get(label ?? name) ?? {}
      byLabel.set(label ?? name, { first, count: count + 1 })
    }
  labels.set(index, byLabel)
  return byLabel
}
