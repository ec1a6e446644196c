import { type Change, type ChangeId, type MappingChange, waiverId } from '../change.ts'
import { by } from '../compare.ts'
import { type Finding } from '../finding.ts'
import { type ApprovalWhy, type Hold, holdFor } from '../hold.ts'
import { addFindings, moveToHolds, type Plan, withoutFindings } from '../plan.ts'
import { direction, isProtected, type RoleSettings } from '../roles.ts'
import { type Waiver } from '../waiver.ts'
import { flood, type GuardInput, guardResults, peopleOver, type Refusal } from './limits.ts'
import { changeNamed, judgedLater, namesPlan, openWaivers } from './waivers.ts'

/**
 * A plan that the guards approved. Only this file makes one: the class is not exported, and a spread or a copy of the fields lacks the
 * private field, so TypeScript refuses it (test/types/approvedPlan.ts).
 */
class Approved implements Plan {
  readonly #changes: Plan['changes']
  readonly workspace: Plan['workspace']
  readonly changes: Plan['changes']
  readonly holds: Plan['holds']
  readonly findings: Plan['findings']
  readonly later: Plan['later']
  readonly laterUntilMs: number
  readonly unchanged: number
  readonly unchangedMappings?: NonNullable<Plan['unchangedMappings']>
  readonly owned: Plan['owned']
  readonly administrators: number
  readonly fingerprint: string

  constructor(plan: Plan) {
    this.#changes = plan.changes
    this.workspace = plan.workspace
    this.changes = plan.changes
    this.holds = plan.holds
    this.findings = plan.findings
    this.later = plan.later
    this.laterUntilMs = plan.laterUntilMs
    this.unchanged = plan.unchanged
    if (plan.unchangedMappings !== undefined) this.unchangedMappings = plan.unchangedMappings
    this.owned = plan.owned
    this.administrators = plan.administrators
    this.fingerprint = plan.fingerprint
  }

  static changesOf = (plan: Approved): Plan['changes'] => plan.#changes
}
export type ApprovedPlan = Approved

/**
 * The changes that may be written. Checked at run time, too: a generic function that spreads its argument deceives TypeScript.
 *
 * @throws {TypeError} if the plan was not made here
 */
export const approvedChanges = (plan: ApprovedPlan): Plan['changes'] => Approved.changesOf(plan)

/**
 * `judge` may have moved some changes of the plan to the holds, both in an approved and in a refused plan. `waived`: the waivers that were used. A
 * waiver that names the plan also gets `rememberedScope`.
 */
export type Verdict =
  | { readonly approved: true; readonly plan: ApprovedPlan; readonly waived: readonly Waiver[] }
  | { readonly approved: false; readonly plan: Plan; readonly refusals: readonly GuardRefusal[]; readonly waived: readonly Waiver[] }

/** `affected`: the changes that a waiver has to name, so that the plan passes this guard. */
export type GuardRefusal = Refusal & { readonly affected: readonly ChangeId[] }

export type JudgeInput = GuardInput & { readonly waivers: readonly Waiver[]; readonly dateMs: number }

/**
 * Judges the whole plan before any of its changes is written. A guard of single changes (a change guard) holds its change; a flood of creates
 * holds all creates; a plan guard refuses the plan.
 *
 * A waiver lets pass exactly the changes that it names. No waiver helps against an incomplete reading: a decision that needs a complete reading
 * is a hold, so there is no change to waive.
 */
