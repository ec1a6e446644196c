import { type Applied, type Apply, apply } from './apply.ts'
import { noticeAnotherWriter } from './core/anotherWriter.ts'
import type { Change } from './core/change.ts'
import type { DiffOptions } from './core/diff.ts'
import { at } from './core/drawers.ts'
import { foresee, type Gate, mayWrite, requiredIn } from './core/gate.ts'
import type { GroupIndex } from './core/group.ts'
import { judge, type Verdict, type Waiver, withPlan } from './core/guards.ts'
import type { GuardSettings } from './core/limits.ts'
import type { WorkspaceName } from './core/mapping.ts'
import { baselineOf, listKeptMs, listName, type Memory } from './core/memory.ts'
import type { Outcome } from './core/outcome.ts'
import { type Plan, restrict } from './core/plan.ts'
import type { Reading } from './core/reading.ts'
import { nothingDeclared, type WorkspaceDeclaration } from './core/rule.ts'
import { type Ledger, tallyOf } from './ledger.ts'
import { type Reader, type Remembered, reconcile } from './reconcile.ts'
import { projectWaivers, type Remembers, rememberSeen } from './rememberSeen.ts'
import { type Rest, restOf } from './rest.ts'

/** One cycle's view of what is declared; the same for all workspaces. */
export type Declared = {
  readonly workspaces: ReadonlyMap<WorkspaceName, WorkspaceDeclaration>
  /** SHA-256 in hex over all files. */
  readonly hash: string
  readonly files: number
}

/** One workspace as the settings have it, with what may be read of it. */
export type Subject = {
  readonly workspace: WorkspaceName
  readonly read: Reader
  readonly options: Omit<DiffOptions, 'echoes'>
  readonly guards: GuardSettings
  readonly waivers: readonly Waiver[]
  readonly suspend: boolean | 'grants'
}

/** The one capability to write: who plans is never handed one, so a dry run is its absence. */
export type Writer = Remembers &
  Pick<Apply, 'progress' | 'changesMax'> & {
    /** Asks the gate once more after the wait for the budget, directly before the first byte. */
    write(change: Change, gate: Gate, signal: AbortSignal): Promise<Outcome>
    intend(workspace: WorkspaceName, change: Change, declaration: string): Promise<void>
    settle(workspace: WorkspaceName, change: Change, outcome: Outcome, declaration: string): Promise<void>
  }

/**
 * What came of one workspace. `verdict` is the first slice's, with what the gate would stop among its holds, or that of a later slice which
 * the guards refused; `applied` sums up all slices.
 */
export type WorkspaceResult =
  | { readonly is: 'judged'; readonly verdict: Verdict; readonly applied?: Applied }
  /** The plan is not the one that was agreed to: the world has moved since. Nothing was written. */
  | { readonly is: 'moved'; readonly verdict: Verdict }

export type WorkspaceCycle = {
  readonly now: () => number
  readonly memory: () => Memory
  readonly ledger: Ledger
  /** Whether somebody agreed to this plan beforehand; absent: the guards are enough. */
  readonly agreed?: (plan: Plan) => boolean
  /** What earlier cycles of this command let pass, with what it covers; absent: nothing. */
  readonly waived?: readonly Waiver[]
}

/** What is looked at: the same at every slice, but for what the service holds by then. */
export type Sight = {
  readonly subject: Subject
  readonly declared: Declared
  readonly directories: ReadonlyMap<string, Reading<GroupIndex>>
}

/**
 * One workspace, from reading to writing: judged whole, then applied in slices, each from a fresh read. A later slice writes nothing that the
 * first plan did not have, and nothing twice.
 *
 * @throws {ListUnread} {Stopped}
 */
export async function cycleWorkspace(
  sight: Sight,
  writer: Writer | undefined,
  cycle: WorkspaceCycle,
  signal: AbortSignal,
): Promise<WorkspaceResult> {
  const first = await look(sight, cycle, writer, undefined, signal)
  const { verdict } = first
  if (verdict.approved && cycle.agreed?.(verdict.plan) === false) return { is: 'moved', verdict }
  if (!verdict.approved) return { is: 'judged', verdict }
  const told = withWaivers(verdict, first.ofProjects)
  if (writer === undefined) return { is: 'judged', verdict: told }
  const { plan, waived } = verdict
  if (waived.length > 0) await writer.waived(sight.subject.workspace, plan.fingerprint, waived)

  let slice = first
  let applied: Applied = { results: [], holds: [], left: [] }
  while (slice.verdict.approved) {
    const more = await apply(slice.verdict.plan, portsOf(sight, writer, slice, cycle, applied, plan), signal)
    applied = { ...more, results: [...applied.results, ...more.results], holds: [...applied.holds, ...more.holds] }
    if (more.stopped !== 'slice') return { is: 'judged', verdict: told, applied }
    try {
      slice = await look(sight, cycle, writer, restOf(verdict, applied), signal)
    } catch {
      // The next cycle says why; what was written and what is left is said now.
      return { is: 'judged', verdict: told, applied: { ...applied, stopped: signal.aborted ? 'signal' : 'unreachable' } }
    }
  }
  return { is: 'judged', verdict: slice.verdict, applied: { ...applied, left: slice.verdict.plan.changes } }
}

