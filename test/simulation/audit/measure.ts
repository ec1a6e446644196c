import { keyOf, type Place } from '../declared.ts'
import type { Guards, Spec } from '../spec.ts'
import type { SeenRow } from './listing.ts'
import type { Fail } from './violation.ts'
import { rankOf, type Write } from './write.ts'

export const amounts = ['creates', 'raises', 'lowers', 'deletes'] as const
export type Amount = (typeof amounts)[number]

/** The changes that one cycle has sent, and that no person let pass. */
export type Sent = Readonly<Record<Amount, Set<string>>>
/** Those to one workspace. `owned`: the mappings of the lists that the declaration names. */
export type Sum = Sent & { readonly owned: number }
export const noneSent = (): Sent => ({ creates: new Set(), raises: new Set(), lowers: new Set(), deletes: new Set() })

/** The same values as in the settings of the worlds. */
export const minExisting = { raises: 2, lowers: 2, deletes: 1 }
const shares = { raises: 0.3, lowers: 0.3, deletes: 0.2 }

/** The limits in which a write counts: a patch between roles that have no order counts as a raise and as a lowering, and so does a rename. */
export function amountsOf({ does, before, after }: Pick<Write, 'does' | 'before' | 'after'>): readonly Amount[] {
  if (does === 'create' || does === 'delete') return [`${does}s`]
  const [from, to] = [rankOf(before?.role ?? ''), rankOf(after?.role ?? '')]
  return does === 'rename' || from < 0 || to < 0 || from === to ? ['raises', 'lowers'] : from < to ? ['raises'] : ['lowers']
}

/** The most changes of a kind in one plan. @param owned the mappings of the lists that the declaration names */
export const mostOf = (amount: Amount, guards: Guards, owned: number): number =>
  amount === 'creates' || guards.hasNoShares === true
    ? guards[amount]
    : Math.min(guards[amount], Math.max(minExisting[amount], Math.floor(shares[amount] * owned)))

/**
 * Counts the sent changes independently of the guards, and reports a count above a limit. A request that is repeated after a 429 or without an answer is
 * one change. What a person let pass does not count.
 *
 * @param sum to this workspace
 * @param run to all workspaces
 */
export function measure(write: Write, sum: Sum, run: Sent, { guards }: Spec, fail: Fail): void {
  for (const amount of amountsOf(write)) {
    const row = write.before?.id ?? keyOf(write.after as Place)
    const rows = sum[amount].add(row)
    const most = mostOf(amount, guards, sum.owned)
    if (rows.size > most) fail('guards', `${amount} ${rows.size} of at most ${most}`)
    const all = run[amount].add(`${write.workspace} ${row}`)
    const mostInAll = guards.run ?? Number.POSITIVE_INFINITY
    if (all.size > mostInAll) fail('guards', `${amount} ${all.size} of the run, of at most ${mostInAll}`)
  }
}

/** The rows that a process has read, with its own writes since then. */
export type Known = Map<string, SeenRow>

/** After every sent write, an administrator remains if there was one, and no list becomes empty. @param isAllowed a person lets the write pass */
export function keeps({ kind, does, before, after }: Write, known: Known, isAllowed: boolean, fail: Fail): void {
  const administrators = () => [...known.values()].filter(({ role }) => role === 'admin' || role === 'owner').length
  const had = { administrators: administrators(), rows: known.size }
  if (does === 'delete' && before !== undefined) known.delete(before.id)
  if (before !== undefined && after !== undefined) known.set(before.id, { ...before, ...after })
  if (isAllowed) return
  if (kind === 'workspace-mappings' && had.administrators > 0 && administrators() === 0)
    fail('guards', 'takes the last mapping to an administrator role away')
  if (had.rows > 0 && known.size === 0) fail('guards', 'empties a list')
}
