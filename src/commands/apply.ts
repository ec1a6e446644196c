import type { Change, ChangeId } from '../core/change.ts'
import type { WorkspaceName } from '../core/mapping.ts'
import type { Service } from '../core/memory/entry.ts'
import { complete, defined } from '../core/optionalFields.ts'
import type { Plan } from '../core/plan.ts'
import type { Waiver } from '../core/waiver.ts'
import { type Cycle, type CycleSources, runCycle, type Writing } from '../cycle/cycle.ts'
import type { CycleReport } from '../cycle/cycleReport.ts'
import { parsePlan, planBytesMax } from '../render/savedPlan.ts'
import type { LoadedSettings } from '../settings/load.ts'
import type { Settings } from '../settings/schema.ts'
import { elsewhere, serviceOf } from '../settings/service.ts'
import { requireOpenDoor, unmatchedText, waiversOf } from './allowOption.ts'
import { type Call, type Command, choice, type ExitCode, exitCodes, type Terminal, UsageError } from './command.ts'
import { type Format, formats } from './description.ts'
import { exitCodeOfWriting } from './exitCode.ts'
import { inputName, readInput } from './input.ts'
import { claimedName, printAnswer, type RunningDaemon, runningDaemon, showOf, type UnboundOrder } from './orders/askDaemon.ts'
import { type Progress, progressOf } from './progress.ts'
import { failuresText, renderReport } from './render.ts'
import {
  agrees,
  type IsReviewed,
  judgedPlansOf,
  questionOf,
  type ReviewedPlan,
  reviewedBy,
  reviewOf,
  type Shown,
  sentLeft,
  sentReview,
  shownAs,
  writesOf,
  writtenBefore,
  writtenBeforeText,
} from './reviewed.ts'
import { exitCodeOfRounds, failuresOfRounds, joined, untilSettled, waivedIn } from './rounds.ts'
import { openSettings } from './settings.ts'
import { onlyWorkspaces, type SavedWorkspaces } from './workspaces.ts'
import { type OpenWriting, openWriting } from './writing.ts'

export const command: Command = {
  async run(call) {
    const {
      values,
      positionals: [file],
      terminal,
      signal,
    } = call
    const format = choice('format', values.format, formats, 'text')
    const asks = values.yes !== true
    if (asks && !terminal.isTerminal.in)
      throw new UsageError('apply asks before it writes, but the input is not a terminal', { cure: 'add --yes to write without asking' })
    const saved = file === undefined ? undefined : await readSavedPlan(file, terminal, signal)
    const waivers = waiversOf(values, terminal)
    const loaded = await openSettings(values, terminal, signal)
    requireOpenDoor(waivers, loaded.settings)
    const daemon = await runningDaemon(loaded, values, terminal)
    if (daemon === undefined) return await applyHere(loaded, { format, asks, saved, waivers }, call)
    const only = onlyWorkspaces(values, loaded.settings, saved?.workspaces)
    if (saved !== undefined) requireSameService(saved, loaded.settings, only)
    const allow = waivers.flatMap(({ ids }) => ids)
    return await applyByDaemon(daemon, { only, allow, saved, asks }, { values, terminal, signal })
  },
}

type ApplyOptions = {
  readonly format: Format
  /** Whether a person is asked before anything is written. */
  readonly asks: boolean
  readonly saved: ReviewedFile | undefined
  readonly waivers: readonly Waiver[]
}

/** `apply` in this process, with the journal of its own: plans, asks, and writes until no change is in quarantine. */
async function applyHere(
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
  const isWrittenBefore = writtenBefore(saved && sentLeft(saved.changes), open.run.memory)
  const cycle = openCycles(open, { ...sources, directories: progress.watching(sources.directories) }, { only, isWrittenBefore }, signal)
  const output = openApplyOutput({ format, waivers, isSaved: saved !== undefined, now: clock.now }, { values, terminal })

  let reviewed = saved?.reviewed
  const isReviewed: IsReviewed = reviewedBy(({ workspace }) => reviewed?.get(workspace), waivers)
  if (asks) {
    const report = await cycle(reviewed && { reviewed, isReviewed }, undefined)
    const plans = judgedPlansOf(report)
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
    expected ??= new Set(judgedPlansOf(report).flatMap((plan) => [...writesOf(plan)]))
    return report
  }
  const say = values.quiet === true ? () => undefined : terminal.err
  const reports = await untilSettled(round, { clock, memory: open.run.memory, say, pause: progress.pause, onRound: output.round }, signal)
  output.end(reports)
  return signal.aborted ? exitCodes.failed : exitCodeOfRounds(reports)
}

