import { readFile } from 'node:fs/promises'
import type { ChangeId } from '../core/change.ts'
import type { WorkspaceName } from '../core/mapping.ts'
import type { Plan } from '../core/plan.ts'
import { parsePlan } from '../core/render/savedPlan.ts'
import { type Cycle, runCycle } from '../cycle.ts'
import type { CycleReport } from '../report.ts'
import { type Call, type Command, choice, exit, type Terminal, texts, UsageError } from './command.ts'
import { exitCode } from './exitCode.ts'
import { type Progress, progressOn } from './progress.ts'
import { formats, renderReport } from './render.ts'
import { waitOf, waitSentence } from './wait.ts'
import { waiversOf } from './waivers.ts'
import { openWriting } from './writing.ts'

export const command: Command = {
  summary: 'apply a fresh plan, or a saved one',
  takes: '[PLAN]',
  positionalsMax: 1,
  options: {
    yes: { type: 'boolean', short: 'y', describe: 'do not ask' },
    allow: { type: 'string', multiple: true, value: 'ID', describe: 'let this plan or change pass the guards, this once' },
    'no-wait': { type: 'boolean', describe: 'your word that nobody else has written in the last minutes' },
    format: { type: 'string', value: 'FORMAT', describe: 'text, json, markdown' },
  },
  async run({ values, positionals: [file], terminal, signal }) {
    const format = choice('format', values.format, formats, 'text')
    const asks = values.yes !== true
    if (asks && !terminal.isTerminal.in) throw new UsageError('apply asks before it writes, and nobody is here to answer: say --yes')
    const saved = file === undefined ? undefined : await savedPlan(file)
    const waivers = waiversOf(values, terminal.env)
    let progress: Progress | undefined
    await using open = await openWriting(values, terminal, {
      command: 'apply',
      waivers,
      noWait: values['no-wait'] === true,
      progress: (_result, done, total) => progress?.show(done, total),
    })
    const { now } = open.world.clock
    progress = progressOn(terminal, now, [...open.program.queues.values()])
    const print = (report: CycleReport): void => {
      progress?.end()
      terminal.out(renderReport(report, format, terminal, values, now()))
    }

    const only = onlyOf(values, saved)
    const base: Cycle = { ...open.cycle, ...(only === undefined ? {} : { only }) }
    const cycle = (agreed: Agreed | undefined, write: boolean) =>
      runCycle(
        open.program.sources,
        { ...base, ...(agreed === undefined ? {} : { agreed }) },
        write ? open.writing(open.program) : undefined,
        signal,
      )

    let agreed: Agreed | undefined = saved && ((plan) => saved.get(plan.workspace) === plan.fingerprint)
    if (asks) {
      const report = await cycle(agreed, false)
      print(report)
      const plans = plansOf(report)
      if (plans.length === 0) return exitCode(report)
      if (!(await agrees(plans, terminal, signal))) return exit.done
      const shown = new Map(plans.map(({ workspace, fingerprint }) => [workspace, fingerprint]))
      agreed = (plan) => shown.get(plan.workspace) === plan.fingerprint
    }

    let report = await cycle(agreed, true)
    print(report)
    // What waited for a fate to be settled is planned anew from a fresh read; never more than was agreed to.
    const expected = new Set(plansOf(report).flatMap(idsOf))
    const rest: Agreed | undefined = agreed && ((plan) => plan.changes.every(({ id }) => expected.has(id)))
    const waiting = () => waitOf(report, open.journal.memory())
    for (let wait = waiting(); wait !== undefined && !signal.aborted; wait = waiting()) {
      terminal.err(waitSentence(wait, now()))
      await open.world.clock.sleep(wait.untilMs - now() + 1, signal).catch(() => undefined)
      if (signal.aborted) return exit.failed
      report = await cycle(rest, true)
      print(report)
    }
    return signal.aborted ? exit.failed : exitCode(report)
  },
}

type Agreed = (plan: Plan) => boolean

async function savedPlan(file: string): Promise<ReadonlyMap<WorkspaceName, string>> {
  const parsed = parsePlan(await readFile(file, 'utf8'))
  if (parsed.is === 'unreadable') throw new UsageError(`${file} is not a saved plan: ${parsed.why}\n  ${parsed.cure}`)
  return new Map(parsed.plan.workspaces.map(({ workspace, fingerprint }) => [workspace, fingerprint]))
}

function onlyOf(values: Call['values'], saved: ReadonlyMap<WorkspaceName, string> | undefined): ReadonlySet<WorkspaceName> | undefined {
  const named = texts(values.workspace) as readonly WorkspaceName[]
  if (named.length > 0) return new Set(named)
  return saved && new Set(saved.keys())
}

/** Plans with something to write, now or after a wait. */
const plansOf = ({ workspaces }: CycleReport): readonly Plan[] =>
  workspaces.flatMap((one) => (one.is === 'judged' && one.verdict.approved && idsOf(one.verdict.plan).length > 0 ? [one.verdict.plan] : []))

const idsOf = ({ changes, holds }: Plan): readonly ChangeId[] => [
  ...changes.map(({ id }) => id),
  ...holds.flatMap(({ change, reason }) => (change !== undefined && reason.kind === 'quarantined' ? [change.id] : [])),
]

async function agrees(plans: readonly Plan[], terminal: Terminal, signal: AbortSignal): Promise<boolean> {
  const count = plans.reduce((sum, plan) => sum + idsOf(plan).length, 0)
  const answer = await terminal.ask(`Write ${count} ${count === 1 ? 'change' : 'changes'}? Only "yes" is a yes: `, signal)
  if (answer?.trim() === 'yes') return true
  terminal.err('Nothing was written.\n')
  return false
}
