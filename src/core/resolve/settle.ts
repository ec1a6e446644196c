import type { DesiredMapping } from '../desired.ts'
import { mayEndWithoutEdit } from '../holdEffects.ts'
import { type GroupName, type Key, keyOf, type Mapping, type ProjectIdentifier, type Target, type WorkspaceName } from '../mapping.ts'
import { once } from '../once.ts'
import { type Claim, resolveConflict, strongestClaims } from './claims.ts'
import type { ProjectTexts } from './projectTexts.ts'

export type SettleContext = {
  readonly workspace: WorkspaceName
  readonly existing: readonly Mapping[]
  readonly mappedKeys: ReadonlySet<Key>
  /** Whether an existing mapping shows that the project exists. */
  readonly isShown: (project: ProjectIdentifier) => boolean
  readonly texts: ProjectTexts
}

/** The desired mapping of each key that has claims. A key without one has only weak claims, and no mapping. */
export function settleClaims(
  claims: ReadonlyMap<Key, readonly Claim[]>,
  { workspace, existing, mappedKeys, isShown, texts }: SettleContext,
): Map<Key, DesiredMapping> {
  const mappedGroups = once(() => new Set(existing.map(({ group }) => group)))
  const settled = new Map<Key, DesiredMapping>()
  for (const [key, made] of claims) {
    const together = resolveConflict(made.map((claim) => asShown(claim, isShown)))
    const isMapped = (target: Target) => mappedKeys.has(keyOf(workspace, target, together.group))
    const wanted = together.kind === 'absent' ? deletable(together, made, isMapped, texts) : together
    const isReported = mappedKeys.has(key) || !made.every(({ weak }) => weak === true)
    const mapping = isReported ? wanted : heldForAnother(wanted, made, mappedGroups)
    if (mapping !== undefined) settled.set(key, mapping)
  }
  return settled
}

/** The claim, or the hold that replaces it if its project is not known to exist. */
export function asShown(claim: Claim, isShown: (project: ProjectIdentifier) => boolean): Claim {
  const { wanted, ifProjectUnknown } = claim
  if (wanted.kind !== 'role' || ifProjectUnknown?.target.kind !== 'project' || isShown(ifProjectUnknown.target.project)) return claim
  return { ...claim, wanted: ifProjectUnknown }
}

/** The hold of a key that has no mapping and only weak claims. The plan does not show it. It is kept only if another mapping may have to wait for it. */
function heldForAnother(
  wanted: DesiredMapping,
  made: readonly Claim[],
  mappedGroups: () => ReadonlySet<GroupName>,
): DesiredMapping | undefined {
  const starting = made.filter(({ notStarted }) => notStarted === true)
  const later = starting.some((claim) => claim.wanted.previously !== undefined) ? resolveConflict(starting) : wanted
  return later.kind === 'unknown' && mayReplace(later, mappedGroups()) ? { ...later, hidden: true } : undefined
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
  const held = onlyOfChangedProjects(made)
  if (held === undefined) return wanted
  const { reason, target, because } = held
  if (reason.kind === 'projectChanged') {
    const isElsewhere = reason.called !== undefined && isMapped({ kind: 'project', project: reason.called })
    if (isElsewhere || isMapped(target)) texts.noteChanged(reason, because)
  }
  return isMapped(target) ? held : { ...held, hidden: true }
}

/** The hold of a delete if every text that asks for it meant another project. */
export function onlyOfChangedProjects(made: readonly Claim[]): Extract<DesiredMapping, { kind: 'unknown' }> | undefined {
  const asking = strongestClaims(made)
  const [first] = asking.flatMap(({ ifProjectChanged }) => ifProjectChanged ?? [])
  return first?.kind !== 'unknown' || asking.some(({ ifProjectChanged }) => ifProjectChanged === undefined) ? undefined : first
}