/** `ofProjects`: the waivers that say which project is meant; the guards know nothing of them. */
type Look = { readonly verdict: Verdict; readonly ofProjects: readonly Waiver[]; readonly gate: Gate; readonly readAtMs: number }

/** The verdict with every waiver that was used for the plan, each told once. */
function withWaivers(verdict: Verdict, ofProjects: readonly Waiver[]): Verdict {
  const isTold = ({ by, passes }: Waiver) =>
    verdict.waived.some((told) => told.by === by && passes.every((pass) => told.passes.includes(pass)))
  return { ...verdict, waived: [...verdict.waived, ...ofProjects.filter((waiver) => !isTold(waiver))] }
}

async function look(
  sight: Sight,
  cycle: WorkspaceCycle,
  writer: Writer | undefined,
  rest: Rest | undefined,
  signal: AbortSignal,
): Promise<Look> {
  const { subject, declared, directories } = sight
  const { workspace, read, options, suspend, guards } = subject
  const { now, memory, ledger, waived = [] } = cycle
  const readAtMs = now()
  const { echoes, groupIds, projectIds } = memory()
  const listEchoes = {
    workspaceRoles: echoes[listName(workspace, 'workspaceRoles')] ?? {},
    projectRoles: echoes[listName(workspace, 'projectRoles')] ?? {},
  }
  const waivers = [...subject.waivers, ...waived, ...(rest?.waivers ?? [])]
  const judged = (plan: Plan, nowMs: number) => {
    const verdict = judge(rest === undefined ? plan : restrict(plan, rest.keep), {
      guards,
      roles: options.roles,
      echoes: listEchoes.workspaceRoles,
      waivers,
      tally: tallyOf(ledger, nowMs),
      nowMs,
    })
    if (rest === undefined && verdict.approved) ledger.add(verdict.plan)
    return verdict
  }
  const rules = declared.workspaces.get(workspace) ?? nothingDeclared(workspace)
  const agreed = rest === undefined ? {} : { projectsAgreed: rest.projectsAgreed }
  const isWaived = (pass: string) => waivers.some(({ passes, untilMs }) => passes.includes(pass) && now() < untilMs)
  const remembered: Remembered = {
    groupId: (name) => at(groupIds, name),
    projects: { ids: at(projectIds, workspace) ?? {}, isWaived },
    isListKnown: (list) => baselineOf(memory(), listName(workspace, list)) !== undefined,
  }
  const looking = { ...options, ...agreed, now, echoes: listEchoes, judge: judged, remembered }
  const reconciled = await reconcile(rules, directories, read, looking, signal)
  const { verdict } = reconciled
  const isAgreed = rest !== undefined || cycle.agreed?.(verdict.plan) !== false
  if (writer !== undefined) await rememberSeen(workspace, reconciled, isAgreed, { memory, waivers, writer })
  const known = { suspend, roles: options.roles, declaration: declared.hash, readAtMs, flapping: guards.flapping }
  const required = requiredIn(verdict.plan)
  const gate: Gate = (change) => mayWrite(change, { ...known, required, memory: memory() })
  const seen = <P extends Plan>(plan: P): P => foresee(noticeAnotherWriter(plan, { ...known, memory: memory() }), gate)
  return { verdict: withPlan(verdict, seen), ofProjects: projectWaivers(waivers, reconciled.projectIds), gate, readAtMs }
}

function portsOf(
  { subject, declared }: Sight,
  writer: Writer,
  { gate, readAtMs }: Look,
  { now }: WorkspaceCycle,
  applied: Applied,
  plan: Plan,
): Apply {
  const { workspace } = subject
  const { progress } = writer
  const done = applied.results.length
  return {
    gate,
    now,
    changesMax: writer.changesMax,
    freshUntilMs: readAtMs + listKeptMs,
    write: (change, signal) => writer.write(change, gate, signal),
    intend: (change) => writer.intend(workspace, change, declared.hash),
    settle: (change, outcome) => writer.settle(workspace, change, outcome, declared.hash),
    ...(progress === undefined ? {} : { progress: (result, count) => progress(result, done + count, plan.changes.length) }),
  }
}
