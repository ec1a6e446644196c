import { type Applied, type Apply, apply } from './apply.ts'
import type { Change } from './core/change.ts'
import { foresee, type Gate, mayWrite } from './core/gate.ts'
import type { GroupIndex } from './core/group.ts'
import { type Sum, type Tally, type Verdict, type Waiver } from './core/guards.ts'
import type { WorkspaceName } from './core/mapping.ts'
import type { Memory } from './core/memory.ts'
import type { Outcome } from './core/outcome.ts'
import type { Plan } from './core/plan.ts'
import type { Reading } from './core/reading.ts'
import type { WorkspaceDeclaration } from './core/rule.ts'
import { type Reader, type Reconciling, reconcile } from './reconcile.ts'

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
  readonly options: Omit<Reconciling, 'tally' | 'echoes' | 'now'>
  readonly suspend: boolean | 'grants'
}

/** The one capability to write: who plans is never handed one, so a dry run is its absence. */
export type Writer = Pick<Apply, 'progress' | 'changesMax'> & {
  /** Asks the gate once more after the wait for the budget, directly before the first byte. */
  write(change: Change, gate: Gate, signal: AbortSignal): Promise<Outcome>
  intend(workspace: WorkspaceName, change: Change, declaration: string): Promise<void>
  settle(
    workspace: WorkspaceName,
    change: Parameters<Apply['settle']>[0],
    outcome: Parameters<Apply['settle']>[1],
    declaration: string,
  ): Promise<void>
  waived(workspace: WorkspaceName, fingerprint: string, waivers: readonly Waiver[]): Promise<void>
}

/** What came of one workspace. `verdict` is the first slice's, with what the gate would stop among its holds; `applied` sums up all slices. */
export type WorkspaceResult =
  | { readonly is: 'failed'; readonly error: unknown }
  | { readonly is: 'judged'; readonly verdict: Verdict; readonly applied?: Applied }
  /** The plan is not the one that was agreed to: the world has moved since. Nothing was written. */
  | { readonly is: 'moved'; readonly verdict: Verdict }

export type WorkspaceCycle = {
  readonly now: () => number
  readonly memory: () => Memory
  /** What was agreed for other workspaces in this run. */
  readonly agreedElsewhere: Sum
  /** Lists that were read before this prove nothing about the creates of the process before. */
  readonly createsFromMs: number
  /** Whether somebody agreed to this plan beforehand; absent: the guards are enough. */
  readonly agreed?: (plan: Plan) => boolean
}

/**
 * One workspace, from reading to writing: judged whole, then applied in slices, each from a fresh read. What a slice leaves is planned anew,
 * and passes the guards as part of the plan that passed them.
 */
export async function cycleWorkspace(
  subject: Subject,
  declared: Declared,
  directories: ReadonlyMap<string, Reading<GroupIndex>>,
  writer: Writer | undefined,
  cycle: WorkspaceCycle,
  signal: AbortSignal,
): Promise<WorkspaceResult> {
  const first = await judged(subject, declared, directories, cycle, [], signal)
  if (writer === undefined || !first.verdict.approved) return { is: 'judged', verdict: first.verdict }
  const { plan, waived } = first.verdict
  if (cycle.agreed?.(plan) === false) return { is: 'moved', verdict: first.verdict }
  if (waived.length > 0) await writer.waived(subject.workspace, plan.fingerprint, waived)

  const agreed: Waiver = {
    passes: plan.changes.map(({ id }) => id),
    by: 'this run',
    untilMs: Number.POSITIVE_INFINITY,
    source: `plan ${plan.fingerprint.slice(0, 8)}`,
  }
  let slice = first
  let applied: Applied = { results: [], holds: [], left: [] }
  while (slice.verdict.approved) {
    const { progress } = writer
    const done = applied.results.length
    const ports: Apply = {
      gate: slice.gate,
      write: (change, stop) => writer.write(change, slice.gate, stop),
      changesMax: writer.changesMax,
      intend: (change) => writer.intend(subject.workspace, change, declared.hash),
      settle: (change, outcome) => writer.settle(subject.workspace, change, outcome, declared.hash),
      ...(progress === undefined ? {} : { progress: (result, count) => progress(result, done + count, plan.changes.length) }),
    }
    const more = await apply(slice.verdict.plan, ports, signal)
    applied = { ...more, results: [...applied.results, ...more.results], holds: [...applied.holds, ...more.holds] }
    if (more.stopped !== 'slice') break
    slice = await judged(subject, declared, directories, cycle, [agreed], signal)
  }
  return { is: 'judged', verdict: first.verdict, applied }
}

type Judged = { readonly verdict: Verdict; readonly gate: Gate }

async function judged(
  { workspace, read, options, suspend }: Subject,
  declared: Declared,
  directories: ReadonlyMap<string, Reading<GroupIndex>>,
  cycle: WorkspaceCycle,
  waivers: readonly Waiver[],
  signal: AbortSignal,
): Promise<Judged> {
  const { now, memory, createsFromMs } = cycle
  const readAtMs = now()
  const { echoes = {} } = { echoes: memory().echoes[workspace] }
  const reconciling = {
    ...options,
    now,
    echoes: new Map(Object.entries(echoes)),
    tally: tallyOf(cycle),
    waivers: [...options.waivers, ...waivers],
  }
  const rules = declared.workspaces.get(workspace) ?? nothingDeclared(workspace)
  const verdict = await reconcile(rules, directories, read, reconciling, signal)
  const gate: Gate = (change) =>
    mayWrite(change, { memory: memory(), suspend, roles: options.roles, createsFromMs, declaration: declared.hash, readAtMs })
  const foreseen = verdict.approved ? { ...verdict, plan: foresee(verdict.plan, gate) } : { ...verdict, plan: foresee(verdict.plan, gate) }
  return { verdict: foreseen, gate }
}

const nothingDeclared = (workspace: WorkspaceName): WorkspaceDeclaration => ({
  workspace,
  owns: new Set(),
  rules: [],
  removed: [],
  unmanaged: [],
})

const dayMs = 86_400_000

function tallyOf({ memory, now, agreedElsewhere }: WorkspaceCycle): Tally {
  const { revisions } = memory()
  const recent = revisions.filter(({ atMs }) => now() < atMs + dayMs)
  return { run: agreedElsewhere, day: { changes: recent.length, deletes: recent.filter(({ deletes }) => deletes).length } }
}
