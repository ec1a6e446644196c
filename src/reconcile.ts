import { latestMs } from './core/dates.ts'
import { type Existing, mappingsAndProjects } from './core/existing.ts'
import { anotherWriterFindings, twinsFinding } from './core/findings/otherWriters.ts'
import { waiverFindings } from './core/findings/waivers.ts'
import type { GroupIndex } from './core/group.ts'
import { type Gate, type GateState, gateOf, previewHolds } from './core/judge/gate.ts'
import type { GuardSettings } from './core/judge/guardSettings.ts'
import { hasChangesToWrite, judge, type Verdict, withFindings, withHolds, withWaivers } from './core/judge/guards.ts'
import { limitsPeople } from './core/judge/limits.ts'
import { forFewerPeople, waiversNaming } from './core/judge/waivers.ts'
import type { Memory } from './core/memory/memory.ts'
import { addFindings, type Plan, withEffects } from './core/plan.ts'
import type { Reading } from './core/reading.ts'
import type { WorkspaceDeclaration } from './core/rule.ts'
import type { Waiver } from './core/waiver.ts'
import type { CountAge, CountPeople } from './cycle/countPeople.ts'
import { type DraftedPlan, type DraftSettings, draftPlan } from './cycle/draftPlan.ts'
import type { LaterSlice } from './cycle/laterSlice.ts'
import type { Reader } from './cycle/readExisting.ts'
import type { RunTally } from './cycle/runTally.ts'

/** Settings, waivers and memory with which a plan is made and judged. */
export type PlanSettings = DraftSettings & {
  readonly guards: GuardSettings
  readonly waivers: readonly Waiver[]
  readonly gate: Pick<GateState, 'suspend' | 'declaration'>
  readonly memory: () => Memory
  readonly countPeople: CountPeople
  readonly now: () => number
}

export type Reconciled = Omit<DraftedPlan, 'plan' | 'twins'> & {
  /** The guards approved or refused the plan. Changes that the gate would stop now were moved to the plan's holds. */
  readonly verdict: Verdict
  readonly gate: Gate
  /** When reading began, epoch ms. The lists prove nothing about writes after this moment. */
  readonly readAtMs: number
}

/**
 * The way from reading to verdict for one workspace of Plane. Reads its mappings (which group has which role on which target), plans the
 * changes that make them equal to the declaration, and lets the guards approve or refuse the plan. Nothing is sent to Plane but reads.
 *
 * @param directories the groups of LDAP, Keycloak and files, as read in this cycle
 * @param run counts the changes that this run has approved, for the guards that limit a run and a day
 * @param later for a later slice of an approved plan: its plan contains only changes that the first slice's plan had and that were not tried
 * @throws {OperationalError} if the service did not give a list; {Stopped} if `signal` fired before all was read
 */
export async function reconcile(
  declared: WorkspaceDeclaration,
  directories: ReadonlyMap<string, Reading<GroupIndex>>,
  read: Reader,
  settings: PlanSettings,
  run: RunTally,
  signal: AbortSignal,
  later?: LaterSlice,
): Promise<Reconciled> {
  const readAtMs = settings.now()
  const { plan, twins, ...drafted } = await draftPlan(declared, directories, read, settings, signal, later)
  const count = (age: CountAge) => withPeople(plan, drafted.existing, directories, settings, age, signal)
  const decideOn = (counted: Plan) => decide(counted, { ...drafted, settings, run, readAtMs, twins, later })

  // A later slice writes what was approved already, so its people are not counted again. The limits judge it by the numbers of the first slice.
  const counted = later === undefined ? await count('kept') : { plan: withEffects(plan, later.effects), isKept: false }
  const first = decideOn(counted.plan)
  // A change that is written now must not pass a limit on people by an earlier count.
  const isCountedAnew = counted.isKept && limitsPeople(settings.guards) && hasChangesToWrite(first.verdict)
  const { judged, gate, verdict } = isCountedAnew ? decideOn((await count('new')).plan) : first
  // No `await` stands between the last `tally` and `book`, so two workspaces cannot both use the rest of a limit. The first slice books the whole plan.
  // A later slice is not booked again. Its changes are in the tally already, so its `waivers` contain an entry that lets all changes of the approved
  // plan pass the limits once more.
  if (judged.approved && later === undefined) run.book(judged.plan)
  return { ...drafted, verdict, gate, readAtMs }
}

/** The plan with the number of people that each change concerns. Asks the directories for the members of groups. */
async function withPeople(
  plan: Plan,
  existing: Existing,
  directories: ReadonlyMap<string, Reading<GroupIndex>>,
  { countPeople }: Pick<PlanSettings, 'countPeople'>,
  age: CountAge,
  signal: AbortSignal,
): Promise<{ readonly plan: Plan; readonly isKept: boolean }> {
  const { effects, findings, isKept } = await countPeople(plan, mappingsAndProjects(existing).existing, directories, age, signal)
  return { plan: addFindings(withEffects(plan, effects), findings), isKept }
}

type DecisionContext = Pick<DraftedPlan, 'existing' | 'twins' | 'learned'> & {
  readonly settings: PlanSettings
  readonly run: RunTally
  readonly readAtMs: number
  readonly later: LaterSlice | undefined
}

/**
 * Lets the guards judge a plan, and asks the gate about its changes.
 *
 * @returns `judged`: the verdict of the guards alone. `verdict`: with all findings, and with the changes that the gate would stop now among its holds
 */
function decide(plan: Plan, { settings, run, readAtMs, existing, twins, learned, later: slice }: DecisionContext) {
  const { workspace } = plan
  const { guards, waivers, memory } = settings
  const { roles, echoes } = settings.diff
  const dateMs = latestMs(settings.dates())
  const tally = { ...run.tally(settings.now(), plan), ...(slice === undefined ? {} : { plan: slice.written }) }
  const judged = judge(plan, { guards, waivers, roles, echoes: echoes.workspaceRoles ?? {}, dateMs, tally })
  const waivedNames = [...learned.projectIds.waived, ...learned.meantGroups.waived]
  const verdict = withWaivers(judged, waiversNaming(waivedNames, waivers))
  const state = { ...settings.gate, roles, flapping: guards.flapping, readAtMs, twins: twins.size }
  // The gate is asked again before each write. The memory has changed by then, so the gate gets the function `memory`. The finding gets the memory
  // of this moment.
  const gate = gateOf(verdict.plan, state, memory)
  const others = anotherWriterFindings(verdict.plan, { ...state, memory: memory() }, mappingsAndProjects(existing).existing)
  const later = new Set(verdict.plan.later.flatMap(({ waivedBy }) => waivedBy ?? []))
  const ofWaivers = waiverFindings(workspace, waivers, verdict.waived, forFewerPeople(verdict.plan), later, dateMs)
  const noticed = withFindings(verdict, [...twinsFinding(workspace, twins), ...others, ...ofWaivers])
  return { judged, gate, verdict: withHolds(noticed, previewHolds(noticed.plan, gate)) }
}
