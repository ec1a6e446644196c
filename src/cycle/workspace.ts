import { type Change, isRevocation } from '../core/change.ts'
import { ageMs, type Moment, momentOf, suspendedMs } from '../core/clock.ts'
import { type Dates, datesOf, hasDatePassed, latestMs } from '../core/dates.ts'
import { errorText } from '../core/errorText.ts'
import { mappingsAndProjects } from '../core/existing.ts'
import { type Explanation } from '../core/explain/explanation.ts'
import { firstCreatesMax } from '../core/firstCreates.ts'
import { type Gate } from '../core/judge/gate.ts'
import { type Judged, withHeldMeanwhile } from '../core/judge/guards.ts'
import { type List, lists, type WorkspaceName } from '../core/mapping.ts'
import { type Approvals, isTakenBack, shownAsDone } from '../core/memory/approvals.ts'
import { type GroupIds } from '../core/memory/entry.ts'
import { listKeptMs } from '../core/memory/forget.ts'
import { knownSize, listName, type MappingIds, newIds } from '../core/memory/knownMappings.ts'
import { type LearnedIds, type MeantIds } from '../core/memory/meantIds.ts'
import { type Memory } from '../core/memory/memory.ts'
import { type OwnershipChange } from '../core/memory/ownership.ts'
import { type SeenReading, seenReadingOf } from '../core/memory/seen.ts'
import { at } from '../core/memory/shardedMap.ts'
import { once } from '../core/once.ts'
import { defined } from '../core/optionalFields.ts'
import { type Outcome } from '../core/outcome.ts'
import { valueIfRead } from '../core/reading.ts'
import { type Applied } from '../core/report.ts'
import { nothingDeclared } from '../core/rule.ts'
import { type Waiver } from '../core/waiver.ts'
import { type DescribedChange } from '../core/waiverWords.ts'
import { type Reconciled, reconcile } from '../reconcile.ts'
import { type ApplyPorts, apply } from './apply.ts'
import { type LaterSlice, laterSlice, withLater } from './laterSlice.ts'
import { ownershipChanges, sameRole } from './ownership.ts'
import { echoesOf, planSettingsOf } from './planSettings.ts'
import { type WorkspaceContext, type WorkspaceCycle } from './workspaceContext.ts'

/** The only capability to write. Planning gets no writer, so a dry run is a run without one. */
export type Writer = MemoryWriter &
  Pick<ApplyPorts, 'progress' | 'changesMax' | 'hasLock'> & {
    /** Asks `isFresh` and the gate once more after the wait for the budget, directly before the first byte. */
    write(change: Change, gate: Gate, isFresh: () => boolean, signal: AbortSignal): Promise<Outcome>
    intend(workspace: WorkspaceName, change: Change, declaration: string): Promise<void>
    settle(workspace: WorkspaceName, change: Change, outcome: Outcome, declaration: string): Promise<void>
  }

/**
 * `judged`: the judged plan of the first slice. Its holds include those that came up during the writing. `applied`: of all slices. `isWrittenBefore`: the plan
 * that was approved beforehand is written already, so nothing is left of it, and nothing else is written. `explained`: in a cycle without a writer, what was
 * asked about.
 */
export type WorkspaceResult =
  | {
      readonly kind: 'judged'
      readonly judged: Judged
      readonly applied?: Applied
      readonly isWrittenBefore?: true
      readonly explained?: Explanation
    }
  /** A stale plan: it is not the one that was approved beforehand. Nothing was written. */
  | { readonly kind: 'moved'; readonly judged: Judged }

/**
 * Reads, judges and writes one workspace. The plan is judged as a whole, then applied in slices, each from a fresh read. A later slice
 * writes only changes of the first plan, and none of them twice.
 *
 * @throws {OperationalError} for a list that the service did not give; {Stopped}
 */
