import { compare } from '../compare.ts'
import { type Dates, datesToCome } from '../dates.ts'
import { type DesiredMapping, heldMapping, ruleResult, type SkippedProjects } from '../desired.ts'
import type { HoldReason } from '../hold.ts'
import { type GroupName, type Key, keyOf, type ProjectIdentifier, type Target } from '../mapping.ts'
import { selected } from '../matches.ts'
import { once } from '../once.ts'
import { valueIfRead } from '../reading.ts'
import { comparePositions, type Provenance, type Rule, type Unmanaged, type WorkspaceDeclaration } from '../rule.ts'
import type { Claim } from './claims.ts'
import { desiredFor, isWeak, projectUnseen, type ResolveInput, sourcesOf } from './desiredMapping.ts'
import { outranked } from './outranked.ts'
import { produce } from './produce.ts'
import type { ProjectMeaning } from './projects.ts'
import type { ProjectTexts } from './projectTexts.ts'
import { removalHash, ruleHash } from './textName.ts'

type Context = {
  readonly texts: ProjectTexts
  /** The unmanaged entry of a mapping. */
  readonly unmanagedEntry: (group: GroupName, target: Target) => Unmanaged | undefined
  /** The keys of existing mappings. */
  readonly mappedKeys: ReadonlySet<Key>
}

/** What the removals and rules of a declaration want for each key. `dated`: the keys that a date will change. `skipped`: what rules with `unknownProjects: skip` leave out. */
export function collectClaims(
  declared: WorkspaceDeclaration,
  input: ResolveInput,
  { texts, unmanagedEntry, mappedKeys }: Context,
): {
  readonly claims: ReadonlyMap<Key, readonly Claim[]>
  readonly dated: ReadonlySet<Key>
  readonly skipped: ReturnType<typeof openSkipped>
} {
  const { workspace } = declared
  const { changedGroups, hash, matches, recordedGroups } = input
  const claims = new Map<Key, Claim[]>()
  const dated = new Set<Key>()
  const skipped = openSkipped(input)
  const claim = (key: Key, made: Claim) => {
    const sofar = claims.get(key)
    if (sofar) sofar.push(made)
    else claims.set(key, [made])
  }

  for (const removal of declared.removed) {
    const { group, target, because } = removal
    const wanted: DesiredMapping = { group, target, because, kind: 'absent', why: 'removed' }
    const meaning = target.kind === 'project' ? texts.follow(target.project, removalHash(removal, hash)) : undefined
    const unmanaged = unmanagedEntry(group, target)
    claim(keyOf(workspace, target, group), {
      weight: 'removed',
      ...fenceOf(removal),
      ...(unmanaged !== undefined && isContested(removal, unmanaged)
        ? { wanted: heldBeside(wanted, removal, unmanaged) }
        : ifProjectChanged(wanted, meaning)),
    })
  }
  for (const rule of declared.rules) {
    const sources = sourcesOf(rule, input)
    const datesMs = datesToCome(rule, input.dates)
    const meaningOf = (target: Target) => (target.kind === 'project' ? texts.follow(target.project, ruleHash(rule, hash)) : undefined)
    // Called for each rule, even if it matches no group yet, so that the rule's identifier is bound to the project that has it today.
    const fixed = rule.target.kind === 'fixed' ? meaningOf(rule.target.target) : undefined
    for (const [group, captured] of selected(rule.groups, matches)) {
      const { targets, role } = produce(rule, captured)
      for (const target of targets) {
        const unmanaged = unmanagedEntry(group, target)
        if (unmanaged !== undefined && !isHeldBeside(rule, unmanaged)) continue
        const key = keyOf(workspace, target, group)
        const mapped = mappedKeys.has(key)
        const meaning = rule.target.kind === 'fixed' ? fixed : meaningOf(target)
        const reason = projectUnseen(rule, target, input)
        const wantedAt = (dates: Dates) =>
          desiredFor(rule, { group, target, role, mapped }, sources, { dates, changedGroups, recordedGroups })
        const claimOf = (wanted: DesiredMapping): Claim => {
          const heldFor = wanted.kind === 'unknown' ? wanted.reason.kind : undefined
          const notStarted = heldFor === 'notStarted'
          return {
            weight: rule.groups.kind,
            rule,
            ...fenceOf(rule),
            ...(unmanaged === undefined ? ifProjectChanged(wanted, meaning) : { wanted: heldBeside(wanted, rule, unmanaged) }),
            weak: notStarted || isWeakIn(wanted),
            notStarted,
            ...(heldFor === 'clocksDiffer' && 'role' in role ? { unlessEnded: { kind: 'role', role: role.role } } : {}),
            trustsUnknownProject: rule.unknownProjects === 'send',
            ...(reason === undefined ? {} : { ifProjectUnknown: heldClaim(wanted, reason) }),
          }
        }
        const isWeakIn = (wanted: DesiredMapping) => rule.groups.kind === 'pattern' && isWeak(wanted, group, sources)
        const wanted = wantedAt(input.dates)
        if (skipped.take(rule, wanted, isWeakIn(wanted))) continue
        if (meaning?.kind === 'changed' && wanted.kind !== 'absent') texts.noteChanged(meaning.reason, rule.because)
        const made = claimOf(wanted)
        if (datesMs.length === 0) claim(key, made)
        else {
          dated.add(key)
          claim(key, { ...made, later: { datesMs, at: (atMs) => claimOf(wantedAt({ hereMs: atMs, thereMs: undefined })) } })
        }
      }
    }
  }
  return { claims, dated, skipped }
}

