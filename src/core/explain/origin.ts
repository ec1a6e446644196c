import { listOf, type Mapping, type WorkspaceName } from '../mapping.ts'
import type { Memory } from '../memory/memory.ts'
import { adoptedAfterMs, isOurs, type Ownership, ownedListOf, ownershipIn } from '../memory/ownership.ts'
import { defined } from '../optionalFields.ts'

/**
 * Where a mapping comes from, as the journal knows it. `others`: somebody else made it, and no exact rule has named it. `isOurs`: policy `sync` deletes
 * it when its rule goes. `adoptedMs`: when an exact rule that still names it makes it ours, epoch ms.
 */
export type MappingOrigin = {
  readonly how: Ownership['how'] | 'others'
  readonly isOurs: boolean
  readonly adoptedMs?: number
}

/** @param memory the memory of the journal */
export function originOf(mapping: Mapping, workspace: WorkspaceName, memory: Pick<Memory, 'ownership'>): MappingOrigin {
  const list = ownedListOf(memory, workspace, listOf(mapping.target))
  const known = ownershipIn(list, { isSameRole: () => true })(mapping)
  if (known === undefined) return { how: 'others', isOurs: false }
  const sinceMs = known.how === 'named' ? known.sinceMs : undefined
  return {
    how: known.how,
    isOurs: isOurs(list, known),
    ...defined({ adoptedMs: sinceMs === undefined ? undefined : sinceMs + adoptedAfterMs }),
  }
}
