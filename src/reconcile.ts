import { latestMs } from './core/dates.ts'
import { type Existing, mappingsAndProjects } from './core/existing.ts'
import { anotherWriterFindings, twinsFinding } from './core/findings/otherWriters.ts'
import { waiverFindings } from './core/findings/waivers.ts'
import type { GroupIndex } from './core/group.ts'
import { type Gate, type GateState, gateOf, previewHolds } from './core/judge/gate.ts'
import type { GuardSettings } from './core/judge/guardSettings.ts'
import { type Judged, judge, withFindings, withHolds, withWaivers } from './core/judge/guards.ts'
import { limitsPeople } from './core/judge/people.ts'
import { limitAbove, waiversNaming } from './core/judge/waivers.ts'
import { openCauses } from './core/memory/causes.ts'
import type { Memory } from './core/memory/memory.ts'
import { defined } from './core/optionalFields.ts'
import { addFindings, type PeopleTogether, type Plan, withCauses, withPeople } from './core/plan.ts'
import type { Reading } from './core/reading.ts'
import type { WorkspaceDeclaration } from './core/rule.ts'
import type { Waiver } from './core/waiver.ts'
import type { CountAge, CountPeople } from './cycle/countPeople.ts'
import { type DraftedPlan, type DraftSettings, draftPlan } from './cycle/draftPlan.ts'
import type { LaterSlice } from './cycle/laterSlice.ts'
import { goneFilesIn } from './cycle/ownership.ts'
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
  /** What the guards stop, and what the gate would stop now, is among the plan's holds. */
  readonly judged: Judged
  readonly gate: Gate
}

/**
 * The way from reading to a plan for one workspace of Plane. Reads its mappings (which group has which role on which target), plans the
 * changes that make them equal to the declaration, and lets the guards judge the plan. Nothing is sent to Plane but reads.
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
  const { plan: draft, twins, ...drafted } = await draftPlan(declared, directories, read, settings, signal, later)
  const { existing } = mappingsAndProjects(drafted.existing)
  const about = { workspace: declared.workspace, memory: settings.memory(), existing, meant: drafted.learned.meantGroups.ids }
  const plan = withCauses(draft, openCauses({ ...about, nowMs: settings.now() }))
  const count = (age: CountAge) => counting(plan, drafted.existing, directories, settings, age, signal)
  const decideOn = ({ plan: counted, together }: Counted) =>
    decide(counted, { ...drafted, settings, run, readAtMs, twins, later, together })

  // A later slice writes what was approved already, so its people are not counted again. The limits judge it by the numbers of the first slice.
  const counted: Counted = later === undefined ? await count('kept') : { plan: withPeople(plan, later.people), isKept: false }
  // The first slice has judged the whole plan, and is in the sums of the run already.
  if (later === undefined) await run.waitForEarlier(counted.plan, settings.diff.roles, signal)
  const first = decideOn(counted)
  // A change that is written now must not pass a limit on people by an earlier count.
  const isCountedAnew = counted.isKept && limitsPeople(settings.guards) && first.judged.plan.changes.length > 0
  const { judged, gate } = isCountedAnew ? decideOn(await count('new')) : first
  // No `await` stands between the last `tally` and `book`, so two workspaces cannot both use the rest of a limit.
  run.book(judged.plan, settings.diff.roles)
  return { ...drafted, judged, gate }
}

type Counted = { readonly plan: Plan; readonly together?: PeopleTogether; readonly isKept: boolean }

/** The plan with the number of people that each change concerns. Asks the directories for the members of groups. */
async function counting(
  plan: Plan,
  existing: Existing,
  directories: ReadonlyMap<string, Reading<GroupIndex>>,
  { countPeople }: Pick<PlanSettings, 'countPeople'>,
  age: CountAge,
  signal: AbortSignal,
): Promise<Counted> {
  const { people, findings, ...counted } = await countPeople(plan, existing, directories, age, signal)
  return { plan: addFindings(withPeople(plan, people), findings), ...counted }
}

type DecisionContext = Pick<DraftedPlan, 'existing' | 'twins' | 'learned'> & {
  readonly settings: PlanSettings
  readonly run: RunTally
  /** When reading began, epoch ms. The lists prove nothing about writes after this moment. */
  readonly readAtMs: number
  readonly later: LaterSlice | undefined
  readonly together: PeopleTogether | undefined
}

/** Lets the guards judge a plan, and asks the gate about its changes: those that it would stop now are among the holds. */
function decide(plan: Plan, { settings, run, readAtMs, existing, twins, learned, later: slice, together }: DecisionContext) {
  const { workspace } = plan
  const { guards, waivers, memory } = settings
  const { roles, echoes, hash, owned } = settings.diff
  const dateMs = latestMs(settings.dates())
  const tally = run.tally(settings.now(), plan, roles)
  const limits = {
    guards,
    roles,
    echoes: echoes.workspaceRoles ?? {},
    waivers,
    dateMs,
    hash,
    ...defined({ together, gone: owned && goneFilesIn(owned) }),
  }
  const guarded = judge(plan, { ...limits, tally, ...defined({ before: slice?.before }) })
  const waivedNames = [...learned.projectIds.waived, ...learned.meantGroups.waived]
  const judged = withWaivers(guarded, waiversNaming(waivedNames, waivers))
  const state = { ...settings.gate, roles, flapping: guards.flapping, readAtMs, twins: twins.size }
  // The gate is asked again before each write. The memory has changed by then, so the gate gets the function `memory`. The finding gets the memory
  // of this moment.
  const gate = gateOf(judged.plan, state, memory)
  const others = anotherWriterFindings(judged.plan, { ...state, memory: memory() }, mappingsAndProjects(existing).existing)
  const waivedLater = new Set(judged.plan.later.flatMap(({ waivedBy }) => waivedBy ?? []))
  const ofWaivers = waiverFindings(workspace, waivers, judged.waived, limitAbove(judged.plan), waivedLater, dateMs)
  const noticed = withFindings(judged, [...twinsFinding(workspace, twins), ...others, ...ofWaivers])
  return { judged: withHolds(noticed, previewHolds(noticed.plan, gate)), gate }
}
