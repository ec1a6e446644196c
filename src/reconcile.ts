import type { Desired } from './core/desired.ts'
import { type DiffOptions, diff } from './core/diff/diff.ts'
import type { Existing } from './core/existing.ts'
import { anotherWriterFindings } from './core/findings/anotherWriter.ts'
import { changedProjectFinding } from './core/findings/changedProject.ts'
import { groupIds, noticesOf } from './core/findings/notices.ts'
import type { GroupIndex } from './core/group.ts'
import { type Gate, type GateState, mayWrite, previewHolds, requiredIn } from './core/judge/gate.ts'
import { type JudgeInput, judge, type Verdict, type Waiver, withFindings, withHolds, withWaivers } from './core/judge/guards.ts'
import type { GuardSettings } from './core/judge/limits.ts'
import { type List, listOf } from './core/mapping.ts'
import type { GroupIds } from './core/memory/entry.ts'
import type { Memory } from './core/memory/memory.ts'
import { type Plan, restrict } from './core/plan.ts'
import { type Reading, seen } from './core/reading.ts'
import { checkProjects, type NewProjectIds, newProjectIds, type ProjectCheck, type RememberedProjects } from './core/resolve/projects.ts'
import { resolve } from './core/resolve/resolve.ts'
import { textsNamingProjects } from './core/resolve/textName.ts'
import type { WorkspaceDeclaration } from './core/rule.ts'
import type { LaterSlice } from './cycle/laterSlice.ts'
import { confirmLists, type Reader, readExisting } from './cycle/readExisting.ts'
import type { RunTally } from './cycle/runTally.ts'

/** By what a plan is made and judged. */
export type Rules = {
  readonly diff: DiffOptions
  readonly guards: GuardSettings
  readonly waivers: readonly Waiver[]
  readonly gate: Pick<GateState, 'suspend' | 'declaration'>
  readonly remembered: Remembered
  readonly memory: () => Memory
  readonly now: () => number
}

/** What earlier cycles left, as far as a plan depends on it. */
export type Remembered = {
  /** The id of `directory/name`. */
  readonly groupId: (name: string) => string | undefined
  readonly projects: Omit<RememberedProjects, 'hash'>
  /** Whether the list was read whole before. */
  readonly isListKnown: (list: List) => boolean
}

/** `verdict`: its plan shows as held what the gate would stop now. `readAtMs`: when the first list was asked for. */
export type Reconciled = {
  readonly verdict: Verdict
  readonly gate: Gate
  readonly readAtMs: number
  readonly existing: Existing
  /** What the memory does not have yet, or has otherwise. */
  readonly groupIds: GroupIds
  readonly projectIds: NewProjectIds
}

/**
 * Reads what exists in one workspace, and judges the plan that would make it equal to what is declared. Nothing is written.
 *
 * @param run what this run has approved so far: an approved plan is booked in the turn in which it is judged, so that two workspaces of one
 *   run never both use what is left of a limit
 * @param later of a plan that was approved and is written in slices: what a later slice may still write; it is booked already
 * @throws {ListUnread}, or {Stopped} where `signal` fired before all was read
 */
export async function reconcile(
  declared: WorkspaceDeclaration,
  directories: ReadonlyMap<string, Reading<GroupIndex>>,
  read: Reader,
  rules: Rules,
  run: RunTally,
  signal: AbortSignal,
  later?: LaterSlice,
): Promise<Reconciled> {
  const readAtMs = rules.now()
  let existing = await readExisting(declared, read, signal)
  let draft = draftOf(declared, directories, existing, rules, later)
  const unproved = listsToConfirm(draft.plan, rules.remembered)
  if (unproved.length > 0) {
    existing = await confirmLists(unproved, existing, read, signal)
    draft = draftOf(declared, directories, existing, rules, later)
  }
  const judged = judge(draft.plan, measuredBy(rules, run, draft.nowMs))
  if (judged.approved && later === undefined) run.book(judged.plan)
  const projectIds = projectIdsOf(declared, existing, draft, rules)
  const verdict = withWaivers(judged, projectWaivers(rules.waivers, projectIds))
  const gate = gateOf(verdict.plan, rules, readAtMs)
  return {
    verdict: previewed(verdict, gate, rules, readAtMs),
    ...{ gate, readAtMs, existing, projectIds },
    groupIds: groupIds(declared, directories),
  }
}

/** A plan, what it was made from, and when. */
type Draft = { readonly plan: Plan; readonly desired: Desired; readonly check: ProjectCheck; readonly nowMs: number }

function draftOf(
  declared: WorkspaceDeclaration,
  directories: ReadonlyMap<string, Reading<GroupIndex>>,
  existing: Existing,
  { diff: options, remembered, now }: Rules,
  later: LaterSlice | undefined,
): Draft {
  const { hash } = options
  const nowMs = now()
  const check = checkProjects(existing.projects, { ...remembered.projects, hash })
  const desired = resolve(declared, {
    ...{ directories, check, hash, nowMs },
    existing: [...existing.lists.values()].flatMap((reading) => seen(reading) ?? []),
    ...(existing.projects === undefined ? {} : { projects: existing.projects }),
    ...(later === undefined ? {} : { approvedProjects: later.approvedProjects }),
  })
  const notices = [...noticesOf(declared, directories, remembered.groupId), ...desired.changed.map(changedProjectFinding)]
  const plan = diff(declared, desired, existing, options, notices)
  return { plan: later === undefined ? plan : restrict(plan, later.keep), desired, check, nowMs }
}

/** Lists that were never read whole before, and from which something would be created. */
function listsToConfirm({ changes }: Plan, { isListKnown }: Remembered): readonly List[] {
  const lists = changes.flatMap((change) => (change.action === 'create' ? [listOf(change.target)] : []))
  return [...new Set(lists)].filter((list) => !isListKnown(list))
}

const projectIdsOf = (
  declared: WorkspaceDeclaration,
  { projects }: Existing,
  draft: Draft,
  { diff: { hash }, remembered }: Rules,
): NewProjectIds => newProjectIds(remembered.projects.ids, draft.desired.named, textsNamingProjects(declared, hash), projects, draft.check)

/** The waivers that name the change of a project, each with only those of its names. */
const projectWaivers = (waivers: readonly Waiver[], { waived }: NewProjectIds): readonly Waiver[] =>
  waivers.flatMap((waiver) => {
    const passes = waiver.passes.filter((pass) => waived.includes(pass))
    return passes.length === 0 ? [] : [{ ...waiver, passes }]
  })

const measuredBy = ({ guards, waivers, diff: { roles, echoes } }: Rules, run: RunTally, nowMs: number): JudgeInput => ({
  ...{ guards, waivers, roles, nowMs },
  echoes: echoes.workspaceRoles ?? {},
  tally: run.tally(nowMs),
})

function gateOf(plan: Plan, { gate, diff: { roles }, guards: { flapping }, memory }: Rules, readAtMs: number): Gate {
  const required = requiredIn(plan)
  return (change) => mayWrite(change, { ...gate, roles, flapping, readAtMs, required, memory: memory() })
}

/** The verdict with what the gate would stop now, and with who else seems to write. */
function previewed(
  verdict: Verdict,
  gate: Gate,
  { gate: { declaration }, guards: { flapping }, memory }: Rules,
  readAtMs: number,
): Verdict {
  const noticed = withFindings(verdict, anotherWriterFindings(verdict.plan, { declaration, flapping, readAtMs, memory: memory() }))
  return withHolds(noticed, previewHolds(noticed.plan, gate))
}
