import type { ChangeId } from '../core/change.ts'
import type { HoldKind } from '../core/hold.ts'
import { grantsProtected } from '../core/judge/guards.ts'
import type { Plan } from '../core/plan.ts'
import { counted } from '../core/quantity.ts'
import type { RoleSettings } from '../core/roles.ts'
import type { CycleReport } from '../cycle/report.ts'
import { grantsText } from '../render/counts.ts'
import type { Terminal } from './command.ts'

/** What a person is asked before these plans are written; undefined if they write nothing. */
export function questionOf(plans: readonly Plan[], roles: RoleSettings): string | undefined {
  const count = plans.reduce((sum, plan) => sum + writesOf(plan).size, 0)
  if (count === 0) return undefined
  const grants = plans.reduce((sum, plan) => sum + protectedWritesOf(plan, roles), 0)
  return `${writeQuestion(plans)}${grantsText(grants)}? Type "yes" to write: `
}

/** Asks the person at the terminal. */
export async function agrees(question: string, terminal: Pick<Terminal, 'ask' | 'err'>, signal: AbortSignal): Promise<boolean> {
  const answer = await terminal.ask(question, signal)
  if (answer?.trim() === 'yes') return true
  terminal.err('Nothing was written.\n')
  return false
}

/** The plans of a report that the guards approve. */
export const approvedPlansOf = ({ workspaces }: CycleReport): readonly Plan[] =>
  workspaces.flatMap((one) => (one.kind === 'judged' && one.verdict.approved ? [one.verdict.plan] : []))

/** The ids of the changes that a plan would write now or after a quarantine. It also has the ids of the held changes that require only such changes. */
export function writesOf({ changes, holds }: Plan): ReadonlySet<ChangeId> {
  const held = (kind: HoldKind) => holds.flatMap(({ change, reason }) => (change !== undefined && reason.kind === kind ? [change] : []))
  const sooner = new Set([...changes, ...held('quarantined')].map(({ id }) => id))
  const later = held('requires').filter(({ requires }) => requires.every((id) => sooner.has(id)))
  return new Set([...sooner, ...later.map(({ id }) => id)])
}

/** How many of the changes in `writesOf` give a group a protected role. */
function protectedWritesOf(plan: Plan, roles: RoleSettings): number {
  const writes = writesOf(plan)
  const all = [...plan.changes, ...plan.holds.flatMap(({ change }) => (change === undefined ? [] : [change]))]
  return all.filter((change) => writes.has(change.id) && grantsProtected(change, roles)).length
}

/** `Write 16 changes`; `Delete 16 mappings` if nothing else is written. */
export function writeQuestion(plans: readonly Plan[]): string {
  const actions = plans.flatMap((plan) => {
    const writes = writesOf(plan)
    const all = [...plan.changes, ...plan.holds.flatMap(({ change }) => change ?? [])]
    return all.flatMap(({ id, action }) => (writes.has(id) ? [action] : []))
  })
  const isDelete = actions.every((action) => action === 'delete')
  return isDelete ? `Delete ${counted(actions.length, 'mapping')}` : `Write ${counted(actions.length, 'change')}`
}