export async function cycleWorkspace(
  context: WorkspaceContext,
  writer: Writer | undefined,
  cycle: WorkspaceCycle,
  signal: AbortSignal,
): Promise<WorkspaceResult> {
  const first = await observe(context, cycle, undefined, signal)
  const { judged } = first
  const { plan, waived } = judged
  const isStale = cycle.isApprovedBeforehand?.(plan, waived) === false
  if (writer !== undefined) {
    if (!isStale && waived.length > 0) await writer.storeWaivers(context.binding.workspace, plan.fingerprint, waived)
    await rememberReading(first, !isStale, context, cycle.memory, writer)
  }
  if (isStale) return cycle.isWrittenBefore?.(plan) === true ? { kind: 'judged', judged, isWrittenBefore: true } : { kind: 'moved', judged }
  if (writer === undefined) return { kind: 'judged', judged, ...defined({ explained: first.explained }) }
  writer.progress?.({ kind: 'begins', plan })
  let slice = first
  let applied: Applied = { results: [], holds: [], left: [] }
  /** What came up while the plan was written counts like what was known before: exit code, outcome, metrics and texts read the plan. */
  const judgedOf = (end: { readonly judged: Judged; readonly applied: Applied }): WorkspaceResult => {
    const dateMs = latestMs(context.binding.dates())
    const standing = end.judged.waived.map((waiver) =>
      isTakenBack([waiver], cycle.memory().approvals) ? { ...waiver, untilMs: Math.min(waiver.untilMs, dateMs) } : waiver,
    )
    return { kind: 'judged', judged: { ...withHeldMeanwhile(end.judged, end.applied.holds), waived: standing }, applied: end.applied }
  }
  try {
    for (;;) {
      const ports = portsOf(context, writer, slice, [...waived, ...slice.judged.waived], cycle, applied)
      const more = await apply(slice.judged.plan, ports, signal)
      const { stopped, ...rest } = more
      const isFull = stopped === 'slice'
      applied = {
        ...rest,
        results: [...applied.results, ...more.results],
        holds: [...applied.holds, ...more.holds],
        ...defined({ stopped: isFull ? undefined : stopped }),
      }
      if (!isFull) return judgedOf(slice === first ? { judged, applied } : withLater(judged, slice.judged, applied))
      try {
        slice = await observe(context, cycle, nextSlice(context, cycle, first, applied), signal)
      } catch {
        // The results so far are reported now. The next cycle reports the error.
        return judgedOf({ judged, applied: { ...applied, stopped: signal.aborted ? 'signal' : 'unreachable' } })
      }
      try {
        await rememberReading(slice, true, context, cycle.memory, writer)
      } catch (error) {
        return judgedOf({ judged, applied: { ...applied, stopped: 'journal', why: errorText(error, ': ') } })
      }
    }
  } finally {
    writer.progress?.({ kind: 'ends' })
  }
}

/** The rules for the next slice, by the waivers that count now. */
function nextSlice({ binding }: WorkspaceContext, cycle: WorkspaceCycle, { judged, existing }: Reconciled, applied: Applied): LaterSlice {
  const { approvals } = cycle.memory()
  const dateMs = latestMs(binding.dates())
  return laterSlice(judged, existing, applied, (waiver) => dateMs < waiver.untilMs && !isTakenBack([waiver], approvals))
}

/** `readAt`, `datesBefore`, `approvals`: the moment, the date and the approvals before the first reading. */
type Slice = Reconciled & { readonly readAt: Moment; readonly datesBefore: Dates; readonly approvals: Approvals }

/** Reads and judges one slice. */
async function observe(
  { binding, declared, directories, unasked }: WorkspaceContext,
  cycle: WorkspaceCycle,
  later: LaterSlice | undefined,
  signal: AbortSignal,
): Promise<Slice> {
  const { workspace, read } = binding
  const readAt = momentOf(cycle)
  const { approvals } = cycle.memory()
  const datesBefore = binding.dates()
  const settings = planSettingsOf({ binding, declared, unasked, cycle, readAt }, later?.waivers ?? [])
  const wanted = declared.workspaces.get(workspace) ?? nothingDeclared(workspace)
  const reconciled = await reconcile(wanted, directories, read, settings, cycle.run, signal, later)
  return { ...reconciled, readAt, datesBefore, approvals }
}

