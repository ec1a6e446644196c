import type { MappingChange } from '../change.ts'
import type { Hold } from '../hold.ts'
import type { Later } from '../later.ts'
import type { Key } from '../mapping.ts'
import type { Plan, UnchangedMapping } from '../plan.ts'

/** What a judged plan does at one key. Several mappings may have it. A rename has two keys. */
export type KeyOutcome = {
  readonly changes: readonly MappingChange[]
  readonly holds: readonly Hold[]
  readonly unchanged: readonly UnchangedMapping[]
  readonly later: readonly Later[]
}

/** @param plan with the mappings that are as declared */
export function outcomeAt(key: Key, { changes, holds, unchangedMappings = [], later }: Plan): KeyOutcome {
  return {
    changes: changes.filter((change) => change.action !== 'settings').filter((change) => isAt(key, change)),
    holds: holds.filter(
      (hold) => hold.key === key || (hold.change !== undefined && hold.change.action === 'rename' && isAt(key, hold.change)),
    ),
    unchanged: unchangedMappings.filter((mapping) => mapping.key === key),
    later: later.filter((row) => row.key === key),
  }
}

const isAt = (key: Key, change: MappingChange): boolean => change.key === key || (change.action === 'rename' && change.from === key)
