import { complete } from '../compose/complete.ts'
import type { ChangeId } from '../core/change.ts'
import type { WorkspaceName } from '../core/mapping.ts'
import type { Waiver } from '../core/waiver.ts'
import { type Cycle, type CycleSources, runCycle, type Writing } from '../cycle/cycle.ts'
import type { CycleReport } from '../cycle/report.ts'
import type { LoadedSettings } from '../settings/load.ts'
import { openApplyOutput } from './applyOutput.ts'
import { type Call, type ExitCode, exitCodes } from './command.ts'
import { exitCodeOfWriting } from './exitCode.ts'
import { joined } from './joined.ts'
import type { formats } from './options.ts'
import type { Progress } from './progress.ts'
import { progressOf } from './progressOf.ts'
import { agrees, approvedPlansOf, questionOf, writesOf } from './review.ts'
import { type IsReviewed, type ReviewedPlan, reviewedBy, reviewOf } from './reviewed.ts'
import { exitCodeOfRounds, untilSettled } from './rounds.ts'
import { type ReviewedFile, requireSameService } from './savedPlan.ts'
import { onlyWorkspaces } from './workspaces.ts'
import { type OpenWriting, openWriting } from './writing.ts'

type ApplyOptions = {
  readonly format: (typeof formats)[number]
  /** Whether a person is asked before anything is written. */
  readonly asks: boolean
  readonly saved: ReviewedFile | undefined
  readonly waivers: readonly Waiver[]
}

/** `apply` in this process, with the journal of its own: plans, asks, and writes until no change is in quarantine. */
export async function applyHere(
  loaded: LoadedSettings,
  { format, asks, saved, waivers }: ApplyOptions,
  { values, terminal, signal }: Call,
): Promise<ExitCode> {
  let shown: Progress | undefined
  const options = {
    loaded,
    command: 'apply',
    lockedAs: 'apply' as const,
    waivers,
    noWait: values['no-wait'] === true,
    progress: (...step: Parameters<Progress['step']>) => shown?.step(...step),
    showsWrites: terminal.isTerminal.out && terminal.isTerminal.err,
  }
  await using open = await openWriting(values, terminal, options, signal)
  const { clock, ticker } = open.world
  using progress = progressOf(values, terminal, { program: () => open.program, clock: ticker, signal })
  shown = progress
  const only = onlyWorkspaces(values, loaded.settings, saved?.workspaces)
  if (saved !== undefined) requireSameService(saved, loaded.settings, only)
  const { sources } = open.program
  const cycle = openCycles(open, { ...sources, directories: progress.watching(sources.directories) }, only, signal)
  const output = openApplyOutput({ format, waivers, now: clock.now }, { values, terminal })

  let reviewed = saved?.reviewed
  const isReviewed: IsReviewed = reviewedBy(({ workspace }) => reviewed?.get(workspace), waivers)
  if (asks) {
    const report = await cycle(reviewed && { reviewed, isReviewed }, undefined)
    const plans = approvedPlansOf(report)
    const question = questionOf(plans, loaded.settings.roles)
    // Without changes there is no question. With a waiver the cycle still runs with a writer, so that the journal records the waiver.
    if (question === undefined && waivers.length === 0) {
      output.result(report)
      return exitCodeOfWriting(report)
    }
    if (question !== undefined) {
      output.plan(report)
      if (!(await agrees(question, terminal, signal))) {
        output.unwritten(report)
        return exitCodes.refused
      }
    }
    reviewed = new Map(plans.map((plan) => [plan.workspace, reviewOf(plan)]))
  }

  // Later rounds write quarantined changes from a fresh read, but no change that the first round did not show.
  let expected: ReadonlySet<ChangeId> | undefined
  const isExpected: IsReviewed = (plan) => plan.changes.every(({ id }) => expected?.has(id))
  const round = async (number: number): Promise<CycleReport> => {
    const report = await cycle(reviewed && { reviewed, isReviewed: number === 0 ? isReviewed : isExpected }, open.writing(open.program))
    expected ??= new Set(approvedPlansOf(report).flatMap((plan) => [...writesOf(plan)]))
    return report
  }
  const say = values.quiet === true ? () => undefined : terminal.err
  const reports = await untilSettled(round, { clock, memory: open.run.memory, say, pause: progress.pause, onRound: output.round }, signal)
  output.end(joined(reports), reports.at(-1) ?? reports[0])
  return signal.aborted ? exitCodes.failed : exitCodeOfRounds(reports)
}

type Review = { readonly reviewed: ReadonlyMap<WorkspaceName, ReviewedPlan>; readonly isReviewed: IsReviewed }

/** Runs the cycles of one `apply`. A waiver that one of them used is known to the next ones, with what it covered. */
function openCycles(
  { cycle, world }: Pick<OpenWriting, 'cycle' | 'world'>,
  sources: CycleSources,
  only: ReadonlySet<WorkspaceName> | undefined,
  signal: AbortSignal,
): (review: Review | undefined, writing: Writing | undefined) => Promise<CycleReport> {
  const waived = new Set<Waiver>()
  return async (review, writing) => {
    const unchecked: Cycle = { ...cycle, ...complete<Pick<Cycle, 'only'>>({ only }), waived: [...waived] }
    // This is no conditional spread, because there TypeScript accepts a property that `Cycle` does not have. A misspelt name would then let any
    // plan be written.
    const checked: Cycle =
      review === undefined
        ? unchecked
        : { ...unchecked, isApprovedBeforehand: review.isReviewed, horizonOf: (workspace) => review.reviewed.get(workspace)?.laterUntilMs }
    world.cycle.begin()
    const report = await runCycle(sources, checked, writing, signal)
    world.cycle.end()
    for (const waiver of waivedIn(report)) waived.add(waiver)
    return report
  }
}

/** The waivers of a plan that let a part of it pass. They also cover what is left of the plan, at the guards that stopped the plan in the first round. */
const waivedIn = ({ workspaces }: CycleReport): readonly Waiver[] =>
  workspaces.flatMap((one) =>
    one.kind === 'judged' ? one.verdict.waived.filter(({ rememberedScope }) => rememberedScope !== undefined) : [],
  )
