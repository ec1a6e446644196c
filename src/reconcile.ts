import { type Dates, latestMs } from './core/dates.ts'
import { diff } from './core/diff/diff.ts'
import type { DiffOptions } from './core/diff/draft.ts'
import { type Existing, managedMappings, mappingsAndProjects } from './core/existing.ts'
import { anotherWriterFindings } from './core/findings/anotherWriter.ts'
import { planFindings } from './core/findings/planFindings.ts'
import { foreignTwins, isNamedAsTwin, twinsFinding } from './core/findings/twins.ts'
import { waiverFindings } from './core/findings/waivers.ts'
import type { GroupIndex } from './core/group.ts'
import { type Gate, type GateState, gateOf, previewHolds } from './core/judge/gate.ts'
import type { GuardSettings } from './core/judge/guardSettings.ts'
import { hasChangesToWrite, judge, type Verdict, withFindings, withHolds, withWaivers } from './core/judge/guards.ts'
import { limitsPeople } from './core/judge/peopleGuards.ts'
import { waiversNaming } from './core/judge/waivers.ts'
import type { List } from './core/mapping.ts'
import type { GroupIds } from './core/memory/entry.ts'
import type { Memory } from './core/memory/memory.ts'
import { addFindings, type Plan, restrict, withEffects, withGroupFacts, withoutFindings } from './core/plan.ts'
import { isComplete, type Reading } from './core/reading.ts'
import { checkGroups, type GroupsCheck, type RememberedGroups } from './core/resolve/groups.ts'
import { lastGroupIds } from './core/resolve/lastGroupIds.ts'
import { checkProjects, type NewProjectIds, newProjectIds, openRemembered, type RememberedProjects } from './core/resolve/projects.ts'
import { resolve } from './core/resolve/resolve.ts'
import { textsNamingProjects } from './core/resolve/textName.ts'
import type { WorkspaceDeclaration } from './core/rule.ts'
import type { Waiver } from './core/waiver.ts'
import type { CountAge, CountPeople } from './cycle/countPeople.ts'
import type { LaterSlice } from './cycle/laterSlice.ts'
import { matchNames } from './cycle/matchNames.ts'
import { confirmLists, listsToConfirm, type Reader, readExisting } from './cycle/readExisting.ts'
import type { RunTally } from './cycle/runTally.ts'
import { openStages } from './cycle/turns.ts'

/** Settings, waivers and memory with which a plan is made and judged. */
export type PlanSettings = {
  readonly diff: DiffOptions
  readonly guards: GuardSettings
  readonly waivers: readonly Waiver[]
  readonly gate: Pick<GateState, 'suspend' | 'declaration' | 'outdated'>
  readonly remembered: Remembered
  readonly memory: () => Memory
  readonly countPeople: CountPeople
  readonly now: () => number
  /** The present date. It decides whether a rule or a waiver has ended. */
  readonly dates: () => Dates
}

/** What a plan needs from earlier cycles. */
export type Remembered = {
  readonly groups: RememberedGroups
  readonly projects: Omit<RememberedProjects, 'hash'>
  /** The mappings of a list when an earlier cycle read it whole; undefined if none did. */
  readonly sizeOf: (list: List) => number | undefined
}

