import type { ChangeId } from '../../core/change.ts'
import type { Clock } from '../../core/clock.ts'
import { closedDoor } from '../../core/doors.ts'
import { errorText } from '../../core/errorText.ts'
import type { WorkspaceName } from '../../core/mapping.ts'
import { type Approval, type Approvals, isUsedUp } from '../../core/memory/approvals.ts'
import type { Memory } from '../../core/memory/memory.ts'
import { OperationalError } from '../../core/operationalError.ts'
import type { Plan } from '../../core/plan.ts'
import { momentText } from '../../core/quantity.ts'
import { visible } from '../../core/safeName.ts'
import type { Waiver } from '../../core/waiver.ts'
import type { CycleReport } from '../../cycle/cycleReport.ts'
import type { CycleOrder, OrderedCycle } from '../../daemon/orders.ts'
import type { Order, OrderAnswer, OrderShow } from '../../documents/daemonOrder.ts'
import { withdrawApproval } from '../../render/commandLine.ts'
import { capital } from '../../render/nextStep.ts'
import type { LoadedSettings } from '../../settings/load.ts'
import { elsewhere, serviceOf } from '../../settings/service.ts'
import { unmatchedText } from '../allowOption.ts'
import { exitCodes, type Terminal } from '../command.ts'
import { errorReport } from '../errorReport.ts'
import { exitCodeOfWriting } from '../exitCode.ts'
import { failuresText, renderReport } from '../render.ts'
import {
  judgedPlansOf,
  questionOf,
  reviewedBy,
  reviewOf,
  reviewSent,
  sentReview,
  writesOf,
  writtenBefore,
  writtenBeforeText,
} from '../reviewed.ts'
import { exitCodeOfRounds, failuresOfRounds, joined, nextRound, waivedIn } from '../rounds.ts'

type Running = Exclude<Order, { kind: 'withdraw' | 'record' | 'explain' | 'report' | 'doctor' | 'running' }>

type CycleOrderOptions = {
  readonly order: Running
  /** Those of the order, which are in force. */
  readonly approvals: readonly Approval[]
  /** Ends the approvals. */
  readonly takeBack: () => Promise<void>
  readonly account: string
  readonly answer: (answer: OrderAnswer) => Promise<void>
  readonly settings: () => LoadedSettings
  readonly isDryRun: boolean
  readonly terminal: Terminal
  readonly clock: Pick<Clock, 'now'>
  readonly memory: () => Memory
  /** Puts the order into the queue again at this time, epoch ms. */
  readonly again: (order: CycleOrder, untilMs: number) => void
}

/**
 * An order that needs a cycle: how its cycle differs from others, and its answer. Like the same command without a daemon, one that writes goes on until no
 * change is in quarantine, and is answered then.
 */
export function cycleOrder(options: CycleOrderOptions): CycleOrder {
  const { order, approvals, takeBack, account, answer, settings, isDryRun, terminal, clock, memory, again } = options
  const waivers = waiversOfOrder(order, account)
  const reports: CycleReport[] = []
  /** The text of each round. */
  const texts: string[] = []
  /** The changes that the first round showed. Later rounds write no others. */
  let expected: ReadonlySet<ChangeId> | undefined

  /** Answers with the rounds so far. */
  async function answerRounds(err: string, exit?: number): Promise<void> {
    const [first, ...rest] = reports
    if (first === undefined) return
    const rounds: Rounds = [first, ...rest]
    const theirs = terminalOf(order.show, terminal)
    const isText = order.show.format === 'text'
    const out = isText ? texts.join('') : shownReport(joined(rounds), order, terminal, clock.now())
    const failures = `${writtenBeforeText(first)}${unmatchedText(waivers, first)}${failuresOfRounds(rounds, theirs)}`
    await answer({ exit: exit ?? exitCodeOfRounds(rounds), out, err: `${approvalsText(approvals, memory())}${failures}${err}` })
  }

  const self: CycleOrder = {
    async begin(loaded) {
      // The settings may have changed since the order came.
      const only = workspacesToRun(order, loaded)
      const why = refusalOf(order, loaded, isDryRun) ?? (typeof only === 'string' ? only : undefined)
      if (why === undefined)
        return howOf(order, only as Exclude<typeof only, string>, [...waivers, ...reports.flatMap(waivedIn)], expected, memory)
      const { err, ...no } = refused(why)
      if (reports.length > 0) {
        await answerRounds(err, no.exit)
        return undefined
      }
      // An approval whose asker sees a refusal must let nothing pass.
      const inForce = await takeBack().then(
        () => '',
        (error: unknown) => `${approvalsText(approvals, memory())}It could not be ended: ${visible(errorText(error, ': '))}\n`,
      )
      await answer({ ...no, err: `${inForce}${err}` })
      return undefined
    },
    async ended(report) {
      if (order.kind !== 'plan') {
        reports.push(report)
        expected ??= new Set(judgedPlansOf(report).flatMap((plan) => [...writesOf(plan)]))
        const next = nextRound(reports as unknown as Rounds, memory())
        texts.push(shownReport(report, order, terminal, clock.now(), next !== undefined))
        return next === undefined ? await answerRounds('') : again(self, next.wait?.untilMs ?? clock.now())
      }
      const out = shownReport(report, order, terminal, clock.now())
      const err = `${approvalsText(approvals, memory())}${writtenBeforeText(report)}${unmatchedText(waivers, report)}${failuresText(report, terminalOf(order.show, terminal))}`
      const plans = judgedPlansOf(report)
      const question = questionOf(plans, settings().settings.roles)
      const reviewed = plans.map((plan) => sentReview(plan.workspace, reviewOf(plan)))
      await answer({ exit: exitCodeOfWriting(report), out, err, ...(question === undefined ? {} : { question }), reviewed })
    },
    async failed(error) {
      const { text, code } = errorReport(error)
      if (reports.length > 0) await answerRounds(text, code)
      else await answer({ exit: code, out: '', err: `${approvalsText(approvals, memory())}${text}` })
    },
    async stopped() {
      if (reports.length > 0) await answerRounds(stoppedSentence, exitCodes.failed)
      else await self.failed(notBegun())
    },
  }
  return self
}

