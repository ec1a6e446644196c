import { type Change, type ChangeId, waiverDigits, waiverName } from './change.ts'
import { by } from './compare.ts'
import { type ApprovalWhy, type Hold, holdFor } from './hold.ts'
import { flood, type GuardName, type Measure, type Refusal, refuse } from './limits.ts'
import type { Plan } from './plan.ts'
import { isProtected } from './roles.ts'

declare const approved: unique symbol
/** A plan that the guards let pass. Only `judge` makes one, and only one can be applied. */
export type ApprovedPlan = Plan & { readonly [approved]: true }

/** Change guards may have moved changes to the holds, in both cases. */
export type Verdict =
  | { readonly approved: true; readonly plan: ApprovedPlan; readonly waived: readonly Waiver[] }
  | { readonly approved: false; readonly plan: Plan; readonly refusals: readonly Refusal[]; readonly waived: readonly Waiver[] }

/** Somebody's word that named changes may pass the guards, until a moment. */
export type Waiver = {
  /** Ids of changes, or the first digits (`waiverDigits`) of a plan's fingerprint. */
  readonly passes: readonly string[]
  readonly by: string
  readonly untilMs: number
  readonly source: string
  /** The plan guards that it passes; absent: all. */
  readonly guards?: readonly GuardName[]
}

export type Judging = Measure & { readonly waivers: readonly Waiver[]; readonly nowMs: number }

/**
 * Puts the whole plan before the guards, before anything of it is written. A change guard holds its change, a flood of creates all creates;
 * a plan guard refuses the plan.
 * A waiver passes exactly what it names. Nothing here can waive an incomplete reading: what rests on one never became a change.
 */
export function judge(plan: Plan, judging: Judging): Verdict {
  const waivers = judging.waivers.filter(({ untilMs }) => judging.nowMs < untilMs)
  const waiverOf = (change: Change, guard?: GuardName) =>
    waivers.find(
      (waiver) =>
        (guard === undefined || waiver.guards?.includes(guard) !== false) && waiver.passes.some((name) => names(name, change, plan)),
    )
  const used = new Set<Waiver>()

  const passing: Change[] = []
  const holds: Hold[] = []
  const waiting = new Set<ChangeId>()
  const letIn = new Set<ChangeId>()
  const withheld = (change: Change, hold: Hold) => {
    holds.push(hold)
    waiting.add(change.id)
  }
  for (const change of plan.changes) {
    const why = approvalWhy(change, judging)
    const waiver = why === undefined ? undefined : waiverOf(change)
    if (waiver !== undefined) {
      used.add(waiver)
      letIn.add(change.id)
    }
    if (why !== undefined && waiver === undefined) withheld(change, holdFor(change, { kind: 'approval', why }))
    else passing.push(change)
  }
  // A word for one grant must not hold the others: what it lets in is not counted with them.
  const creates = passing.filter(({ action, id }) => action === 'create' && !letIn.has(id))
  const over = flood(creates.length, judging)
  if (over !== undefined)
    for (const change of creates) {
      const waiver = waiverOf(change)
      if (waiver !== undefined) used.add(waiver)
      else withheld(change, holdFor(change, { kind: 'approval', why: 'creates', pass: waiverName(plan.fingerprint), ...over }))
    }
  const changes = passing.filter((change) => {
    if (waiting.has(change.id)) return false
    const required = change.requires.find((id) => waiting.has(id))
    if (required === undefined) return true
    const blocking = plan.changes.find(({ id }) => id === required) as Change
    withheld(change, holdFor(change, { kind: 'requires', key: blocking.key }))
    return false
  })

  const judged: Plan = { ...plan, changes, holds: [...plan.holds, ...holds].toSorted(by(({ key }) => key)) }
  const refusals = refuse(judged, judging)
  const unwaived = refusals.filter(({ culprits, refusal }) => {
    const by = culprits.map((change) => waiverOf(change, refusal.guard))
    const all = by.every((waiver) => waiver !== undefined)
    if (all) for (const waiver of by) used.add(waiver)
    return !all
  })
  if (unwaived.length > 0) return { approved: false, plan: judged, refusals: unwaived.map(({ refusal }) => refusal), waived: [...used] }
  return { approved: true, plan: judged as ApprovedPlan, waived: [...used] }
}

/** The verdict with what else is known of its plan: who approved it stays. */
export const withPlan = (verdict: Verdict, see: <P extends Plan>(plan: P) => P): Verdict =>
  verdict.approved ? { ...verdict, plan: see(verdict.plan) } : { ...verdict, plan: see(verdict.plan) }

/** A shorter name could be that of another change, which somebody made for it. */
const names = (waiver: string, change: Change, { fingerprint }: Plan): boolean =>
  waiver.length >= waiverDigits && (fingerprint.startsWith(waiver) || change.id === waiver)

function approvalWhy(change: Change, { guards, roles }: Judging): ApprovalWhy | undefined {
  if (change.action === 'settings') return 'groupSync'
  const touched = change.action === 'rename' ? [change.group, change.fromGroup] : [change.group]
  if (touched.some((group) => guards.protectedGroups.includes(group))) return 'protectedGroup'
  if (change.action === 'delete' || !isProtected(change.role, roles)) return undefined
  if (change.target.kind === 'allProjects') return 'allProjectsProtected'
  return change.allowProtected === true ? undefined : 'protectedRole'
}