/**
 * Whether an unmanaged entry only holds the rule: one inside a fence must not silence a file without limits, and one of another file with the same rights
 * contradicts an exact rule.
 */
const isHeldBeside = (rule: Rule, unmanaged: Unmanaged): boolean =>
  (unmanaged.fenced === true && rule.fenced !== true) || (rule.groups.kind === 'exact' && isContested(rule, unmanaged))

/** Whether two files with the same rights have these entries. */
const isContested = (a: Pick<Rule, 'fenced' | 'because'>, b: Pick<Rule, 'fenced' | 'because'>): boolean =>
  a.fenced === b.fenced && a.because.at.file !== b.because.at.file

const heldBeside = (wanted: DesiredMapping, rule: Pick<Rule, 'fenced' | 'because'>, unmanaged: Unmanaged): DesiredMapping =>
  isContested(rule, unmanaged)
    ? heldClaim(wanted, { kind: 'contested', rules: [rule.because, unmanaged.because] })
    : heldClaim(wanted, outranked(wanted, { unmanaged: unmanaged.because }))

const fenceOf = ({ fenced }: Pick<Rule, 'fenced'>): Pick<Claim, 'fenced'> => (fenced === undefined ? {} : { fenced })

/**
 * Collects what rules with `unknownProjects: skip` leave out: mappings in projects that were never known. A project is known if the list shows it, if
 * the memory has it for a text that is still declared, if an existing mapping names it, or if the plan that is carried out was made with it. An
 * incomplete list proves nothing.
 */
function openSkipped({ projects, existing, isRemembered, knownProjects }: ResolveInput) {
  const claims: DesiredMapping[] = []
  const byRule = new Map<Provenance, { readonly projects: Set<ProjectIdentifier>; mappings: number }>()
  const mapped = once(() => new Set(existing.flatMap(({ target }) => (target.kind === 'project' ? [target.project] : []))))
  const isKnown = (project: ProjectIdentifier) =>
    projects?.status !== 'complete' ||
    valueIfRead(projects)?.has(project) === true ||
    mapped().has(project) ||
    isRemembered(project) ||
    knownProjects?.has(project) === true
  return {
    /** Returns whether the mapping is left out. */
    take({ unknownProjects, because }: Rule, wanted: DesiredMapping, weak: boolean): boolean {
      const { target } = wanted
      if (unknownProjects !== 'skip' || target.kind !== 'project' || isKnown(target.project)) return false
      // An expired rule wants no mapping there.
      if (wanted.kind === 'absent') return true
      claims.push(wanted)
      // Neither would be shown if it were held.
      if (weak || (wanted.kind === 'unknown' && wanted.reason.kind === 'notStarted')) return true
      const sofar = byRule.get(because) ?? { projects: new Set(), mappings: 0 }
      sofar.projects.add(target.project)
      sofar.mappings++
      byRule.set(because, sofar)
      return true
    },
    /** What the rules would want there. */
    claims: claims as readonly DesiredMapping[],
    byRule: (): readonly SkippedProjects[] =>
      [...byRule]
        .map(([because, { projects: names, mappings }]) => ({ because, projects: [...names].toSorted(compare), mappings }))
        .toSorted((a, b) => comparePositions(a.because.at, b.because.at)),
  }
}

/**
 * Holds a claim whose project changed or is unconfirmed. A delete gets the hold in `ifProjectChanged`: it waits only if the project of each text
 * that asks for this delete changed or is unconfirmed.
 */
function ifProjectChanged(wanted: DesiredMapping, meaning: ProjectMeaning | undefined): Pick<Claim, 'wanted' | 'ifProjectChanged'> {
  if (meaning?.kind !== 'changed' && meaning?.kind !== 'unconfirmed') return { wanted }
  const held = heldClaim(wanted, meaning.reason)
  if (wanted.kind === 'absent') return { wanted, ifProjectChanged: held }
  return meaning.kind === 'changed' || wanted.kind === 'role' ? { wanted: held } : { wanted }
}

/** What the rule wants, held. The earlier names of the group stay. */
const heldClaim = (wanted: DesiredMapping, reason: HoldReason): DesiredMapping => ({
  ...heldMapping(wanted, reason, ruleResult(wanted)),
  ...(wanted.previously === undefined ? {} : { previously: wanted.previously }),
})
