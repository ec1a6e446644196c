import { keyOf, type Place } from '../declared.ts'
import type { Spec } from '../spec.ts'
import type { SeenRow } from './listing.ts'
import type { Fail } from './violation.ts'
import type { Write } from './write.ts'

/** The writes that one cycle has sent to one workspace. */
export type Sum = { readonly creates: Set<string>; readonly revisions: Set<string>; readonly deletes: Set<string>; readonly owned: number }

/** The same value as in the settings of the worlds. */
export const minExisting = { changes: 2, deletes: 1 }
export const shares = { changes: 0.3, deletes: 0.2 }

/**
 * Counts the sent changes independently of the guards, and reports a count above a limit of a guard. A request that is repeated after a 429 or
 * without an answer is one change.
 */
export function measure({ does, before, after }: Write, sum: Sum, { guards }: Spec, fail: Fail): void {
  const row = before?.id ?? keyOf(after as Place)
  if (does === 'create') sum.creates.add(row)
  else sum.revisions.add(row)
  if (does === 'delete') sum.deletes.add(row)
  const most = (what: 'changes' | 'deletes') => Math.min(guards[what], Math.max(minExisting[what], Math.floor(shares[what] * sum.owned)))
  const over = (name: string, count: number, limit: number) =>
    count > limit ? fail('guards', `${name} ${count} of at most ${limit}`) : undefined
  over('create', sum.creates.size, guards.creates)
  over('change', sum.revisions.size, most('changes'))
  over('delete', sum.deletes.size, most('deletes'))
}

/** The rows that a process has read, with its own writes since then. */
export type Known = Map<string, SeenRow>

/** After every sent write, an administrator remains if there was one, and no list becomes empty. */
export function keeps({ kind, does, before, after }: Write, known: Known, fail: Fail): void {
  const administrators = () => [...known.values()].filter(({ role }) => role === 'admin' || role === 'owner').length
  const had = { administrators: administrators(), rows: known.size }
  if (does === 'delete' && before !== undefined) known.delete(before.id)
  if (before !== undefined && after !== undefined) known.set(before.id, { ...before, ...after })
  if (kind === 'workspace-mappings' && had.administrators > 0 && administrators() === 0)
    fail('guards', 'takes the last mapping to an administrator role away')
  if (had.rows > 0 && known.size === 0) fail('guards', 'empties a list')
}