export type Reconciled = {
  /** The guards approved or refused the plan. Changes that the gate would stop now were moved to the plan's holds. */
  readonly verdict: Verdict
  readonly gate: Gate
  /** When reading began, epoch ms. The lists prove nothing about writes after this moment. */
  readonly readAtMs: number
  readonly existing: Existing
  /** The date by which the plan decides which rules have started and which have ended. */
  readonly dates: Dates
  /** Ids of the groups that rules with an exact name select, for the memory. */
  readonly groupIds: GroupIds
  /** For rules, removals and unmanaged entries: the ids of the projects that they mean, if the memory does not have them yet. */
  readonly projectIds: NewProjectIds
  /** The ids of the groups that the rules mean, if the memory does not have them yet. */
  readonly meantGroups: Pick<GroupsCheck, 'ids' | 'waived'>
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
  const { guards, waivers, remembered, memory, now, diff: options } = settings
  const { hash, roles } = options
  const readAtMs = now()
  // A list that no earlier cycle has read can be empty because Plane is still starting. Before the first create in such a list, it is read a second
  // time.
  const listed = await readExisting(declared, read, signal)
  // The second draft decides by the same date. If a rule started in between, the draft would create in a list that was not read a second time.
  const dates = settings.dates()
  const draft = (existing: Existing) => draftPlan(declared, directories, existing, { ...settings, dates }, signal, later)
  const first = await draft(listed)
  const unproved = listsToConfirm(first.plan, remembered.sizeOf)
  const last = unproved.length === 0 ? first : await draft(await confirmLists(unproved, first.existing, read, signal))
  const { existing, desired, check, groups } = last
  const twins = foreignTwins(managedMappings(declared, existing, desired).values(), memory().lastApplied)
  const drafted = withoutFindings(last.plan, (finding) => isNamedAsTwin(finding, twins))

  const echoes = options.echoes.workspaceRoles ?? {}
  // The declaration names projects by identifiers, and Plane may give an identifier to another project. Rules that name it are held then, unless a
  // person's waiver names the new project. The memory learns the new id, and the verdict lists the waiver.
  const texts = textsNamingProjects(declared, hash)
  const projectIds = newProjectIds(remembered.projects.ids, desired.named, texts, existing.projects, check)
  const state = { ...settings.gate, roles, flapping: guards.flapping, readAtMs, twins: twins.size }
  const decide = (plan: Plan) => {
    const dateMs = latestMs(settings.dates())
    const tally = { ...run.tally(now()), ...(later === undefined ? {} : { plan: later.written }) }
    const judged = judge(plan, { guards, waivers, roles, echoes, dateMs, tally })
    const verdict = withWaivers(judged, waiversNaming([...projectIds.waived, ...groups.waived], waivers))
    // The gate is asked again before each write. The memory has changed by then, so the gate gets the function `memory`. The finding gets the memory
    // of this moment.
    const gate = gateOf(verdict.plan, state, memory)
    const others = anotherWriterFindings(verdict.plan, { ...state, memory: memory() })
    const ofWaivers = waiverFindings(declared.workspace, waivers, verdict.waived, dateMs)
    const noticed = withFindings(verdict, [...twinsFinding(declared.workspace, twins), ...others, ...ofWaivers])
    return { judged, gate, verdict: withHolds(noticed, previewHolds(noticed.plan, gate)) }
  }
  const people = (age: CountAge) => withPeople(drafted, existing, directories, settings, age, signal)
  // A later slice writes what was approved already, so its people are not counted again.
  const counted = later === undefined ? await people('kept') : { plan: drafted, isKept: false }
  const draftVerdict = decide(counted.plan)
  // A change that is written now must not pass a limit on people by an earlier count.
  const isCountedAnew = counted.isKept && limitsPeople(guards) && hasChangesToWrite(draftVerdict.verdict)
  const { judged, gate, verdict } = isCountedAnew ? decide((await people('new')).plan) : draftVerdict
  // No `await` stands between the last `tally` and `book`, so two workspaces cannot both use the rest of a limit. The first slice books the whole plan.
  // A later slice is not booked again. Its changes are in the tally already, so its `waivers` contain an entry that lets all changes of the approved
  // plan pass the limits once more.
  if (judged.approved && later === undefined) run.book(judged.plan)

  const { ids, waived } = groups
  return {
    verdict,
    gate,
    readAtMs,
    existing,
    dates,
    projectIds,
    meantGroups: { ids, waived },
    groupIds: lastGroupIds(declared, directories),
  }
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

/** Plans the changes that make what exists equal to the declaration, with the findings about them. The guards have not seen the plan yet. */
async function draftPlan(
  whole: WorkspaceDeclaration,
  directories: ReadonlyMap<string, Reading<GroupIndex>>,
  existing: Existing,
  { remembered, dates, diff: options }: Omit<PlanSettings, 'dates'> & { readonly dates: Dates },
  signal: AbortSignal,
  later: LaterSlice | undefined,
) {
  const { hash } = options
  const has = mappingsAndProjects(existing)
  const turn = openStages(whole.rules.length + has.existing.length, signal)
  const { declared, matches, unmatched } = await matchNames(whole, directories, has.existing, signal)
  // A group that was made again under its name has another id. Grants to it wait until a person says that the new group is meant.
  const names = { matches, isWhole: unmatched === undefined && [...existing.lists.values()].every(isComplete) }
  const groups = checkGroups(declared.rules, directories, remembered.groups, names, hash, dates)
  await turn()
  const check = checkProjects(existing.projects, { ...remembered.projects, hash })
  const { lastId } = remembered.groups
  const seen = { directories, ...has, matches, unmatched, lastId, approvedProjects: later?.approvedProjects }
  const isRemembered = openRemembered(remembered.projects.ids, () => textsNamingProjects(declared, hash))
  const desired = resolve(declared, { ...seen, check, isRemembered, changedGroups: groups.changed, hash, dates })
  await turn()
  const findings = planFindings(declared, desired, { ...seen, changedGroups: groups.byDirectory, sizeOf: remembered.sizeOf, dates })
  const plan = withGroupFacts(diff(declared, desired, existing, options, findings), desired.factsOf)
  await turn()
  return { existing, check, groups, desired, plan: later === undefined ? plan : restrict(plan, later.keep) }
}
