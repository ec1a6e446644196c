import type { Desired, DesiredMapping } from '../desired.ts'
import { type GroupName, type Key, keyOf, type Mapping, type ProjectIdentifier, type Target } from '../mapping.ts'
import { selected, unmanagedBy } from '../matches.ts'
import { valueIfRead } from '../reading.ts'
import type { WorkspaceDeclaration } from '../rule.ts'
import { type Claim, resolveConflict, strongestClaims } from './claims.ts'
import { baseOf, desiredFor, isWeak, projectUnseen, type ResolveInput, sourcesOf } from './desiredMapping.ts'
import { withSuggestions } from './hints.ts'
import { produce } from './produce.ts'
import type { ProjectMeaning } from './projects.ts'
import {
  followUnmanaged,
  lostProjects,
  meantElsewhere,
  movedProjects,
  openProjectTexts,
  type ProjectTexts,
  undeclaredIn,
} from './projectTexts.ts'
import { removalHash, ruleHash } from './textName.ts'
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
 * | only texts that meant another project    | unknown: the project changed                          |
 * | none, in a project that changed          | unknown: the project changed                          |
 * | none, and the patterns were not matched  | unknown: a pattern might declare it                   |
 */
export function resolve(declared: WorkspaceDeclaration, input: ResolveInput): Desired {
  const { workspace } = declared
  const { existing, check, hash, matches } = input
  const claims = new Map<Key, Claim[]>()
  const mappedKeys = new Set(existing.map(({ key }) => key))
  const texts = openProjectTexts(check)
  const unmanaged = followUnmanaged(declared.unmanaged, texts, hash)
  const isUnmanaged = unmanagedBy(unmanaged, matches)
  const claim = (key: Key, made: Claim) => {
    const sofar = claims.get(key)
    if (sofar) sofar.push(made)
    else claims.set(key, [made])
  }

  for (const removal of declared.removed) {
    const { group, target, because } = removal
    const wanted: DesiredMapping = { group, target, because, kind: 'absent', why: 'removed' }
    const meaning = target.kind === 'project' ? texts.follow(target.project, removalHash(removal, hash)) : undefined
    claim(keyOf(workspace, target, group), { weight: 'removed', ...ifProjectChanged(wanted, meaning) })
  }
  for (const rule of declared.rules) {
    const sources = sourcesOf(rule, input)
    const meaningOf = (target: Target) => (target.kind === 'project' ? texts.follow(target.project, ruleHash(rule, hash)) : undefined)
    // Called for each rule, even if it matches no group yet, so that the rule's identifier is bound to the project that has it today.
    const fixed = rule.target.kind === 'fixed' ? meaningOf(rule.target.target) : undefined
    for (const [group, captured] of selected(rule.groups, matches)) {
      const produced = produce(rule, captured)
      const { target } = produced
      if (isUnmanaged(group, target)) continue
      const key = keyOf(workspace, target, group)
      const mapped = mappedKeys.has(key)
      const wanted = desiredFor(rule, { group, target, role: produced.role, mapped }, sources, input)
      const meaning = rule.target.kind === 'fixed' ? fixed : meaningOf(target)
      if (meaning?.kind === 'changed' && wanted.kind !== 'absent') texts.noteChanged(meaning.reason, rule.because)
      const reason = projectUnseen(rule, target, input)
      claim(key, {
        weight: rule.groups.kind,
        ...ifProjectChanged(wanted, meaning),
        weak: rule.groups.kind === 'pattern' && isWeak(wanted, group, sources),
        trustsUnknownProject: rule.unknownProjects === 'send',
        ...(reason === undefined ? {} : { ifProjectUnknown: { ...baseOf(rule, { group, target }), kind: 'unknown', reason } }),
      })
    }
  }
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
      const isAwaited = wanted.kind === 'unknown' && wanted.reason.kind === 'readingIncomplete' && mappedGroups().has(wanted.group)
      return isAwaited ? [[key, { ...wanted, unreported: true }]] : []
    }),
  )
  const claimed = function* () {
    for (const made of claims.values()) for (const { wanted } of made) if (wanted.kind !== 'absent') yield wanted
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
  for (const [key, wanted] of withSuggestions(mappings, input)) mappings.set(key, wanted)
  const isThere = (project: ProjectIdentifier) => valueIfRead(input.projects)?.has(project) === true || knownByMappings().has(project)
  const lost = once(() =>
    input.projects?.status === 'complete' ? lostProjects(claimed(), { isThere, existing, unmanaged, matches }) : new Map(),
  )
  return { mappings, isUnmanaged, named: texts.named(), changed, lost }
}

/**
 * Holds a claim whose project changed or is unconfirmed. A delete gets the hold in `ifProjectChanged`: it waits only if the project of each text
 * that asks for this delete changed or is unconfirmed.
 */
function ifProjectChanged(wanted: DesiredMapping, meaning: ProjectMeaning | undefined): Pick<Claim, 'wanted' | 'ifProjectChanged'> {
  if (meaning?.kind !== 'changed' && meaning?.kind !== 'unconfirmed') return { wanted }
  const { group, target, because, previously } = wanted
  const held: DesiredMapping = {
    group,
    target,
    because,
    ...(previously === undefined ? {} : { previously }),
    kind: 'unknown',
    reason: meaning.reason,
  }
  if (wanted.kind === 'absent') return { wanted, ifProjectChanged: held }
  return meaning.kind === 'changed' || wanted.kind === 'role' ? { wanted: held } : { wanted }
}

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

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
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