type Review = { readonly reviewed: ReadonlyMap<WorkspaceName, ReviewedPlan>; readonly isReviewed: IsReviewed }

/** Runs the cycles of one `apply`. A waiver that one of them used is known to the next ones, with what it covered. */
function openCycles(
  { cycle, world }: Pick<OpenWriting, 'cycle' | 'world'>,
  sources: CycleSources,
  { only, isWrittenBefore }: { readonly only: ReadonlySet<WorkspaceName> | undefined; readonly isWrittenBefore: (plan: Plan) => boolean },
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
        : {
            ...unchecked,
            isApprovedBeforehand: review.isReviewed,
            isWrittenBefore,
            horizonOf: (workspace) => review.reviewed.get(workspace)?.laterUntilMs,
          }
    world.cycle.begin()
    const report = await runCycle(sources, checked, writing, signal)
    world.cycle.end()
    for (const waiver of waivedIn(report)) waived.add(waiver)
    return report
  }
}

type OutputOptions = { readonly format: Format; readonly waivers: readonly Waiver[]; readonly isSaved: boolean; readonly now: () => number }

/**
 * Prints the reports of one `apply`. If the format is a document, standard output gets exactly one, at the end. The plan about which a person is asked goes
 * to standard error then.
 */
function openApplyOutput({ format, waivers, isSaved, now }: OutputOptions, { values, terminal }: Pick<Call, 'values' | 'terminal'>) {
  const isDocument = format !== 'text'
  const rendered = (report: CycleReport, as: Format, goesOn = false) =>
    renderReport(report, as, terminal, values, now(), { goesOn, isSaved })
  let isSaid = false
  /** What the first report says of the approvals and of the saved plan. */
  function sayOnce(report: CycleReport): void {
    if (!isSaid) terminal.err(`${writtenBeforeText(report)}${unmatchedText(waivers, report)}`)
    isSaid = true
  }
  return {
    /** The report of a cycle after which there is nothing to write. */
    result(report: CycleReport): void {
      terminal.out(rendered(report, format))
      sayOnce(report)
      terminal.err(failuresText(report, terminal))
    },
    /** The plan about which a person is asked. */
    plan(report: CycleReport): void {
      if (isDocument) terminal.err(rendered(report, 'text'))
      else terminal.out(rendered(report, 'text'))
      sayOnce(report)
    },
    /** The document of a plan that the person did not approve. The text was shown before the question. */
    unwritten(report: CycleReport): void {
      if (isDocument) terminal.out(rendered(report, format))
    },
    round(report: CycleReport, goesOn: boolean): void {
      if (!isDocument) terminal.out(rendered(report, format, goesOn))
      sayOnce(report)
    },
    end(reports: readonly [CycleReport, ...CycleReport[]]): void {
      if (isDocument) terminal.out(rendered(joined(reports), format))
      terminal.err(failuresOfRounds(reports, terminal))
    },
  }
}

type Apply = {
  readonly only: ReadonlySet<WorkspaceName> | undefined
  readonly allow: readonly string[]
  /** The plans of a file. Absent: the daemon makes a plan, and shows it first. */
  readonly saved: Pick<ReviewedFile, 'reviewed' | 'changes'> | undefined
  readonly asks: boolean
}

