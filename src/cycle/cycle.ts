import { by } from '../core/compare.ts'
import type { Finding } from '../core/finding.ts'
import type { GroupIndex } from '../core/group.ts'
import { withFindings } from '../core/judge/guards.ts'
import type { WorkspaceName } from '../core/mapping.ts'
import { baselineOf, type Memory } from '../core/memory/memory.ts'
import type { Plan } from '../core/plan.ts'
import { checkShrink, type Reading, type ShrinkLimit } from '../core/reading.ts'
import type { DirectoryReport, WorkspaceAbout } from '../core/report.ts'
import { Stopped } from './readExisting.ts'
import type { CycleReport, WorkspaceReport } from './report.ts'
import { type Concurrency, roundRobin } from './roundRobin.ts'
import { openRunTally } from './runTally.ts'
import { cycleWorkspace, type Declared, type WorkspaceBinding, type WorkspaceCycle, type Writer } from './workspace.ts'

/** What one cycle reads. Whether it may also write is another argument. */
export type CycleSources = {
  declaration(): Promise<Declared & { readonly kept?: string }>
  readonly directories: ReadonlyMap<string, Directory>
  /** Credential → its workspaces, which share its budget. */
  readonly bindings: ReadonlyMap<string, readonly ReportedBinding[]>
}

/**
 * `existing`: whether the workspace has mappings. If so, its group-sync settings may be read. In a workspace without mappings this read could
 * create the settings.
 */
export type ReportedBinding = WorkspaceBinding & {
  about(existing: boolean, signal: AbortSignal): Promise<WorkspaceAbout>
  /** Findings about the budget and the schedule in which a plan was made. */
  findings(plan: Plan): readonly Finding[]
}

export type Directory = {
  readonly kind: string
  readonly shrink: ShrinkLimit
  read(signal: AbortSignal): Promise<Reading<GroupIndex>>
}

export type Cycle = {
  readonly now: () => number
  readonly memory: () => Memory
  readonly isApprovedBeforehand?: NonNullable<WorkspaceCycle['isApprovedBeforehand']>
  readonly waived?: NonNullable<WorkspaceCycle['waived']>
  /** Only these workspaces; absent: all. */
  readonly only?: ReadonlySet<WorkspaceName>
}

/** How a cycle writes, and stores the sizes of accepted readings. Without it the cycle is a dry run. */
export type Writing = { writer(workspace: WorkspaceName): Writer; storeSize(of: string, size: number): Promise<void> }

/**
 * How many workspaces are worked on at the same time. `perLine`: those of one credential; few, so that the readings of a workspace are not
 * old when its writing begins. `inAll`: large, because most workspaces only wait for their credential's budget and must not delay those of
 * other credentials; but small enough that all readings fit into memory. Requests on their way to the service have a limit of their own.
 */
const concurrency: Concurrency = { perLine: 4, inAll: 1_024 }

/**
 * One cycle over all workspaces: declaration and directories are read once, then each workspace is reconciled. A workspace that fails does
 * not stop the others.
 *
 * @throws if there is no declaration at all
 */
export async function runCycle(
  sources: CycleSources,
  cycle: Cycle,
  writing: Writing | undefined,
  signal: AbortSignal,
): Promise<CycleReport> {
  const startedMs = cycle.now()
  const [declared, { directories, stopped }] = await Promise.all([sources.declaration(), readDirectories(sources, cycle, writing, signal)])
  const run = openRunTally(cycle.memory())

  async function cycleBinding(binding: ReportedBinding): Promise<WorkspaceReport> {
    const { workspace } = binding
    // Each workspace has its own signal: thousands of listeners on one signal make each further one slower.
    const until = AbortSignal.any([signal])
    try {
      const context = { binding, declared, directories }
      const result = await cycleWorkspace(context, writing?.writer(workspace), { ...cycle, run }, until)
      const existing = Object.values(result.verdict.plan.owned).some((count) => count > 0)
      const verdict = withFindings(result.verdict, binding.findings(result.verdict.plan))
      return { ...result, verdict, workspace, about: await binding.about(existing, until) }
    } catch (error) {
      const about = await binding.about(false, until)
      return error instanceof Stopped ? { kind: 'stopped', workspace, about } : { kind: 'failed', workspace, error, about }
    }
  }

  const workspaces: WorkspaceReport[] = []
  const lines = [...sources.bindings.values()].map((all) => all.filter(({ workspace }) => cycle.only?.has(workspace) !== false))
  await roundRobin(lines, concurrency, async (binding) => void workspaces.push(await cycleBinding(binding)), signal)
  return {
    startedMs,
    tookMs: cycle.now() - startedMs,
    declaration: { hash: declared.hash, files: declared.files, ...(declared.kept === undefined ? {} : { kept: declared.kept }) },
    directories: [...directories].map(([name, reading]) => ({
      ...directoryReport(name, sources.directories.get(name)?.kind ?? '', reading),
      ...(stopped.has(name) ? { stopped: true as const } : {}),
    })),
    workspaces: workspaces.toSorted(by(({ workspace }) => workspace)),
  }
}

/** `stopped`: the directories whose reading is incomplete because the program was asked to stop. */
async function readDirectories(
  { directories }: CycleSources,
  { memory }: Cycle,
  writing: Writing | undefined,
  signal: AbortSignal,
): Promise<{ readonly directories: ReadonlyMap<string, Reading<GroupIndex>>; readonly stopped: ReadonlySet<string> }> {
  const stopped = new Set<string>()
  const read = async ([name, directory]: [string, Directory]) => {
    const doubt = {
      baseline: baselineOf(memory(), name),
      limit: directory.shrink,
      emptyPossible: false,
      setting: `directories.${name}.shrink`,
    }
    const answer = await directory.read(signal)
    if (signal.aborted && answer.status !== 'complete') stopped.add(name)
    const reading = checkShrink(answer, ({ size }) => size, doubt)
    if (reading.status === 'complete' && reading.value.size !== doubt.baseline) await writing?.storeSize(name, reading.value.size)
    return [name, reading] as const
  }
  return { directories: new Map(await Promise.all([...directories].map(read))), stopped }
}

function directoryReport(name: string, kind: string, reading: Reading<GroupIndex>): DirectoryReport {
  const { status, atMs, tookMs } = reading
  const base = { name, kind, status, atMs, tookMs }
  switch (reading.status) {
    case 'complete':
      return { ...base, groups: reading.value.size }
    case 'partial':
      return { ...base, groups: reading.value.size, why: reading.missing }
    case 'failed':
      return { ...base, groups: 0, why: reading.cure === undefined ? reading.why : `${reading.why}: ${reading.cure}` }
    default:
      return reading satisfies never
  }
}
