import { compare } from '../compare.ts'
import { type AskedRoles, type Desired, type DesiredMapping, rolesAsked } from '../desired.ts'
import type { HoldReason } from '../hold.ts'
import { type GroupName, type Key, keyOf, type Mapping, type MappingId, type WorkspaceName } from '../mapping.ts'
import type { Plan } from '../plan.ts'
import type { Provenance } from '../rule.ts'
import type { ByKey } from './byKey.ts'

/** The renames by `previously` of a plan so far. */
export type Renames = {
  /** Old key → the rule that claims it through `previously`, but is itself held or starts later. */
  readonly heldSuccessors: Map<Key, HeldSuccessor>
  /** Mappings that a rename of this plan uses. */
  readonly renamed: Set<MappingId>
}

/** `asked`: the roles that the rule asks for now. `starts`: its hold, if it only starts later. */
export type HeldSuccessor = {
  readonly key: Key
  readonly fenced?: true | undefined
  readonly asked: AskedRoles
  readonly starts?: { readonly reason: HoldReason; readonly because: Provenance }
}

type RenameInput = { readonly workspace: WorkspaceName; readonly byKey: ByKey; readonly desired: Desired; readonly renames: Renames }

/**
 * Notes that a rule which is held, or starts later, claims its old keys. If several such rules claim one old key, one of a file without limits is kept, and
 * of these the first by key.
 */
export function noteHeldSuccessor(key: Key, wanted: DesiredMapping, { workspace, renames }: RenameInput): void {
  const isLater = wanted.kind === 'unknown' && wanted.reason.kind === 'notStarted'
  const starts = isLater ? { starts: { reason: wanted.reason, because: wanted.because } } : {}
  const successor = { key, fenced: wanted.fenced, asked: rolesAsked(wanted), ...starts }
  for (const old of oldKeys(wanted, workspace)) {
    const before = renames.heldSuccessors.get(old)
    if (before === undefined || compareClaims(successor, before) < 0) renames.heldSuccessors.set(old, successor)
  }
}

/** The order in which rules claim old keys. A file inside a fence claims none that a file without limits claims. */
export const compareClaims = (a: Pick<HeldSuccessor, 'key' | 'fenced'>, b: Pick<HeldSuccessor, 'key' | 'fenced'>): number =>
  Number(a.fenced ?? false) - Number(b.fenced ?? false) || compare(a.key, b.key)

/**
 * The existing mapping to rename, or, if a held rule may still claim that mapping, the key of that rule. It is then unknown whether this is a rename or
 * a create.
 */
export function predecessor(wanted: DesiredMapping, input: RenameInput): Mapping | Key | undefined {
  const old = formerMapping(wanted, input)
  const successor = old && input.renames.heldSuccessors.get(old.key)
  return successor === undefined || (successor.fenced === true && wanted.fenced !== true) ? old : successor.key
}

/** The only mapping under an earlier name, if it is not desired itself and no other rename uses it. */
export const formerMapping = (wanted: DesiredMapping, { workspace, byKey, desired, renames }: RenameInput): Mapping | undefined =>
  oldKeys(wanted, workspace)
    .flatMap((key) => (desired.mappings.has(key) ? [] : (byKey.only(key) ?? [])))
    .find(({ id }) => !renames.renamed.has(id))

/** The keys that the rule of a mapping claims through `previously`. */
export const oldKeys = ({ target, previously = [] }: DesiredMapping, workspace: WorkspaceName): readonly Key[] =>
  previously.map((name) => keyOf(workspace, target, name))

/** The ids of groups that the memory knows by directory and name, and how many of a directory it knows. */
type KnownGroups = {
  readonly idOf: (directory: string, group: GroupName) => string | undefined
  readonly countOf: (directory: string) => number
}

/**
 * The plan, in which each rename of one group says so: its directory knows the new name by the id that the memory has for the former one. If this is so
 * for more than half of the known groups of a directory, its names come in another form, and no rename says it.
 */
export function withSameGroups(plan: Plan, { idOf, countOf }: KnownGroups): Plan {
  const renames = plan.changes.flatMap((change) => {
    const directory = change.because?.directory
    if (change.action !== 'rename' || directory === undefined || change.groupId === undefined) return []
    return idOf(directory, change.fromGroup) === change.groupId ? [{ id: change.id, directory }] : []
  })
  if (renames.length === 0) return plan
  const few = [...Map.groupBy(renames, ({ directory }) => directory)].flatMap(([directory, ofDirectory]) =>
    ofDirectory.length * 2 > countOf(directory) ? [] : ofDirectory.map(({ id }) => id),
  )
  const ids = new Set(few)
  const changes = plan.changes.map((change) =>
    change.action === 'rename' && ids.has(change.id) ? { ...change, sameGroup: true as const } : change,
  )
  return { ...plan, changes }
}