export function judge(plan: Plan, judging: JudgeInput): Verdict {
  const waivers = openWaivers(
    judging.waivers.filter(({ untilMs }) => judging.dateMs < untilMs),
    plan,
  )
  const passing: Change[] = []
  const holds: Hold[] = []
  const waiting = new Set<ChangeId>()
  const waivedIds = new Set<ChangeId>()
  const wait = (change: Change, hold: Hold) => {
    holds.push(hold)
    waiting.add(change.id)
  }
  for (const change of plan.changes) {
    const crowd = peopleOver(change, judging.guards.people ?? {}, judging.roles)
    const crowdWaiver = crowd && waivers.ofCrowd(change, crowd)
    if (crowd !== undefined && crowdWaiver === undefined) {
      wait(change, holdFor(change, { kind: 'approval', why: 'people', ...crowd }))
      continue
    }
    if (crowdWaiver !== undefined) waivers.use(crowdWaiver, 'people', change)
    const asked = approvalWhys(change, judging).map((why) => ({ why, waiver: waivers.of(change, why) }))
    const open = asked.find(({ waiver }) => waiver === undefined)
    if (open !== undefined) {
      wait(change, holdFor(change, { kind: 'approval', why: open.why }))
      continue
    }
    for (const { why, waiver } of asked) if (waiver !== undefined) waivers.use(waiver, why, change)
    if (asked.length > 0 || crowdWaiver !== undefined) waivedIds.add(change.id)
    passing.push(change)
  }
  // A create that passed a change guard by a waiver does not count towards the flood. Otherwise it could hold other creates.
  const creates = passing.filter(({ action, id }) => action === 'create' && !waivedIds.has(id))
  const over = flood(creates.length, judging)
  if (over !== undefined)
    for (const change of creates) {
      const waiver = waivers.of(change, 'creates', over.count)
      if (waiver !== undefined) waivers.use(waiver, 'creates', change)
      else wait(change, holdFor(change, { kind: 'approval', why: 'creates', pass: waiverId(plan.fingerprint), ...over }))
    }
  const changes = passing.filter((change) => {
    if (waiting.has(change.id)) return false
    const required = change.requires.find((id) => waiting.has(id))
    if (required === undefined) return true
    const blocking = plan.changes.find(({ id }) => id === required) as Change
    wait(change, holdFor(change, { kind: 'requires', key: blocking.key }))
    return false
  })

  const later = judgedLater(plan, judging.waivers, (change) => approvalWhys(change, judging))
  const judged: Plan = { ...plan, changes, later, holds: [...plan.holds, ...holds].toSorted(by(({ key }) => key)) }
  const refusals = guardResults(judged, judging)
  const unwaived = refusals.filter(({ affected, refusal }) => {
    const by = affected.flatMap((change) => {
      const waiver = waivers.of(change, refusal.guard, refusal.count)
      return waiver === undefined ? [] : [{ waiver, change }]
    })
    const all = by.length === affected.length
    if (all) for (const { waiver, change } of by) waivers.use(waiver, refusal.guard, change)
    return !all
  })
  const waived = waivers.used()
  if (unwaived.length > 0) {
    const refusals = unwaived.map(({ refusal, affected }) => ({ ...refusal, affected: affected.map(({ id }) => id) }))
    return { approved: false, plan: judged, refusals, waived }
  }
  return { approved: true, plan: new Approved(judged), waived }
}

/** Whether something of the plan may be written now. */
export const hasChangesToWrite = ({ approved, plan }: Verdict): boolean => approved && plan.changes.length > 0

/** The verdict with more findings; findings are not part of what was approved. */
export const withFindings = (verdict: Verdict, findings: readonly Finding[]): Verdict =>
  withPlan(verdict, addFindings(verdict.plan, findings))

/** The verdict without some findings. */
export const withoutFindingsOf = (verdict: Verdict, isLeftOut: (finding: Finding) => boolean): Verdict =>
  withPlan(verdict, withoutFindings(verdict.plan, isLeftOut))

/** The verdict with fewer changes: those with a hold are moved to the holds. */
export const withHolds = (verdict: Verdict, holds: ReadonlyMap<ChangeId, Hold>): Verdict =>
  withPlan(verdict, moveToHolds(verdict.plan, holds))

/** The verdict on a plan that was written in several rounds. */
export const withRounds = (verdict: Verdict, changes: Plan['changes'], holds: Plan['holds']): Verdict =>
  withPlan(verdict, replaced(verdict.plan, changes, holds))