/** `apply` beside a daemon. The daemon makes the plan that a person is asked about, so that two processes never use one key of Plane. */
export async function applyByDaemon(
  daemon: RunningDaemon,
  { only, allow, saved, asks }: Apply,
  { values, terminal, signal }: Pick<Call, 'values' | 'terminal' | 'signal'>,
): Promise<ExitCode> {
  const format = choice('format', values.format, formats, 'text')
  const isDocument = format !== 'text'
  const about = { ...(only === undefined ? {} : { only: [...only] }), allow: [...allow], by: claimedName(values, terminal) }
  const left = saved && sentLeft(saved.changes)
  let reviewed = saved && [...saved.reviewed].map(([workspace, plan]) => sentReview(workspace, plan))
  const order = (kind: 'plan' | 'cycle', shown: Format): UnboundOrder => ({
    kind,
    ...about,
    show: showOf(values, shown, terminal),
    ...defined({ reviewed, left }),
  })
  if (asks) {
    // Standard output gets exactly one document, at the end.
    const asked = await daemon.ask(order('plan', isDocument ? 'text' : format), signal)
    if (isDocument) terminal.err(asked.out)
    else terminal.out(asked.out)
    terminal.err(asked.err)
    // Without a plan nobody has seen what would be written.
    if (asked.reviewed === undefined || (asked.question === undefined && allow.length === 0)) return asked.exit as ExitCode
    if (asked.question !== undefined && !(await agrees(asked.question, terminal, signal))) return exitCodes.refused
    reviewed = [...asked.reviewed]
  }
  return printAnswer(await daemon.ask(order('cycle', format), signal), terminal)
}

const takesPlan = 'apply takes a plan that plan --out has saved; without a file it makes a fresh plan'

/** A plan that `plan --out` saved, as `apply FILE` uses it. */
type ReviewedFile = {
  readonly workspaces: SavedWorkspaces
  readonly reviewed: ReadonlyMap<WorkspaceName, ReviewedPlan>
  /** Those that do not wait. */
  readonly changes: ReadonlyMap<WorkspaceName, readonly Change[]>
  /** Where it would be written. */
  readonly service: Service
}

/** @throws {UsageError} if the file is no saved plan */
async function readSavedPlan(file: string, terminal: Terminal, signal: AbortSignal): Promise<ReviewedFile> {
  const from = inputName(file)
  const read = await readInput(file, planBytesMax, terminal, signal)
  if ('why' in read) throw new UsageError(`${from}: ${read.why}`, { cure: takesPlan })
  const parsed = parsePlan(read.bytes.toString('utf8'))
  // A declaration or settings, as for `kubectl apply`.
  const cureOfText = /\.ya?ml$/i.test(file) ? takesPlan : undefined
  if (parsed.kind === 'unreadable') throw new UsageError(`${from} is not a saved plan: ${parsed.why}`, { cure: cureOfText ?? parsed.cure })
  const { workspaces } = parsed.plan
  return {
    workspaces: { from, names: new Set(workspaces.map(({ workspace }) => workspace)) },
    reviewed: new Map(
      workspaces.map(({ workspace, fingerprint, laterUntilMs, changes, waits }) => [
        workspace,
        { fingerprint, laterUntilMs, shown: shownIn(changes, waits) },
      ]),
    ),
    changes: new Map(workspaces.map(({ workspace, changes }) => [workspace, changes])),
    service: {
      host: workspaces[0]?.host ?? '',
      slugs: Object.fromEntries(workspaces.map(({ workspace, slug }) => [workspace, slug])),
    },
  }
}

type SavedWorkspace = Extract<ReturnType<typeof parsePlan>, { readonly kind: 'plan' }>['plan']['workspaces'][number]

const shownIn = (changes: SavedWorkspace['changes'], waits: SavedWorkspace['waits']): ReadonlyMap<string, Shown> =>
  new Map([...changes.map(({ id }) => [id, 'written'] as const), ...waits.map(({ id, reason }) => [id, shownAs(reason)] as const)])

/**
 * @param only the workspaces that are applied
 * @throws {UsageError} if the plan is about another service than the settings. It would be stale in any case; this says why
 */
function requireSameService(
  { workspaces: { from }, service }: ReviewedFile,
  settings: Settings,
  only: ReadonlySet<string> | undefined,
): void {
  const slugs = Object.entries(service.slugs).filter(([name]) => only?.has(name) !== false)
  const about = elsewhere({ host: service.host, slugs: Object.fromEntries(slugs) }, serviceOf(settings))
  if (about === undefined) return
  throw new UsageError(`${from} was saved for ${about}, as the settings name now`, {
    cure: 'apply it with the settings with which it was saved, or save a new plan: plan --out FILE',
  })
}
