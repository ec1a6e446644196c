import type { ChangeId } from '../core/change.ts'
import type { Waiver } from '../core/waiver.ts'
import { type Cycle, runCycle, type Writing } from '../cycle/cycle.ts'
import type { CycleReport } from '../cycle/report.ts'
import { type Command, choice, exitCodes, UsageError } from './command.ts'
import { exitCodeOfWriting } from './exitCode.ts'
import { failuresText } from './failures.ts'
import { formats } from './options.ts'
import { applyByDaemon } from './orders/applyByDaemon.ts'
import { runningDaemon } from './orders/askDaemon.ts'
import type { Progress } from './progress.ts'
import { progressOf } from './progressOf.ts'
import { renderReport } from './render.ts'
import { agrees, approvedPlansOf, questionOf, writesOf } from './review.ts'
import { type IsReviewed, reviewedBy, reviewOf } from './reviewed.ts'
import { exitCodeOfRounds, joined, untilSettled } from './rounds.ts'
import { readSavedPlan, requireSameService } from './savedPlan.ts'
import { openSettings } from './settings.ts'
import { unmatchedText, waiversOf } from './waivers.ts'
import { onlyWorkspaces } from './workspaces.ts'
import { openWriting } from './writing.ts'

export const command: Command = {
  async run({ values, positionals: [file], terminal, signal }) {
    const format = choice('format', values.format, formats, 'text')
    const isDocument = format !== 'text'
    const asks = values.yes !== true
    if (asks && !terminal.isTerminal.in)
      throw new UsageError('apply asks before it writes, but the input is not a terminal', { cure: 'add --yes to write without asking' })
    const saved = file === undefined ? undefined : await readSavedPlan(file, terminal, signal)
    const waivers = waiversOf(values, terminal.env)
    const loaded = await openSettings(values, terminal, signal)
    const daemon = await runningDaemon(loaded, values, terminal)
    if (daemon !== undefined) {
      const only = onlyWorkspaces(values, loaded.settings, saved?.workspaces)
      if (saved !== undefined) requireSameService(saved, loaded.settings, only)
      const allow = waivers.flatMap(({ ids }) => ids)
      return await applyByDaemon(daemon, { only, allow, saved: saved?.reviewed, asks }, { values, terminal, signal })
    }
    let shown: Progress | undefined
    const options = {
      loaded,
      command: 'apply',
      lockedAs: 'apply' as const,
      waivers,
      noWait: values['no-wait'] === true,
      progress: (...step: Parameters<Progress['step']>) => shown?.step(...step),
    }
    await using open = await openWriting(values, terminal, options, signal)
    const say = values.quiet === true ? () => undefined : terminal.err
    const { clock, ticker } = open.world
    using progress = progressOf(values, terminal, { program: () => open.program, clock: ticker, signal })
    shown = progress
    const { sources } = open.program
    const watched = { ...sources, directories: progress.watching(sources.directories) }
    const rendered = (report: CycleReport, as = format, goesOn = false) => renderReport(report, as, terminal, values, clock.now(), goesOn)

    const only = onlyWorkspaces(values, open.loaded.settings, saved?.workspaces)
    if (saved !== undefined) requireSameService(saved, open.loaded.settings, only)
    const base: Cycle = { ...open.cycle, ...(only === undefined ? {} : { only }) }
    // The waiver of a plan also covers what is left of the plan in the next rounds, at the guards that stopped the plan in the first one.
    const waived = new Set<Waiver>()
    const remember = (report: CycleReport) => {
      for (const waiver of waivedIn(report)) waived.add(waiver)
    }
    const cycle = async (agreed: IsReviewed | undefined, writing: Writing | undefined): Promise<CycleReport> => {
      const unchecked: Cycle = { ...base, waived: [...waived] }
      // This is no conditional spread, because there TypeScript accepts a property that `Cycle` does not have. A misspelt name would then let any
      // plan be written.
      const checked: Cycle = agreed === undefined ? unchecked : { ...unchecked, isApprovedBeforehand: agreed }
      open.world.cycle.begin()
      const report = await runCycle(watched, checked, writing, signal)
      open.world.cycle.end()
      return report
    }

    let first: CycleReport | undefined
    const sayUnmatched = (report: CycleReport) => {
      if (first === undefined) terminal.err(unmatchedText(waivers, report))
      first ??= report
    }
    let agreed: IsReviewed | undefined = saved && reviewedBy(({ workspace }) => saved.reviewed.get(workspace), waivers)
    if (asks) {
      const report = await cycle(agreed, undefined)
      remember(report)
      const plans = approvedPlansOf(report)
      const question = questionOf(plans, open.loaded.settings.roles)
      // Without changes there is no question. With a waiver the cycle still runs with a writer, so that the journal records the waiver.
      if (question === undefined && waivers.length === 0) {
        terminal.out(rendered(report))
        terminal.err(failuresText(report, terminal))
        return exitCodeOfWriting(report)
      }
      if (question !== undefined) {
        // Standard output gets exactly one document, at the end.
        if (isDocument) terminal.err(rendered(report, 'text'))
        else terminal.out(rendered(report))
        sayUnmatched(report)
        if (!(await agrees(question, terminal, signal))) {
          if (isDocument) terminal.out(rendered(report))
          return exitCodes.refused
        }
      }
      const seen = new Map(plans.map((plan) => [plan.workspace, reviewOf(plan)]))
      agreed = reviewedBy(({ workspace }) => seen.get(workspace), waivers)
    }

    // Later rounds write quarantined changes from a fresh read, but no change that the first round did not show.
    let expected: ReadonlySet<ChangeId> | undefined
    const rest: IsReviewed | undefined = agreed && ((plan) => plan.changes.every(({ id }) => expected?.has(id)))
    const round = async (number: number): Promise<CycleReport> => {
      const report = await cycle(number === 0 ? agreed : rest, open.writing(open.program))
      remember(report)
      expected ??= new Set(approvedPlansOf(report).flatMap((plan) => [...writesOf(plan)]))
      return report
    }
    const onRound = (report: CycleReport, goesOn: boolean) => {
      if (!isDocument) terminal.out(rendered(report, format, goesOn))
      sayUnmatched(report)
    }
    const reports = await untilSettled(round, { clock, memory: open.run.memory, say, pause: progress.pause, onRound }, signal)
    if (isDocument) terminal.out(rendered(joined(reports)))
    terminal.err(failuresText(joined(reports), terminal))
    return signal.aborted ? exitCodes.failed : exitCodeOfRounds(reports)
  },
}

const waivedIn = ({ workspaces }: CycleReport): readonly Waiver[] =>
  workspaces.flatMap((one) =>
    one.kind === 'judged' ? one.verdict.waived.filter(({ rememberedScope }) => rememberedScope !== undefined) : [],
  )
