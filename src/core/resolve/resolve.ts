import type { Desired, DesiredMapping } from '../desired.ts'
import { factsIn } from '../group.ts'
import { mayEndWithoutEdit } from '../hold.ts'
import { type GroupName, type Key, keyOf, type Mapping, type ProjectIdentifier, type Target } from '../mapping.ts'
import { type IsUnmanaged, ownedBy, unmanagedEntries } from '../matches.ts'
import { once } from '../once.ts'
import { valueIfRead } from '../reading.ts'
import type { WorkspaceDeclaration } from '../rule.ts'
import { type Claim, resolveConflict, strongestClaims } from './claims.ts'
import { collectClaims } from './collectClaims.ts'
import { lackedBy, peopleIn, type ResolveInput } from './desiredMapping.ts'
import { withSuggestions } from './hints.ts'
import {
  followUnmanaged,
  lostProjects,
  meantElsewhere,
  movedProjects,
  openProjectTexts,
  type ProjectTexts,
  undeclaredIn,
} from './projectTexts.ts'
import { heldWhileUnmatched } from './unmatched.ts'

/**
 * The desired mapping for every key, given the declaration and the readings.
 *
 * | claims on a key                          | wanted                                                |
 * |------------------------------------------|-------------------------------------------------------|
 * | `removed`                                | absent                                                |
 * | an exact rule                            | its role, or unknown with the reason; patterns yield  |
 * | patterns that agree                      | their role                                            |
 * | patterns that differ                     | unknown: conflict                                     |
 * | a pattern whose directory is incomplete  | unknown: the rest may have another group of this name |
 * | expired rules only, of whatever kind     | absent                                                |
 * | only rules that start later              | unknown: what exists is kept                          |
 * | a rule that skips unknown projects       | no claim, if the project was never known              |
 * | only texts that meant another project    | unknown: the project changed                          |
 * | none, in a project that changed          | unknown: the project changed                          |
 * | none, and the patterns were not matched  | unknown: a pattern might declare it                   |
 */
export function resolve(declared: WorkspaceDeclaration, input: ResolveInput): Desired {
  const { workspace } = declared
  const { existing, check, hash, matches } = input
  const mappedKeys = new Set(existing.map(({ key }) => key))
  const texts = openProjectTexts(check)
  const unmanaged = followUnmanaged(declared.unmanaged, texts, hash)
  const unmanagedEntry = unmanagedEntries(unmanaged, matches)
  const isUnmanaged: IsUnmanaged = (group, target) => unmanagedEntry(group, target) !== undefined
  const { claims, skipped } = collectClaims(declared, input, { texts, unmanagedEntry, mappedKeys })
  const knownByMappings = once(() => projectsShownByMappings(input, claims))
  const withKnownProject = (made: Claim): Claim =>
    made.wanted.kind !== 'role' ||
    made.ifProjectUnknown?.target.kind !== 'project' ||
    knownByMappings().has(made.ifProjectUnknown.target.project)
      ? made
      : { ...made, wanted: made.ifProjectUnknown }
  const mappedGroups = once(() => new Set(existing.map(({ group }) => group)))
  const mappings = new Map(
    [...claims].flatMap(([key, made]): [Key, DesiredMapping][] => {
      const settled = resolveConflict(made.map(withKnownProject))
      const wanted =
        settled.kind === 'absent' ? deletable(settled, made, (one) => mappedKeys.has(keyOf(workspace, one, settled.group)), texts) : settled
      if (mappedKeys.has(key) || !made.every(({ weak }) => weak === true)) return [[key, wanted]]
      const starting = made.filter(({ notStarted }) => notStarted === true)
      const later = starting.some((one) => one.wanted.previously !== undefined) ? resolveConflict(starting) : wanted
      return later.kind === 'unknown' && mayReplace(later, mappedGroups()) ? [[key, { ...later, unreported: true }]] : []
    }),
  )
  const claimed = function* () {
    for (const made of claims.values()) for (const { wanted } of made) if (wanted.kind !== 'absent') yield wanted
    // A skipped project may have been renamed before the memory knew it, so an undeclared mapping of the group elsewhere may be the declared one.
    yield* skipped.claims
  }
  const changed = texts.changed()
  if (changed.length > 0) {
    for (const [key, wanted] of meantElsewhere(claimed(), workspace))
      if (mappedKeys.has(key) || mappings.has(key)) mappings.set(key, wanted)
    for (const [key, wanted] of undeclaredIn(movedProjects(changed), existing))
      if (!mappings.has(key) && !isUnmanaged(wanted.group, wanted.target)) mappings.set(key, wanted)
  }
  if (input.unmatched !== undefined) {
    const isMapped = (group: GroupName, target: Target) => mappedKeys.has(keyOf(workspace, target, group))
    for (const [key, wanted] of heldWhileUnmatched(input.unmatched, mappings, existing, isMapped))
      if (!isUnmanaged(wanted.group, wanted.target)) mappings.set(key, wanted)
  }
  for (const [key, wanted] of withSuggestions(mappings, input, workspace)) mappings.set(key, wanted)
  const isThere = (project: ProjectIdentifier) => valueIfRead(input.projects)?.has(project) === true || knownByMappings().has(project)
  const lost = once(() =>
    input.projects?.status === 'complete' ? lostProjects(claimed(), { isThere, existing, unmanaged, matches }) : new Map(),
  )
  const peopleOf = peopleIn(input.directories)
  const indexes = [...input.directories.values()].flatMap((reading) => valueIfRead(reading) ?? [])
  const unknownTo = lackedBy(input.directories)
  // An unmanaged entry inside a fence does not hide a mapping that a file without limits declares.
  const isLeftAlone: IsUnmanaged = (group, target) => {
    const entry = unmanagedEntry(group, target)
    return entry !== undefined && (entry.fenced !== true || !mappings.has(keyOf(workspace, target, group)))
  }
  return {
    mappings,
    isUnmanaged: isLeftAlone,
    isOwned: ownedBy(declared, matches),
    named: texts.named(),
    changed,
    skipped: skipped.byRule(),
    peopleOf,
    factsOf: (group) => factsIn(indexes, group),
    unknownTo,
    lost,
  }
}