/** The verdict with the holds that came up while its plan was written. From then on they are holds of the plan like those before. */
export const withHeldMeanwhile = (verdict: Verdict, holds: readonly Hold[]): Verdict =>
  holds.length === 0 ? verdict : withRounds(verdict, verdict.plan.changes, [...verdict.plan.holds, ...holds].toSorted(by(({ key }) => key)))

const replaced = (plan: Plan, changes: Plan['changes'], holds: Plan['holds']): Plan => ({ ...plan, changes, holds })

/** The verdict with waivers that were used outside the guards, each reported once. */
export function withWaivers(verdict: Verdict, waivers: readonly Waiver[]): Verdict {
  const isReported = ({ by, ids }: Waiver) => verdict.waived.some((one) => one.by === by && ids.every((pass) => one.ids.includes(pass)))
  return { ...verdict, waived: [...verdict.waived, ...waivers.filter((waiver) => !isReported(waiver))] }
}

const withPlan = (verdict: Verdict, plan: Plan): Verdict =>
  verdict.approved ? { ...verdict, plan: new Approved(plan) } : { ...verdict, plan }

function approvalWhys(change: Change, { guards, roles }: JudgeInput): readonly ApprovalWhy[] {
  if (change.action === 'settings') return ['groupSync']
  const touched = change.action === 'rename' ? [change.group, change.fromGroup] : [change.group]
  const group = touched.some((one) => guards.protectedGroups.includes(one)) ? (['protectedGroup'] as const) : []
  const role = roleWhy(change, roles)
  return role === undefined ? group : [...group, role]
}

function roleWhy(change: MappingChange, roles: RoleSettings): ApprovalWhy | undefined {
  if (!grantsProtected(change, roles) || isLowering(change, roles)) return undefined
  if (change.target.kind === 'allProjects') return 'allProjectsProtected'
  return change.allowProtected === true ? undefined : 'protectedRole'
}

/** A lowering takes access away, also from one protected role to another. If it waited, the group would keep more access than is declared. */
const isLowering = (change: Change, roles: RoleSettings): boolean =>
  change.action === 'patch' && direction(change.before, change.role, roles) === 'lower'

/** Whether the change gives a group a protected role, also if a rule or a waiver lets it pass. */
export const grantsProtected = (change: Change, roles: RoleSettings): boolean =>
  'role' in change && isProtected(change.role, change.target, roles)

/**
 * The ids of waivers that match nothing in these plans: no plan, no change, also if it is held, and no project or group that changed. With several
 * workspaces an id usually matches in one of them only.
 */
export const unmatchedIds = (ids: readonly string[], verdicts: readonly Verdict[]): readonly string[] => {
  const known = new Set(verdicts.flatMap(idsOf))
  return ids.filter((id) => !known.has(changeNamed(id)) && !verdicts.some(({ plan }) => namesPlan(id, plan)))
}

const idsOf = ({ plan: { changes, holds }, waived }: Verdict): readonly (string | undefined)[] => [
  ...changes.map(({ id }) => id),
  ...holds.flatMap(({ change, reason }) => [change?.id, 'pass' in reason ? reason.pass : undefined]),
  // A project or group that a waiver has accepted is in no hold any more.
  ...waived.flatMap(({ ids }) => ids.map(changeNamed)),
]

/** The ids with which a waiver would let something pass: refused plans, changes that need approval, and held changes of projects and groups. */
export const idsThatWait = (verdicts: readonly Verdict[]): readonly string[] => [
  ...new Set(
    verdicts.flatMap(({ approved, plan }) => [
      ...(approved ? [] : [waiverId(plan.fingerprint)]),
      ...plan.holds.flatMap(({ change, reason }) =>
        'pass' in reason ? [reason.pass] : reason.kind === 'approval' && change !== undefined ? [change.id] : [],
      ),
    ]),
  ),
]
