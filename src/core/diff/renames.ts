import type { Desired, DesiredMapping } from '../desired.ts'
import { type Key, keyOf, type Mapping, type MappingId, type WorkspaceName } from '../mapping.ts'
import type { ByKey } from './byKey.ts'

/** The renames by `previously` of a plan so far. */
export type Renames = {
  /** Old key → the key of the rule that claims it through `previously`, but is itself held or starts later. */
  readonly heldSuccessors: Map<Key, Key>
  /** Mappings that a rename of this plan uses. */
  readonly renamed: Set<MappingId>
}

type RenameInput = { readonly workspace: WorkspaceName; readonly byKey: ByKey; readonly desired: Desired; readonly renames: Renames }

/** Notes that a rule which is held, or starts later, claims its old keys. If several such rules claim one old key, the first by key is kept. */
export function noteHeldSuccessor(key: Key, wanted: DesiredMapping, { workspace, renames }: RenameInput): void {
  const { heldSuccessors } = renames
  for (const old of oldKeys(wanted, workspace)) {
    const successor = heldSuccessors.get(old)
    if (successor === undefined || key < successor) heldSuccessors.set(old, key)
  }
}

/**
 * The existing mapping to rename: the only one under an earlier name, if it is not desired itself and no other rename uses it. If a held
 * rule may still claim that mapping, returns the key of that rule instead. It is then unknown whether this is a rename or a create.
 */
export function predecessor(wanted: DesiredMapping, { workspace, byKey, desired, renames }: RenameInput): Mapping | Key | undefined {
  for (const key of oldKeys(wanted, workspace)) {
    const [old, ...more] = desired.mappings.has(key) ? [] : byKey.at(key)
    if (old !== undefined && more.length === 0 && !renames.renamed.has(old.id)) return renames.heldSuccessors.get(key) ?? old
  }
  return undefined
}

const oldKeys = ({ target, previously = [] }: DesiredMapping, workspace: WorkspaceName): readonly Key[] =>
  previously.map((name) => keyOf(workspace, target, name))