type RefusedOrder = Pick<CycleOrderOptions, 'answer' | 'isDryRun'> & {
  readonly order: Order
  /** Carries the order out. */
  readonly take: () => Promise<void>
}

/**
 * An order that the settings in use refuse. They may be older than the files, so it waits for a cycle, which reads them again. It is then refused, or taken
 * like one that comes now.
 */
export function refusedOrder({ order, answer, isDryRun, take }: RefusedOrder): CycleOrder {
  const failed = async (error: unknown): Promise<void> => {
    const { text, code } = errorReport(error)
    await answer({ exit: code, out: '', err: text })
  }
  return {
    async begin(loaded) {
      const why = refusalOf(order, loaded, isDryRun)
      await (why === undefined ? take() : answer(refused(why)))
      return undefined
    },
    ended: async () => undefined,
    failed,
    stopped: () => failed(notBegun()),
  }
}

type Rounds = readonly [CycleReport, ...CycleReport[]]

const stoppedSentence =
  'The daemon ended while this order waited for a write of unknown outcome. Give the order again: it reads afresh and plans only what is missing.\n'

export const notBegun = () =>
  new OperationalError('OrderNotBegun', 'the daemon ends before the cycle of this order: nothing was written for it', {
    cure: 'the next daemon plans afresh; give the order again if it is still needed',
  })

const waiversOfOrder = (order: Running, account: string): readonly Waiver[] =>
  order.kind === 'approve' || order.allow.length === 0
    ? []
    : [{ ids: order.allow, by: order.by, account, untilMs: Number.POSITIVE_INFINITY, source: '--allow' }]

/** @param expected in a later round, the changes that the first one showed */
function howOf(
  order: Running,
  only: readonly WorkspaceName[] | undefined,
  waived: readonly Waiver[],
  expected: ReadonlySet<ChangeId> | undefined,
  memory: () => Memory,
): OrderedCycle {
  const reviewed = order.kind === 'approve' ? undefined : order.reviewed
  const sent = new Map(reviewed?.map((plan) => [plan.workspace, plan]))
  const seen = (plan: Plan) => {
    const reviewedPlan = sent.get(plan.workspace)
    return reviewedPlan && reviewSent(reviewedPlan, plan)
  }
  return {
    writes: order.kind !== 'plan',
    waived,
    ...(only === undefined ? {} : { only: new Set(only) }),
    ...(reviewed === undefined
      ? {}
      : {
          isApprovedBeforehand:
            expected === undefined ? reviewedBy(seen, waived) : (plan) => plan.changes.every(({ id }) => expected.has(id)),
          isWrittenBefore: writtenBefore(order.kind === 'approve' ? undefined : order.left, memory),
          horizonOf: (workspace) => sent.get(workspace)?.laterUntilMs,
        }),
  }
}

/** The report as the command that asked would show it. */
const shownReport = (
  report: CycleReport,
  { show, ...order }: Running,
  terminal: Terminal,
  nowMs: number,
  goesOn: boolean = false,
): string => {
  // Only an order with a file says what the plan of the file leaves.
  const isSaved = order.kind !== 'approve' && order.left !== undefined
  return renderReport(report, show.format, terminalOf(show, terminal), { all: show.all }, nowMs, { goesOn, isSaved })
}

/** The terminal of the command that asked. */
export const terminalOf = (show: OrderShow, terminal: Terminal): Terminal => ({
  ...terminal,
  env: show.colour ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' },
  columns: show.columns,
  isTerminal: { ...terminal.isTerminal, out: show.terminal },
})

