import type { Wish, Wishes } from '../desired.ts'
import { type Key, keyOf, type Mapping, type MappingId, type WorkspaceName } from '../mapping.ts'
import type { ByKey } from './byKey.ts'

/** Who takes the mappings of old names (`previously`), while a plan is drafted. */
export type Renames = {
  /** By the key of an old name that of a rule which would take its mapping, where nobody can say yet whether the rule can be followed. */
  readonly heirs: Map<Key, Key>
  readonly taken: Set<MappingId>
}

/** Of several rules that cannot be followed yet the first by key stands for all. */
export function mayTake(key: Key, wish: Wish, workspace: WorkspaceName, { heirs }: Renames): void {
  for (const old of oldKeys(wish, workspace)) {
    const heir = heirs.get(old)
    if (heir === undefined || key < heir) heirs.set(old, key)
  }
}

type Surroundings = { readonly byKey: ByKey; readonly wishes: Wishes; readonly renames: Renames }

/**
 * The one mapping of an old name, if nothing else wants or has taken it. Where another rule may yet take it, its key: nobody can say then
 * whether this is a rename or a create.
 */
export function predecessor(wish: Wish, workspace: WorkspaceName, { byKey, wishes, renames }: Surroundings): Mapping | Key | undefined {
  for (const key of oldKeys(wish, workspace)) {
    const [old, ...more] = wishes.has(key) ? [] : byKey.at(key)
    if (old !== undefined && more.length === 0 && !renames.taken.has(old.id)) return renames.heirs.get(key) ?? old
  }
  return undefined
}

const oldKeys = ({ target, previously = [] }: Wish, workspace: WorkspaceName): readonly Key[] =>
  previously.map((name) => keyOf(workspace, target, name))
