import { type Clock, momentOf } from '../core/clock.ts'
import { by, compare } from '../core/compare.ts'
import { latestMs, nextDateMs } from '../core/dates.ts'
import { settingsAfter } from '../core/existing.ts'
import type { Finding } from '../core/finding.ts'
import { removalNotFeltFindings } from '../core/findings/removalNotFelt.ts'
import { withFindings } from '../core/judge/guards.ts'
import type { WorkspaceName } from '../core/mapping.ts'
import type { SlugChange } from '../core/memory/confirmed.ts'
import type { KnownRevision } from '../core/memory/entry.ts'
import type { Memory } from '../core/memory/memory.ts'
import { once } from '../core/once.ts'
import { defined } from '../core/optionalFields.ts'
import type { Plan } from '../core/plan.ts'
import type { DeclarationReport, WorkspaceAbout } from '../core/report.ts'
import { directoriesAsked } from '../core/resolve/desiredMapping.ts'
import { isSameRevision } from '../core/revision.ts'
import { nothingDeclared } from '../core/rule.ts'
import type { PeopleCounter } from './countPeople.ts'
import type { CycleReport, WorkspaceReport } from './cycleReport.ts'
import { byDirectories, type Directory, openDirectoryReadings } from './directoryReadings.ts'
import { Stopped } from './readExisting.ts'
import { recognise } from './recognise.ts'
import { type Concurrency, roundRobin, takingTurns } from './roundRobin.ts'
import { openRunTally } from './runTally.ts'
import { cycleWorkspace, type WorkspaceResult, type Writer } from './workspace.ts'
import type { Declared, WorkspaceBinding, WorkspaceContext, WorkspaceCycle } from './workspaceContext.ts'

/** The sources of one cycle. A separate argument (`Writing`) says whether the cycle may also write. */
export type CycleSources = {
  declaration(signal: AbortSignal): Promise<Declared>
  readonly directories: ReadonlyMap<string, Directory>
  /** Lives longer than a cycle, because it keeps the numbers of a plan that waits. */
  readonly countPeople: PeopleCounter
  /** Credential → its workspaces, which share its budget. */
  readonly bindings: ReadonlyMap<string, readonly ReportedBinding[]>
}

export type ReportedBinding = WorkspaceBinding & {
  readonly slug: string
  /** The read of the group-sync settings fails without an error. They are then absent, or the reason is in their place. */
  about(settings: SettingsRead, signal: AbortSignal): Promise<WorkspaceAbout>
  /** The findings if others leave too few requests of the budget for a plan, or if the plan takes longer than the time between two cycles. */
  findings(plan: Plan): readonly Finding[]
}

/**
 * How the group-sync settings are read, which are only shown. `none`: not at all, since Plane creates them at the first read. `brief`: for a few seconds
 * at most, so that a result does not wait for them. `patient`: as long as any other read.
 */
type SettingsRead = 'none' | 'brief' | 'patient'

export type Cycle = Pick<Clock, 'now' | 'wall'> & {
  readonly memory: () => Memory
  /** Gives a workspace its new slug in the memory. */
  readonly rebind: (moved: SlugChange) => Promise<void>
  readonly isApprovedBeforehand?: NonNullable<WorkspaceCycle['isApprovedBeforehand']>
  readonly isWrittenBefore?: NonNullable<WorkspaceCycle['isWrittenBefore']>
  readonly horizonOf?: NonNullable<WorkspaceCycle['horizonOf']>
  readonly waived?: NonNullable<WorkspaceCycle['waived']>
  readonly listsUnchanged?: NonNullable<WorkspaceCycle['listsUnchanged']>
  readonly asked?: NonNullable<WorkspaceCycle['asked']>
  /** The only workspaces of the cycle; absent: all. */
  readonly only?: ReadonlySet<WorkspaceName>
  /** Called when it is known how many workspaces the cycle is about, and after each of them. */
  readonly onWorkspaces?: (ended: number, of: number) => void
}

/** How a cycle writes, and stores the sizes of accepted readings and the commit of a declaration. Without it the cycle is a dry run. */
export type Writing = {
  writer(workspace: WorkspaceName): Writer
  storeSize(of: string, size: number): Promise<void>
  storeRevision(known: KnownRevision): Promise<void>
}

/**
 * How many workspaces are worked on at the same time. Workspaces that ask the same directories form a set, and the limits apply to each set
 * separately. `perLine`: the limit for one credential. It is low, so that the readings of a workspace are not old when its writing begins. `inAll`:
 * the limit for all credentials. It is high, because most workspaces only wait for their credential's budget, and must not delay workspaces of other
 * credentials. It is low enough that all readings fit into memory. Requests on their way to the service have a limit of their own.
 */
const concurrency: Concurrency = { perLine: 4, inAll: 1_024 }

/**
 * One cycle over all workspaces: the declaration is read, then the directories that its rules ask, then each workspace is reconciled. The reading of a
 * workspace waits only for the directories that its own rules ask. Where its changes fill limits of the run, they wait until the workspaces before it are
 * judged. A workspace that fails does not stop the others.
 *
 * @throws if there is no declaration at all
 */
