import { type Applied, type Apply, apply } from './apply.ts'
import { foresee, mayWrite } from './core/gate.ts'
import type { GroupIndex } from './core/group.ts'
import { type Sum, type Tally, type Verdict, type Waiver } from './core/guards.ts'
import type { WorkspaceName } from './core/mapping.ts'
import type { Memory } from './core/memory.ts'
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
export type Writer = Pick<Apply, 'write' | 'progress' | 'changesMax'> & {
  intend(workspace: WorkspaceName, change: Parameters<Apply['intend']>[0], declaration: string): Promise<void>
  settle(
    workspace: WorkspaceName,
    change: Parameters<Apply['settle']>[0],
    outcome: Parameters<Apply['settle']>[1],
    declaration: string,
  ): Promise<void>
  waived(workspace: WorkspaceName, fingerprint: string, waivers: readonly Waiver[]): Promise<void>
}

export type WorkspaceReport =
  | { readonly is: 'failed'; readonly workspace: WorkspaceName; readonly error: unknown }
  /** `verdict` is the first slice's, with what the gate would stop among its holds; `applied` sums up all slices. */
  | { readonly is: 'judged'; readonly workspace: WorkspaceName; readonly verdict: Verdict; readonly applied?: Applied }

export type CycleOptions = {
  readonly now: () => number
  readonly memory: () => Memory
  /** What this run has written to other workspaces. */
  readonly written: Sum
  readonly createsFromMs: number
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
  options: CycleOptions,
  signal: AbortSignal,
): Promise<WorkspaceReport> {
  const { workspace } = subject
  const rules = declared.workspaces.get(workspace) ?? { workspace, owns: new Set(), rules: [], removed: [], unmanaged: [] }
  const judged = async (waivers: readonly Waiver[]) => {
    const readAtMs = options.now()
    const memory = options.memory()
    const reconciling = {
      ...subject.options,
      now: options.now,
      echoes: new Map(Object.entries(memory.echoes[workspace] ?? {})),
      tally: tallyOf(memory, options),
    }
    const verdict = await reconcile(
      rules,
      directories,
      subject.read,
      { ...reconciling, waivers: [...reconciling.waivers, ...waivers] },
      signal,
    )
    const gate: Apply['gate'] = (change) => {
      const { createsFromMs } = options
      return mayWrite(change, {
        memory: options.memory(),
        suspend: subject.suspend,
        roles: subject.options.roles,
        createsFromMs,
        declaration: declared.hash,
        readAtMs,
      })
    }
    return {
      verdict: verdict.approved ? { ...verdict, plan: foresee(verdict.plan, gate) } : { ...verdict, plan: foresee(verdict.plan, gate) },
      gate,
    }
  }

  const first = await judged([])
  if (writer === undefined || !first.verdict.approved) return { is: 'judged', workspace, verdict: first.verdict }
  const { plan } = first.verdict
  await writer.waived(workspace, plan.fingerprint, first.verdict.waived)

  const agreed: Waiver = {
    passes: plan.changes.map(({ id }) => id),
    by: 'this run',
    untilMs: Number.POSITIVE_INFINITY,
    source: `plan ${plan.fingerprint.slice(0, 8)}`,
  }
  let slice = first
  let applied: Applied = { results: [], holds: [], left: [] }
  while (slice.verdict.approved) {
    const { write, progress, changesMax } = writer
    const done = applied.results.length
    const ports: Apply = {
      gate: slice.gate,
      write,
      changesMax,
      intend: (change) => writer.intend(workspace, change, declared.hash),
      settle: (change, outcome) => writer.settle(workspace, change, outcome, declared.hash),
      ...(progress === undefined ? {} : { progress: (result, n) => progress(result, done + n, plan.changes.length) }),
    }
    const more = await apply(slice.verdict.plan, ports, signal)
    applied = { ...more, results: [...applied.results, ...more.results], holds: [...applied.holds, ...more.holds] }
    if (more.stopped !== 'slice') break
    slice = await judged([agreed])
  }
  return { is: 'judged', workspace, verdict: first.verdict, applied }
}

const dayMs = 86_400_000

function tallyOf({ revisions }: Memory, { now, written }: CycleOptions): Tally {
  const recent = revisions.filter(({ atMs }) => now() < atMs + dayMs)
  return { run: written, day: { changes: recent.length, deletes: recent.filter(({ deletes }) => deletes).length } }
}
