import { keyOf } from '../declared.ts'
import type { StoredRow } from '../service.ts'
import type { Spec } from '../spec.ts'

/** The keys with more than one mapping that programs made. */
export function pairsIn(rows: readonly StoredRow[], made: ReadonlySet<string>): readonly string[] {
  const byKey = Map.groupBy(
    rows.filter(({ id }) => made.has(id)),
    keyOf,
  )
  return [...byKey].flatMap(([key, { length }]) => (length > 1 ? [key] : []))
}

/** A sentence if two programs that started together left more pairs than promised. */
export function tooManyPairs(
  { rows: given, pairsMax }: Spec,
  rows: (workspace: string) => readonly StoredRow[],
  made: ReadonlySet<string>,
) {
  if (pairsMax === undefined) return undefined
  const pairs = Object.keys(given).flatMap((workspace) => pairsIn(rows(workspace), made))
  return pairs.length <= pairsMax ? undefined : `${pairs.length} mappings exist twice, of at most ${pairsMax}: ${pairs.join(', ')}`
}