function portsOf(
  { binding: { workspace, dates, options }, declared }: WorkspaceContext,
  writer: Writer,
  { existing, gate, readAt, dates: planned, datesBefore, approvals }: Slice,
  waived: readonly Waiver[],
  cycle: WorkspaceCycle,
  applied: Applied,
): ApplyPorts {
  // The rest of the plan is judged again when a waiver ends that let a change pass, and when a person takes an approval back.
  const waiverDates = waived.map(({ untilMs }) => untilMs)
  const given = waived.filter((waiver) => !isTakenBack([waiver], approvals))
  const listed = once(() => new Set(mappingsAndProjects(existing).existing.map(({ id }) => id as string)))
  const ruleDates = datesOf(declared.workspaces.get(workspace)?.rules ?? [])
  const hasCreated = applied.results.some(({ change, outcome }) => change.action === 'create' && outcome.kind === 'done')
  return {
    gate,
    now: cycle.now,
    changesMax: writer.changesMax,
    createsMax: hasCreated ? Number.POSITIVE_INFINITY : firstCreatesMax,
    needsNewPlan: () =>
      hasDatePassed(ruleDates, planned, dates()) ||
      hasDatePassed(waiverDates, datesBefore, dates()) ||
      isTakenBack(given, cycle.memory().approvals),
    isListOld: () => ageMs(readAt, momentOf(cycle)) >= listKeptMs,
    hasLock: writer.hasLock,
    areReadingsOld: () => suspendedMs(cycle.began, momentOf(cycle)) >= listKeptMs,
    isRevocation: (change) => isRevocation(change, options.roles),
    roles: options.roles,
    failures: cycle.memory().failures,
    write: async (change, isFresh, signal) => madeAnew(change, await writer.write(change, gate, isFresh, signal), listed(), cycle.now()),
    intend: (change) => writer.intend(workspace, change, declared.hash),
    settle: (change, outcome) => writer.settle(workspace, change, outcome, declared.hash),
    progress: (step) => writer.progress?.(step),
  }
}

/** A create makes no mapping that the list showed before. An answer that names such a one is not to be believed. */
function madeAnew(change: Change, outcome: Outcome, listed: ReadonlySet<string>, nowMs: number): Outcome {
  const isOld = change.action === 'create' && outcome.kind === 'done' && outcome.mapping !== undefined && listed.has(outcome.mapping)
  return isOld
    ? { kind: 'unknown', why: `its answer names the mapping ${outcome.mapping}, which existed before`, lastByteMs: nowMs }
    : outcome
}

/**
 * Keeps which roles the lists showed, for evidence. `max`: the most mappings. `lastRead`: name of each list that this process has read whole → before the last
 * request that told about all its keys, by the steady clock. `waitMs`: Δ.
 */
export type SeenStore = {
  readonly max: number
  readonly waitMs: number
  readonly lastRead: Map<string, number>
  store(reading: SeenReading): Promise<void>
}

/** Stores what was read, for later cycles: the journal. */
type MemoryWriter = {
  storeWaivers(workspace: WorkspaceName, fingerprint: string, waivers: readonly Waiver[]): Promise<void>
  /** Ids of mappings that are new to the memory, or gone. `unread`: the next whole reading of the list counts as its first one. */
  storeMappings(workspace: WorkspaceName, list: List, ids: MappingIds, unread?: true): Promise<void>
  /** Ids of groups that are new to the memory. `meant`: those that the texts of a workspace mean. */
  storeGroupIds(ids: GroupIds, meant?: LearnedIds): Promise<void>
  /** Ids of projects that are new to the memory. */
  storeProjectIds(workspace: WorkspaceName, ids: MeantIds): Promise<void>
  storeOwnership(change: OwnershipChange): Promise<void>
  /** Absent: nothing is kept of what the lists showed. */
  readonly seen?: SeenStore
  /** Changes of approvals that a reading shows as done. */
  storeShown(workspace: WorkspaceName, changes: readonly DescribedChange[]): Promise<void>
}