/**
 * Whether an existing mapping may be the one that this key waits for, although no mapping has the key: a mapping of the group on another target, or one
 * under a former name of a rule that starts later.
 */
const mayReplace = (wanted: Extract<DesiredMapping, { kind: 'unknown' }>, mappedGroups: ReadonlySet<GroupName>): boolean =>
  mayEndWithoutEdit(wanted.reason.kind)
    ? mappedGroups.has(wanted.group)
    : wanted.reason.kind === 'notStarted' && wanted.previously !== undefined

/** The delete, or a hold if every text that asks for the delete meant another project. */
function deletable(
  wanted: DesiredMapping,
  made: readonly Claim[],
  isMapped: (target: Target) => boolean,
  texts: ProjectTexts,
): DesiredMapping {
  const asking = strongestClaims(made)
  const [first] = asking.flatMap(({ ifProjectChanged }) => ifProjectChanged ?? [])
  if (first?.kind !== 'unknown' || asking.some(({ ifProjectChanged }) => ifProjectChanged === undefined)) return wanted
  const { reason, target, because } = first
  if (reason.kind === 'projectChanged') {
    const isElsewhere = reason.called !== undefined && isMapped({ kind: 'project', project: reason.called })
    if (isElsewhere || isMapped(target)) texts.noteChanged(reason, because)
  }
  return isMapped(target) ? first : { ...first, unreported: true }
}

/**
 * The projects that existing mappings show. The owner of the API key cannot see every private project. So a project that is not in the list may
 * exist, and an existing mapping is evidence for it. A mapping of a rule with `unknownProjects: send` is no evidence, since this program may have
 * written that mapping itself.
 */
function projectsShownByMappings(
  { existing, approvedProjects }: ResolveInput,
  claims: ReadonlyMap<Key, readonly Claim[]>,
): ReadonlySet<ProjectIdentifier> {
  const showsProject = ({ key }: Mapping) =>
    !strongestClaims(claims.get(key) ?? []).some(({ trustsUnknownProject }) => trustsUnknownProject === true)
  const mapped = existing.flatMap((one) => (one.target.kind === 'project' && showsProject(one) ? [one.target.project] : []))
  return new Set([...mapped, ...(approvedProjects ?? [])])
}