export async function runCycle(
  sources: CycleSources,
  cycle: Cycle,
  writing: Writing | undefined,
  signal: AbortSignal,
): Promise<CycleReport> {
  const began = momentOf(cycle)
  const startedMs = began.steadyMs
  const declared = await sources.declaration(signal)
  await storeRevision(declared, cycle.memory(), writing)
  const readings = openDirectoryReadings(sources.directories, cycle.memory, writing?.storeSize, signal)
  const slugs = once(() =>
    Object.fromEntries(
      [...sources.bindings.values()].flatMap((credentialBindings) => credentialBindings.map(({ workspace, slug }) => [workspace, slug])),
    ),
  )

  const asked = ({ workspace }: ReportedBinding) =>
    directoriesAsked(declared.workspaces.get(workspace)?.rules ?? [], [...sources.directories.keys()])
  const bindings = [...sources.bindings].flatMap(([credential, credentialBindings]) =>
    credentialBindings.map((binding) => ({ credential, binding, directories: asked(binding) })),
  )
  const chosen = bindings
    .filter(({ binding: { workspace } }) => cycle.only?.has(workspace) !== false)
    .toSorted(by(({ binding: { workspace } }) => workspace))
  const inOrder = takingTurns(Map.groupBy(chosen, ({ credential }) => credential).values())
  const run = openRunTally(
    cycle.memory(),
    inOrder.map(({ binding: { workspace } }) => workspace),
  )

  async function cycleBinding(binding: ReportedBinding, directories: WorkspaceContext['directories']): Promise<WorkspaceReport> {
    const { workspace } = binding
    // Each workspace has its own signal: thousands of listeners on one signal make each further one slower.
    const until = AbortSignal.any([signal])
    try {
      await recognise(binding, slugs(), cycle, until)
      const unasked = [...sources.directories.keys()].filter((name) => !directories.has(name)).toSorted(compare)
      const context = { binding, declared, directories, ...(unasked.length > 0 && { unasked }) }
      const result = await cycleWorkspace(
        context,
        writing?.writer(workspace),
        { ...cycle, began, run, countPeople: sources.countPeople },
        until,
      )
      const { plan } = result.judged
      const wanted = declared.workspaces.get(workspace) ?? nothingDeclared(workspace)
      const ofBudget = binding.findings(plan)
      // A workspace with mappings uses group sync, so a read changes nothing. If the settings are declared, the plan has read them already.
      const mayReadSettings =
        Object.values(plan.owned).some((count) => count > 0) || hasWrittenUnstopped(result) || wanted.groupSync !== undefined
      const about = await binding.about(mayReadSettings ? (hasTried(result) ? 'brief' : 'patient') : 'none', until)
      const wasApplied = result.kind === 'judged' && result.applied !== undefined
      const groupSync = wasApplied ? about.groupSync : settingsAfter(about.groupSync, plan.changes)
      const judged = withFindings(result.judged, [
        ...ofBudget,
        ...removalNotFeltFindings(wanted, groupSync, plan, latestMs(binding.dates())),
      ])
      return { ...result, judged, workspace, about }
    } catch (error) {
      const about = await binding.about('none', until)
      return error instanceof Stopped ? { kind: 'stopped', workspace, about } : { kind: 'failed', workspace, error, about }
    } finally {
      run.leave(workspace)
    }
  }

  const workspaces: WorkspaceReport[] = []
  const tellWorkspaces = () => cycle.onWorkspaces?.(workspaces.length, chosen.length)
  tellWorkspaces()
  const work = async ({ binding }: (typeof chosen)[number], directories: WorkspaceContext['directories']) => {
    workspaces.push(await cycleBinding(binding, directories))
    tellWorkspaces()
  }
  // Workspaces whose rules ask the same directories begin together. They do not wait for a directory that only other workspaces ask.
  const begun = byDirectories(inOrder).map(async (alike) => {
    try {
      const directories = await readings.of(alike[0]?.directories ?? [])
      await roundRobin(
        alike,
        ({ credential }) => credential,
        concurrency,
        (item) => work(item, directories),
        signal,
      )
    } finally {
      // After a failure or a stop, some of them have not begun.
      for (const { binding } of alike) run.leave(binding.workspace)
    }
  })
  const ends = await Promise.allSettled(begun)
  const failure = ends.find((end) => end.status === 'rejected')
  if (failure !== undefined) throw failure.reason as Error
  const rules = chosen.flatMap(({ binding: { workspace } }) => declared.workspaces.get(workspace)?.rules ?? [])
  return defined({
    startedMs,
    tookMs: cycle.now() - startedMs,
    declaration: declarationReport(declared),
    directories: await readings.report(),
    workspaces: workspaces.toSorted(by(({ workspace }) => workspace)),
    // By the date at the start of the cycle: a date that came meanwhile has to begin another cycle.
    nextDateMs: nextDateMs(rules, { hereMs: began.wallMs }),
  })
}

/** Entries of the journal have only the hash of the declaration, so the journal gets its commit once. */
async function storeRevision({ hash, revision }: Declared, { declaration: last }: Memory, writing: Writing | undefined): Promise<void> {
  if (revision === undefined || (last?.hash === hash && isSameRevision(last.revision, revision))) return
  await writing?.storeRevision({ hash, revision })
}

/** Whether mappings were written, and the service still answers. */
const hasWrittenUnstopped = (result: WorkspaceResult): boolean =>
  result.kind === 'judged' &&
  result.applied?.stopped === undefined &&
  (result.applied?.results ?? []).some(({ outcome }) => outcome.kind === 'done')

/** Whether a write was tried, whatever its outcome is. */
const hasTried = (result: WorkspaceResult): boolean => result.kind === 'judged' && (result.applied?.results ?? []).length > 0

const declarationReport = ({ hash, files, revision, kept, keptFiles }: Declared): DeclarationReport =>
  defined({ hash, files, revision, kept, keptFiles })