/**
 * Stores in the journal what was read of one workspace and differs from the memory: ids of mappings, of groups and of projects, and what is ours.
 *
 * @param isApproved whether the plan may be written. Waivers that name the change of a group or project count only then
 */
async function rememberReading(
  { judged, existing, readAt, learned: { groupIds, meantGroups, projectIds, byId, declaredOf } }: Slice,
  isApproved: boolean,
  { binding, declared }: WorkspaceContext,
  memory: () => Memory,
  writer: MemoryWriter,
): Promise<void> {
  const { workspace } = judged.plan
  const knownOf = (list: List) => at(memory().mappings, listName(workspace, list))
  for (const [list, reading] of existing.lists) {
    const known = knownOf(list)
    const isWhole = reading.status === 'complete'
    const ids = newIds(known, valueIfRead(reading) ?? [], isWhole, byId.get(list))
    const isUnread = known === undefined || known.unread === true
    if (writer.seen !== undefined) {
      const { max, waitMs, lastRead, store } = writer.seen
      const about = { workspace, list, reading, told: byId.get(list), readMs: readAt.steadyMs, max, waitMs }
      const { kept, afterMs } = seenReadingOf(memory(), { ...about, afterMs: lastRead.get(listName(workspace, list)) })
      if (kept !== undefined) await store(kept)
      if (afterMs !== undefined) lastRead.set(listName(workspace, list), afterMs)
    }
    if ((isWhole && isUnread) || Object.keys(ids).length > 0)
      await writer.storeMappings(workspace, list, ids, isUnread && !isWhole ? true : undefined)
  }
  // The finding `list-left` tells once that a list with mappings is no longer declared. If the list is declared again, its first reading is confirmed.
  if (isApproved)
    for (const list of lists)
      if (!existing.lists.has(list) && (knownSize(knownOf(list)) ?? 0) > 0) await writer.storeMappings(workspace, list, {}, true)
  const groups = Object.entries(groupIds).filter(([name, id]) => at(memory().groupIds, name) !== id)
  const isMeant = (waived: readonly string[]) => isApproved || waived.length === 0
  const meant = isMeant(meantGroups.waived) && Object.keys(meantGroups.ids).length > 0 ? { workspace, ids: meantGroups.ids } : undefined
  if (groups.length > 0 || meant !== undefined) await writer.storeGroupIds(Object.fromEntries(groups), meant)
  if (isMeant(projectIds.waived) && Object.keys(projectIds.ids).length > 0) await writer.storeProjectIds(workspace, projectIds.ids)
  const options = { ...binding.options, echoes: echoesOf(memory(), workspace, binding.options.roles) }
  const wholeLists = [...existing.lists].flatMap(([list, reading]) =>
    reading.status === 'complete' ? [[list, reading.value] as const] : [],
  )
  const shown = shownAsDone(memory().approvals, workspace, new Map(wholeLists), existing.groupSync, sameRole({ options }))
  if (shown.length > 0) await writer.storeShown(workspace, shown)
  if (!isApproved || !binding.hasJournal) return
  const declaration = declared.workspaces.get(workspace) ?? nothingDeclared(workspace)
  const about = { workspace, options, dates: binding.dates, readAt }
  for (const change of ownershipChanges(memory(), declaration, existing, declaredOf, isInForce(binding), about))
    await writer.storeOwnership(change)
}

/** Whether a cycle may write all that its policy lets through. */
const isInForce = ({ suspend, options: { policy } }: WorkspaceContext['binding']): boolean => suspend === false && policy !== 'observe'
