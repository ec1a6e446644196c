import type { Desired, DesiredMapping } from '../desired.ts'
import { factsIn } from '../group.ts'
import { type GroupName, type Key, keyOf, type Mapping, type ProjectIdentifier, type Target } from '../mapping.ts'
import { type IsUnmanaged, ownedBy, unmanagedEntries } from '../matches.ts'
import { once } from '../once.ts'
import { valueIfRead } from '../reading.ts'
import type { WorkspaceDeclaration } from '../rule.ts'
import { type Claim, strongestClaims } from './claims.ts'
import { collectClaims } from './collectClaims.ts'
import { lackedBy, peopleIn, type ResolveInput } from './desiredMapping.ts'
import { withSuggestions } from './hints.ts'
import { followUnmanaged, lostProjects, meantElsewhere, movedProjects, openProjectTexts, undeclaredIn } from './projectTexts.ts'
import { settleClaims } from './settle.ts'
import { timelines } from './timeline.ts'
import { heldWhileFrozen, heldWhileUnmatched } from './unmatched.ts'

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
 * | none of an exact name outside of fences, | unknown: an invalid file inside the fence might say   |
 * | in a frozen fence                        | anything about it                                     |
 */
export function resolve(declared: WorkspaceDeclaration, input: ResolveInput): Desired {
  const { workspace } = declared
  const { existing, matches } = input
  const mappedKeys = new Set(existing.map(({ key }) => key))
  const isMapped = (group: GroupName, target: Target) => mappedKeys.has(keyOf(workspace, target, group))
  const texts = openProjectTexts(input.check)
  const unmanaged = followUnmanaged(declared.unmanaged, texts, input.hash)
  const unmanagedEntry = unmanagedEntries(unmanaged, matches)
  const isUnmanaged: IsUnmanaged = (group, target) => unmanagedEntry(group, target) !== undefined

  const indexes = [...input.directories.values()].flatMap((reading) => valueIfRead(reading) ?? [])
  const mappedGroups = once(() => new Set(existing.map(({ group }) => group)))
  const { claims, skipped } = collectClaims(declared, input, { texts, unmanagedEntry, mappedKeys })
  const shown = once(() => projectsShownByMappings(input, claims))
  const mappings = settleClaims(claims, { workspace, existing, mappedKeys, isShown: (project) => shown().has(project), texts })
  const elsewhere = new Map<Key, DesiredMapping>()
  const set = (holds: Iterable<readonly [Key, DesiredMapping]>) => {
    for (const [key, wanted] of holds) mappings.set(key, wanted)
  }
  const claimed = () => wantedBy(claims, skipped)
  const changed = texts.changed()
  if (changed.length > 0) {
    for (const [key, wanted] of meantElsewhere(claimed(), workspace)) {
      elsewhere.set(key, wanted)
      if (mappedKeys.has(key) || mappings.has(key)) mappings.set(key, wanted)
    }
    const undeclared = undeclaredIn(movedProjects(changed), existing)
    set(undeclared.filter(([key, { group, target }]) => !mappings.has(key) && !isUnmanaged(group, target)))
  }
  if (input.unmatched !== undefined) {
    const held = heldWhileUnmatched(input.unmatched, mappings, existing, isMapped)
    set(held.filter(([, { group, target }]) => !isUnmanaged(group, target)))
  }
  set(withSuggestions(mappings, input, declared))
  const isKnown = (group: GroupName) => mappedGroups().has(group) || indexes.some((index) => index.has(group))
  const frozen = [...heldWhileFrozen(declared, claims, mappings, { existing, matches, isKnown })]
  set(frozen.filter(([key, { group, target }]) => mappings.has(key) || !isUnmanaged(group, target)))

  const corrected = (key: Key, wanted: DesiredMapping): DesiredMapping => {
    const held = elsewhere.get(key)
    if (held !== undefined) return held
    const [inFrozen] = heldWhileFrozen(declared, claims, new Map([[key, wanted]]), { existing: [], matches, isKnown })
    if (inFrozen !== undefined) return inFrozen[1]
    if (input.unmatched === undefined || isUnmanaged(wanted.group, wanted.target)) return wanted
    const [unmatched] = heldWhileUnmatched(input.unmatched, new Map([[key, wanted]]), [], isMapped)
    return unmatched?.[1] ?? wanted
  }

  const isThere = (project: ProjectIdentifier) => valueIfRead(input.projects)?.has(project) === true || shown().has(project)
  return {
    mappings,
    turns: () => timelines(claims, { workspace, mappedKeys, isShown: (project) => shown().has(project), corrected }),
    // An unmanaged entry inside a fence does not hide a mapping that a file without limits declares.
    isUnmanaged(group, target) {
      const entry = unmanagedEntry(group, target)
      return entry !== undefined && (entry.fenced !== true || !mappings.has(keyOf(workspace, target, group)))
    },
    isOwned: ownedBy(declared, matches),
    named: texts.named(),
    changed,
    skipped: skipped.byRule(),
    peopleOf: peopleIn(input.directories),
    factsOf: (group) => factsIn(indexes, group),
    unknownTo: lackedBy(input.directories),
    lost: once(() =>
      input.projects?.status === 'complete' ? lostProjects(claimed(), { isThere, existing, unmanaged, matches }) : new Map(),
    ),
  }
}

/**
 * All that texts want, without deletes. A skipped project may have been renamed before the memory knew it, so an undeclared mapping of the group
 * elsewhere may be the declared one.
 */
function* wantedBy(
  claims: ReadonlyMap<Key, readonly Claim[]>,
  skipped: { readonly claims: readonly DesiredMapping[] },
): Generator<DesiredMapping> {
  for (const made of claims.values()) for (const { wanted } of made) if (wanted.kind !== 'absent') yield wanted
  yield* skipped.claims
}

/**
 * The projects that existing mappings show. The owner of the API key cannot see every private project. So a project that is not in the list may
 * exist, and an existing mapping is evidence for it. A mapping of a rule with `unknownProjects: send` is no evidence, since this program may have
 * written that mapping itself.
 */
function projectsShownByMappings(
  { existing, knownProjects }: ResolveInput,
  claims: ReadonlyMap<Key, readonly Claim[]>,
): ReadonlySet<ProjectIdentifier> {
  const showsProject = ({ key }: Mapping) =>
    !strongestClaims(claims.get(key) ?? []).some(({ trustsUnknownProject }) => trustsUnknownProject === true)
  const mapped = existing.flatMap((one) => (one.target.kind === 'project' && showsProject(one) ? [one.target.project] : []))
  return new Set([...mapped, ...(knownProjects ?? [])])
}
