import { type Dates, isOver } from '../dates.ts'
import { type DatedMapping, type Desired, type DesiredMapping, type GroupIdsOf, heldMapping, ruleResult } from '../desired.ts'
import { factsIn, type GroupIndex, ownId } from '../group.ts'
import { type HoldReason } from '../hold.ts'
import { type GroupName, type Key, keyOf, listOf, type Mapping, type ProjectIdentifier, type Target } from '../mapping.ts'
import { type IsUnmanaged, ownedBy, type Unmatched, unmanagedEntries } from '../matches.ts'
import { once } from '../once.ts'
import { defined } from '../optionalFields.ts'
import { valueIfRead } from '../reading.ts'
import { comparePositions, type WorkspaceDeclaration } from '../rule.ts'
import { type Claim, lossesOf, resolveConflict, ruleDates, strongestClaims } from './claims.ts'
import { collectClaims } from './collectClaims.ts'
import { directoriesWithout, type ResolveInput, sizesIn } from './desiredMapping.ts'
import { openClipped, openFrozen } from './frozen.ts'
import { fullName } from './groupIds.ts'
import { withSuggestions } from './hints.ts'
import { followUnmanaged, lostProjects, meantElsewhere, movedProjects, openProjectTexts, undeclaredIn } from './projectTexts.ts'
import { endedWhileHeld } from './recordedEnds.ts'
import { asShown, onlyOfChangedProjects, type SettleContext, settleClaims } from './settle.ts'

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
 * | held, and its recorded end has come      | absent, unless a rule asks for the same role now      |
 * | none, and the patterns were not matched  | unknown: a pattern might declare it                   |
 * | any, and a frozen file names the key     | unknown, or absent if its recorded end has come:      |
 * | or gave its mapping                      | the table in `frozen.ts`                              |
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
  const { claims, dated, skipped } = collectClaims(declared, input, { texts, unmanagedEntry, mappedKeys })
  const shown = once(() => projectsShownByMappings(input, claims))
  const mappings = settleClaims(claims, { workspace, existing, mappedKeys, isShown: (project) => shown().has(project), texts })
  const { givenOf = () => undefined } = input
  const mappedTo = once(() => Map.groupBy(existing, ({ key }) => key))
  const endedAt = (key: Key, wanted: DesiredMapping, made: readonly Claim[], dates: Dates): DesiredMapping | undefined =>
    wanted.kind === 'unknown' ? endedWhileHeld(wanted, { claims: made, mapped: mappedTo().get(key) ?? [], givenOf }, dates) : undefined
  for (const [key, wanted] of mappings) {
    const ended = endedAt(key, wanted, claims.get(key) ?? [], input.dates)
    if (ended !== undefined) mappings.set(key, ended)
  }
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
  const frozen = openFrozen(declared, { matches, isKnown, givenOf })
  const frozenKey = (key: Key, { group, target }: Pick<Mapping, 'group' | 'target'>, made = claims.get(key) ?? []) => ({
    group,
    target,
    claims: made,
    mapped: mappedTo().get(key) ?? [],
  })
  if (!frozen.isEmpty) {
    for (const place of [...Array.from(mappings, ([key, { group, target }]) => ({ key, group, target })), ...existing]) {
      const wanted = mappings.get(place.key)
      if (wanted === undefined && isUnmanaged(place.group, place.target)) continue
      const instead = frozen.corrected(frozenKey(place.key, place), wanted, input.dates)
      if (instead !== undefined) mappings.set(place.key, instead)
    }
  }

  const clipped = openClipped(declared, matches, input.dates)
  for (const mapping of existing) {
    const kept = mappings.has(mapping.key) || isUnmanaged(mapping.group, mapping.target) ? undefined : clipped(mapping, givenOf(mapping))
    if (kept !== undefined) mappings.set(mapping.key, kept)
  }

  const endsOf = (mapped: readonly Mapping[]) => mapped.flatMap((mapping) => givenOf(mapping)?.endMs ?? [])
  const corrected: Context['corrected'] = (key, place, settled, atMs, made) => {
    const held = elsewhere.get(key)
    if (held !== undefined) return held
    const dates = { hereMs: atMs, thereMs: undefined }
    const wanted = (settled && endedAt(key, settled, made, dates)) ?? settled
    const instead = frozen.isEmpty ? undefined : frozen.corrected(frozenKey(key, place, made), wanted, dates)
    if (instead !== undefined) return instead
    if (wanted === undefined || input.unmatched === undefined || isUnmanaged(wanted.group, wanted.target)) return wanted
    const [unmatched] = heldWhileUnmatched(input.unmatched, new Map([[key, wanted]]), [], isMapped)
    return unmatched?.[1] ?? wanted
  }

  const isOwned = ownedBy(declared, matches)
  // What this program made stays in view under each policy if its file is gone, or if any file names the list. Its line is gone: else it would be held above.
  const namedLists = once(() => new Set((declared.ownsKeys ?? []).map(({ list }) => list)))
  const isMade = (mapping: Mapping) => {
    const given = givenOf(mapping)
    return given?.isMade === true && (given.isGone || namedLists().has(listOf(mapping.target)))
  }
  const isThere = (project: ProjectIdentifier) => valueIfRead(input.projects)?.has(project) === true || shown().has(project)
  return {
    mappings,
    datesOf(key) {
      const dates = ruleDates(claims.get(key) ?? [])
      const mapped = mappedTo().get(key) ?? []
      const ends = mappings.get(key)?.kind === 'role' ? frozen.endsOf(mapped) : endsOf(mapped)
      const recorded = ends.filter((atMs) => isOver(atMs, input.dates) === 'yes')
      return { ...dates, ended: [...dates.ended, ...recorded] }
    },
    claimsOn(key) {
      const made = (claims.get(key) ?? []).map((claim) => asShown(claim, (project) => shown().has(project)))
      const losses = lossesOf(made)
      return made
        .toSorted((a, b) => comparePositions(a.wanted.because.at, b.wanted.because.at))
        .map((claim) => ({ wanted: claim.wanted, ...defined({ rule: claim.rule, lost: losses.get(claim) }) }))
    },
    *turns() {
      const ends = new Map<Key, RecordedEnds>()
      const note = (key: Key, mapped: readonly Mapping[], recordedMs: readonly number[]) => {
        const datesMs = recordedMs.filter((atMs) => isOver(atMs, input.dates) === 'no')
        if (datesMs.length > 0) ends.set(key, { mapping: mapped[0] as Mapping, datesMs })
      }
      for (const [key, mapped] of frozen.isEmpty ? [] : mappedTo()) note(key, mapped, frozen.endsOf(mapped))
      for (const [key, { kind }] of mappings) {
        const mapped = kind === 'unknown' && !ends.has(key) ? (mappedTo().get(key) ?? []) : []
        note(key, mapped, endsOf(mapped))
      }
      yield* timelines(claims, dated, ends, { workspace, mappedKeys, isShown: (project) => shown().has(project), corrected })
    },
    // An unmanaged entry inside a fence does not hide a mapping that a file without limits declares.
    isUnmanaged(group, target) {
      const entry = unmanagedEntry(group, target)
      return entry !== undefined && (entry.fenced !== true || !mappings.has(keyOf(workspace, target, group)))
    },
    isOwned: (group, target) => {
      if (isOwned(group, target)) return true
      const mapped = mappedTo().get(keyOf(workspace, target, group)) ?? []
      return frozen.isAbout(group, target, mapped) || mapped.some(isMade)
    },
    named: texts.named(),
    changed,
    skipped: skipped.byRule(),
    sizeOf: sizesIn(input.directories),
    factsOf: (group) => factsIn(indexes, group),
    idsOf: (group) => groupIdsIn(input, group),
    unknownTo: directoriesWithout(input),
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

function groupIdsIn({ directories, lastId }: ResolveInput, group: GroupName): GroupIdsOf {
  const isReused = [...directories.values()].some((reading) => valueIfRead(reading)?.has(group) === true)
  const idsBy = (idsIn: (directory: string, index: GroupIndex | undefined) => readonly (string | undefined)[]) =>
    [...directories].flatMap(([directory, reading]) =>
      idsIn(directory, valueIfRead(reading)).flatMap((id) => (id === undefined ? [] : fullName(directory, id))),
    )
  return {
    now: idsBy((_, index) => (index?.get(group) ?? []).map(ownId)),
    // A name that a directory has belongs to other people by now.
    before: isReused ? [] : idsBy((directory) => [lastId(fullName(directory, group))]),
  }
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
  const mapped = existing.flatMap((mapping) => (mapping.target.kind === 'project' && showsProject(mapping) ? [mapping.target.project] : []))
  return new Set([...mapped, ...(knownProjects ?? [])])
}

/**
 * The holds of a workspace whose patterns were not matched with names. A pattern might declare any existing mapping. It might also declare a mapping
 * that is to be deleted (for an expired rule or a removal), or a mapping that is to be renamed. So nothing is deleted and nothing is renamed. If only
 * patterns inside fences were not matched, this concerns mappings inside of these fences, and what others remove is deleted.
 */
function* heldWhileUnmatched(
  { why, because, owners, mayDeclare = () => true }: Unmatched,
  mappings: ReadonlyMap<Key, DesiredMapping>,
  existing: readonly Mapping[],
  isMapped: (group: GroupName, target: Target) => boolean,
): Generator<readonly [Key, DesiredMapping]> {
  const reason: HoldReason = { kind: 'patternsUnmatched', why }
  const renames = ({ group, target, previously = [] }: DesiredMapping) =>
    !isMapped(group, target) && previously.some((former) => isMapped(former, target) && mayDeclare(former, target))
  const isRemovedByOthers = ({ because: { owner } }: DesiredMapping) => owners !== undefined && (owner === undefined || !owners.has(owner))
  const mayKeep = (wanted: Extract<DesiredMapping, { kind: 'absent' }>) =>
    mayDeclare(wanted.group, wanted.target) && (wanted.why === 'expired' || !isRemovedByOthers(wanted))
  for (const [key, wanted] of mappings) {
    if (wanted.kind === 'absent' ? mayKeep(wanted) : wanted.kind === 'role' && renames(wanted))
      yield [key, heldMapping(wanted, reason, ruleResult(wanted))]
  }
  for (const { key, group, target } of existing)
    if (!mappings.has(key) && mayDeclare(group, target)) yield [key, { group, target, because, kind: 'unknown', reason }]
}

type Place = Pick<DesiredMapping, 'group' | 'target'>
type Context = Pick<SettleContext, 'workspace' | 'mappedKeys' | 'isShown'> & {
  /**
   * The final result for a key at a date. `wanted`: what the claims give. A project that was perhaps renamed, frozen files and unmatched patterns may replace it.
   */
  readonly corrected: (
    key: Key,
    place: Place,
    wanted: DesiredMapping | undefined,
    atMs: number,
    made: readonly Claim[],
  ) => DesiredMapping | undefined
}

/** The ends that the journal knows of a mapping whose rule is in a file of which nothing is used, epoch ms. */
type RecordedEnds = { readonly mapping: Mapping; readonly datesMs: readonly number[] }

/** The turns of each key that has claims with dates, or recorded ends, by date. At each of them the key is as `resolve` would decide at that moment. */
function* timelines(
  claims: ReadonlyMap<Key, readonly Claim[]>,
  dated: ReadonlySet<Key>,
  ends: ReadonlyMap<Key, RecordedEnds>,
  context: Context,
): Generator<readonly [Key, readonly DatedMapping[]]> {
  for (const key of dated) {
    const made = claims.get(key) as readonly Claim[]
    yield [key, turnsOf(key, (made[0] as Claim).wanted, made, ends.get(key)?.datesMs ?? [], context)]
  }
  for (const [key, { mapping, datesMs }] of ends) {
    const made = claims.get(key) ?? []
    if (!dated.has(key)) yield [key, turnsOf(key, made[0]?.wanted ?? mapping, made, datesMs, context)]
  }
}

function turnsOf(
  key: Key,
  place: Place,
  made: readonly Claim[],
  endsMs: readonly number[],
  { workspace, mappedKeys, isShown, corrected }: Context,
): readonly DatedMapping[] {
  const isMapped = (group: DesiredMapping['group'], target: Target) => mappedKeys.has(keyOf(workspace, target, group))
  // In the order of the files, so that the first of claims that want the same is always one and the same.
  const placed = made.toSorted((a, b) => comparePositions(a.wanted.because.at, b.wanted.because.at))
  const dated = placed.flatMap((claim) => claim.later?.datesMs.map((atMs) => ({ atMs, claim, at: claim.later?.at })) ?? [])
  const present = openPresent(placed, isShown)
  const turning = Map.groupBy(dated, ({ atMs }) => atMs)
  return [...new Set([...turning.keys(), ...endsMs])]
    .toSorted((a, b) => a - b)
    .flatMap((atMs) => {
      let begins = false
      for (const { claim, at } of turning.get(atMs) ?? []) {
        const next = at?.(atMs) ?? claim
        if (next.wanted.kind !== 'absent') begins = true
        present.replace(claim, next)
      }
      const representatives = present.representatives()
      const settled = representatives.length === 0 ? undefined : resolveConflict(representatives)
      const ofChangedProject = settled?.kind === 'absent' ? onlyOfChangedProjects(representatives) : undefined
      const held =
        ofChangedProject === undefined || isMapped(ofChangedProject.group, ofChangedProject.target)
          ? ofChangedProject
          : { ...ofChangedProject, hidden: true as const }
      const wanted = corrected(key, place, held ?? settled, atMs, representatives)
      const isWeak = representatives.every(({ weak }) => weak === true)
      return wanted === undefined ? [] : [{ atMs, wanted, isWeak, starts: begins && wanted.kind !== 'absent' }]
    })
}

/** Claims that want the same, in the order in which they came, also those that are gone. `left`: how many are not. */
type Class = { readonly claims: Claim[]; first: number; left: number }

/**
 * The claims on a key as they are at a moment. Of claims that want the same, the first stands for all: thousands of rules may name one key.
 */
function openPresent(made: readonly Claim[], isShown: SettleContext['isShown']) {
  const classes = new Map<string, Class>()
  const current = new Map<Claim, { readonly name: string; readonly claim: Claim }>()
  const gone = new Set<Claim>()
  const add = (of: Claim, at: Claim) => {
    const claim = asShown(at, isShown)
    const name = className(claim)
    const claimClass = classes.get(name) ?? { claims: [], first: 0, left: 0 }
    claimClass.claims.push(claim)
    claimClass.left++
    classes.set(name, claimClass)
    current.set(of, { name, claim })
  }
  for (const claim of made) add(claim, claim)
  return {
    replace(of: Claim, next: Claim): void {
      const before = current.get(of)
      const claimClass = before && classes.get(before.name)
      if (before !== undefined && claimClass !== undefined) {
        gone.add(before.claim)
        claimClass.left--
        if (claimClass.left === 0) classes.delete(before.name)
      }
      add(of, next)
    },
    representatives: (): readonly Claim[] =>
      [...classes.values()].flatMap((claimClass) => {
        let claim = claimClass.claims[claimClass.first]
        while (claim !== undefined && gone.has(claim)) claim = claimClass.claims[++claimClass.first]
        return claim ?? []
      }),
  }
}

/** Equal for claims of which one may stand for the other when a conflict is resolved. */
function className({ weight, fenced, wanted, weak, notStarted, ifProjectChanged }: Claim): string {
  const { kind, previously } = wanted
  const result =
    kind === 'role'
      ? [wanted.role, wanted.allowProtected, wanted.grantsWait !== undefined]
      : kind === 'unknown'
        ? [wanted.reason.kind, wanted.would]
        : [wanted.why]
  return JSON.stringify([weight, fenced, weak, notStarted, ifProjectChanged !== undefined, kind, previously, result])
}