/** What became of the approvals of an order, and how each that is in force is ended. */
export const approvalsText = (approvals: readonly Approval[], memory: Memory): string =>
  approvals.map((approval) => `${visible(approvalText(approval, memory.approvals))}\n`).join('')

function approvalText({ name, workspace, untilMs }: Approval, present: Approvals): string {
  const approval = present.find((candidate) => candidate.name === name)
  if (approval === undefined) return `Approved in ${workspace}; the approval has ended.`
  if (isUsedUp(approval)) return `Approved in ${workspace}; Plane has all of it now, so the approval is used up.`
  return `Approved in ${workspace} until ${momentText(untilMs)}. To end it earlier: ${withdrawApproval(name)}`
}

/** Why a daemon with these settings refuses an order, with the next step; undefined if it carries it out. */
export function refusalOf(order: Order, { settings }: LoadedSettings, isDryRun: boolean): string | undefined {
  const about = elsewhere(serviceOf(settings), order.service)
  if (about !== undefined)
    return `The daemon works with ${about}, as the settings of this command say. Name the settings of the daemon with --config, or give these settings a journal.folder of their own. After an edit of the settings, wait until the next cycle of the daemon ends.`
  // What makes less possible is always allowed, and so is what only answers.
  if (order.kind === 'withdraw' || order.kind === 'record' || order.kind === 'running') return undefined
  const given = order.kind === 'approve' ? order.approvals.flatMap(({ several = [] }) => several) : 'allow' in order ? order.allow : []
  if (settings.approvals === 'files-only' && (order.kind === 'approve' || given.length > 0)) {
    const { sentence, cure } = closedDoor(given)
    return `The daemon takes no approval: ${sentence}. ${capital(cure)}.`
  }
  const known = Object.keys(settings.workspaces) as WorkspaceName[]
  const asked = workspacesOf(order) ?? known
  const unknown = asked.find((name) => !known.includes(name))
  if (unknown !== undefined) return `The daemon has no workspace "${unknown}". It has ${known.join(', ')}.`
  const unnamed = workspacesOf(order)?.find((name) => !Object.hasOwn(order.service.slugs, name))
  if (unnamed !== undefined) return `The settings of this command have no workspace "${unnamed}".`
  if (order.kind === 'approve') {
    const foreign = order.approvals.find(({ workspace, words }) =>
      words?.changes.some((change) => 'key' in change && !change.key.startsWith(`${workspace}/`)),
    )
    if (foreign !== undefined)
      return `An approval for ${foreign.workspace} names a change of another workspace. Approve each workspace by itself.`
  }
  if (order.kind === 'plan' || order.kind === 'doctor' || order.kind === 'explain' || order.kind === 'report') return undefined
  if (isDryRun) return 'The daemon runs with --dry-run, so it writes nothing. Start it without --dry-run.'
  // It writes nothing by itself, and it may be given before the settings let its changes be written.
  if (order.kind === 'approve') return undefined
  const stops = asked.map((name) => stopOf(settings, name))
  const [first] = stops
  return first !== undefined && stops.every((stop) => stop !== undefined) ? first : undefined
}

/** The workspaces for which a daemon with these settings runs a cycle for an order; undefined: all. A sentence if it lacks some. */
export function workspacesToRun(
  order: Running | Extract<Order, { kind: 'doctor' }>,
  { settings }: LoadedSettings,
): readonly WorkspaceName[] | string | undefined {
  const named = workspacesOf(order)
  if (named !== undefined) return named
  const known = Object.keys(settings.workspaces)
  const asked = Object.keys(order.service.slugs)
  const lacking = asked.filter((name) => !known.includes(name))
  if (lacking.length > 0)
    return `The settings of this command have ${lacking.join(', ')}, and the daemon has only ${known.join(', ')}. --workspace names those that it has.`
  return asked.length === known.length ? undefined : (asked as WorkspaceName[])
}

function stopOf({ workspaces, suspend, policy }: LoadedSettings['settings'], name: WorkspaceName): string | undefined {
  const ownSettings = workspaces[name]
  if ((ownSettings?.suspend ?? suspend) === true)
    return `The settings suspend ${name}: nothing is written there. Remove "suspend" from the settings first.`
  if ((ownSettings?.policy ?? policy) === 'observe')
    return `The policy of ${name} is "observe": nothing is written there. Change "policy" in the settings first.`
  return undefined
}

export const refused = (why: string): OrderAnswer => ({ exit: exitCodes.refused, out: '', err: `${visible(why)}\n` })

/** The workspaces that an order names; undefined: all of its settings. */
function workspacesOf(order: Order): readonly WorkspaceName[] | undefined {
  if (order.kind === 'withdraw' || order.kind === 'record' || order.kind === 'running') return []
  if (order.kind === 'explain') return [order.workspace]
  return order.kind === 'approve' ? order.approvals.map(({ workspace }) => workspace) : order.only
}
