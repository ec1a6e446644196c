import { keyOf, type Place } from '../declared.ts'
import type { Spec } from '../spec.ts'
import type { Allowance } from './approvals.ts'
import type { SeenRow } from './listing.ts'
import type { Fail } from './violation.ts'
import type { Write } from './write.ts'

/** The writes that one cycle has sent to one workspace. */
export type Sum = {
  readonly creates: Map<string, Passing>
  readonly revisions: Map<string, Passing>
  readonly deletes: Map<string, Passing>
  readonly owned: number
}
/** The allowances that describe a change. */
type Passing = readonly Allowance[]

/** The same value as in the settings of the worlds. */
export const minExisting = { changes: 2, deletes: 1 }
export const shares = { changes: 0.3, deletes: 0.2 }

/**
 * Counts the sent changes independently of the guards, and reports a count above a limit of a guard. A request that is repeated after a 429 or
 * without an answer is one change.
 */
export function measure({ does, before, after }: Write, sum: Sum, { guards }: Spec, passing: Passing, fail: Fail): void {
  const row = before?.id ?? keyOf(after as Place)
  if (does === 'create') sum.creates.set(row, passing)
  else sum.revisions.set(row, passing)
  if (does === 'delete') sum.deletes.set(row, passing)
  const most = (what: 'changes' | 'deletes') => Math.min(guards[what], Math.max(minExisting[what], Math.floor(shares[what] * sum.owned)))
  const over = (guard: 'creates' | 'changes' | 'deletes', all: Sum['creates'], limit: number) =>
    all.size > limit && ![...all.values()].every((one) => mayExceed(one, guard, all.size))
      ? fail('guards', `${guard} ${all.size} of at most ${limit}`)
      : undefined
  over('creates', sum.creates, guards.creates)
  over('changes', sum.revisions, most('changes'))
  over('deletes', sum.deletes, most('deletes'))
}

/** Whether a person lets a change exceed a limit together with others, so many in all. */
export const mayExceed = (passing: Passing, guard: string, count: number): boolean =>
  passing.some(({ passes }) => passes === 'all' || (typeof passes === 'object' && passes.guard === guard && count <= passes.count))

/** The rows that a process has read, with its own writes since then. */
export type Known = Map<string, SeenRow>

/** After every sent write, an administrator remains if there was one, and no list becomes empty. */
export function keeps({ kind, does, before, after }: Write, known: Known, passing: Passing, fail: Fail): void {
  const administrators = () => [...known.values()].filter(({ role }) => role === 'admin' || role === 'owner').length
  const had = { administrators: administrators(), rows: known.size }
  if (does === 'delete' && before !== undefined) known.delete(before.id)
  if (before !== undefined && after !== undefined) known.set(before.id, { ...before, ...after })
  if (kind === 'workspace-mappings' && had.administrators > 0 && administrators() === 0 && !mayExceed(passing, 'lastAdministrator', 0))
    fail('guards', 'takes the last mapping to an administrator role away')
  if (had.rows > 0 && known.size === 0 && !mayExceed(passing, 'emptiesList', 0)) fail('guards', 'empties a list')
}
