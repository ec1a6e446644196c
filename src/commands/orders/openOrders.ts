import { randomUUID } from 'node:crypto'
import type { Clock } from '../../core/clock.ts'
import { errorText } from '../../core/errorText.ts'
import type { WorkspaceName } from '../../core/mapping.ts'
import { type Approval, isUsedUp } from '../../core/memory/approvals.ts'
import { counted, momentText } from '../../core/quantity.ts'
import { visible } from '../../core/safeName.ts'
import type { WaiverWords } from '../../core/waiverWords.ts'
import type { CycleOrder, OrderQueue } from '../../daemon/orders.ts'
import { type Order, type OrderAnswer, orderSchema, type RunningAnswer } from '../../documents/daemonOrder.ts'
import type { LineSink } from '../../log/line.ts'
import type { TakenOrder } from '../../orders/watch.ts'
import { approvablesOf, type WaitingPlan, wordsOf } from '../../render/approvable.ts'
import type { LoadedSettings } from '../../settings/load.ts'
import { elsewhere, serviceOf } from '../../settings/service.ts'
import { exitCodes, type Terminal } from '../command.ts'
import type { JournalledRun } from '../journal.ts'
import type { openLeaving } from '../leaveLast.ts'
import { approvalsText, cycleOrder, refusalOf, refused, refusedOrder } from './cycleOrder.ts'
import { doctorOrder, type Examine } from './doctorOrder.ts'
import type { ReadOrder } from './readOrders.ts'

type OrdersOptions = {
  /** Starts to watch for orders. Its disposal ends that. */
  readonly watch: (onOrder: (taken: TakenOrder) => void) => AsyncDisposable
  /** The settings in use. */
  readonly settings: () => LoadedSettings
  readonly run: Pick<JournalledRun, 'append' | 'memory' | 'run'>
  readonly left: Pick<ReturnType<typeof openLeaving>, 'plans' | 'leaveApprovals'>
  readonly isDryRun: boolean
  /** Answers from what the last cycles have read. */
  readonly answerRead: (order: ReadOrder) => Promise<OrderAnswer>
  readonly examine: Examine
  /** What the present cycle does; undefined while none runs. */
  readonly running: () => RunningAnswer['running']
  readonly terminal: Terminal
  readonly clock: Clock
  readonly log: Pick<LineSink, 'info' | 'warn'>
}

/** The most approvals in force. Each plan is compared with all of them. */
const approvalsMax = 1_000

/**
 * The orders that commands hand to this daemon. Approvals are in the journal as soon as they come, also during a cycle; all else waits for a cycle of its
 * own, and so does what the settings in use refuse.
 */
export function openOrders(options: OrdersOptions): OrderQueue & AsyncDisposable {
  const { settings, run, left, isDryRun, clock, log } = options
  const waiting: CycleOrder[] = []
  const nonces = new WeakMap<CycleOrder, string>()
  /** The order whose cycle began last. `began`: when. */
  let current: { readonly nonce: string | undefined; readonly began: string | undefined } | undefined
  let fire = () => {}

  async function take(taken: TakenOrder): Promise<void> {
    const { scrub } = options.terminal.secrets
    const answer = async ({ out, err, ...more }: OrderAnswer): Promise<void> => {
      // The command that asked need not know the secrets of this daemon, so it cannot remove them. It may have ended meanwhile.
      await taken.answer({ ...more, out: scrub(out), err: scrub(err) }).catch((error: unknown) => {
        log.warn({ event: 'order' }, `the answer to an order could not be written: ${visible(errorText(error, ': '))}`)
      })
    }
    const read = orderSchema.safeParse(taken.order)
    if (!read.success) {
      const [issue] = read.error.issues
      const place = issue === undefined || issue.path.length === 0 ? '' : ` ("${issue.path.join('.')}": ${issue.message})`
      return answer(
        refused(`The daemon does not understand this order${place}. Use the version of the daemon: ${options.terminal.version}.`),
      )
    }
    const order = read.data as Order
    // It is asked again and again, so it is not logged.
    if (order.kind === 'running') return answer(answerRunning(order))
    log.info({ event: 'order', order: order.kind, by: by(order, taken) }, `an order came from ${visible(by(order, taken))}: ${order.kind}`)
    if (refusalOf(order, settings(), isDryRun) === undefined) return carryOut(order, taken, answer)
    waiting.push(refusedOrder({ order, answer, isDryRun, take: () => carryOut(order, taken, answer) }))
    fire()
  }

  function answerRunning({ order, service }: RunningOrder): OrderAnswer {
    const about = elsewhere(serviceOf(settings().settings), service)
    if (about !== undefined) return refused(`The daemon works with ${about}, as the settings of this command say.`)
    const running = options.running()
    const isOfOrder = running !== undefined && order !== undefined && current?.nonce === order && current.began === running.began
    return { exit: exitCodes.done, out: JSON.stringify({ running, isOfOrder } satisfies RunningAnswer), err: '' }
  }

  function add(order: CycleOrder, { nonce }: TakenOrder): void {
    nonces.set(order, nonce)
    waiting.push(order)
    fire()
  }

  async function carryOut(
    order: Exclude<Order, RunningOrder>,
    taken: TakenOrder,
    answer: (answer: OrderAnswer) => Promise<void>,
  ): Promise<void> {
    const approvals: Approval[] = []
    try {
      if (order.kind === 'withdraw') return await answer(await withdraw(order, taken))
      if (order.kind === 'record' || order.kind === 'explain' || order.kind === 'report')
        return await answer(await options.answerRead(order))
      if (order.kind === 'doctor') {
        return add(doctorOrder({ order, answer, isDryRun, examine: options.examine }), taken)
      }
      if (order.kind === 'approve') {
        const without = await approve(order, taken, approvals)
        if (without !== undefined) return await answer(refused(without))
      }
      const takeBack = async () => {
        for (const { name } of approvals)
          await run.append({ ...stamp(), kind: 'withdrawal', approval: name, by: order.by, account: taken.account })
        await left.leaveApprovals()
      }
      add(cycleOrder({ ...options, order, approvals, takeBack, account: taken.account, answer, memory: run.memory, again }), taken)
    } catch (error) {
      await answer({
        exit: exitCodes.failed,
        out: '',
        err: `${approvalsText(approvals, run.memory())}${visible(errorText(error, ': '))}\n`,
      })
    }
  }

  const ending = new AbortController()
  const waits = new Set<Promise<void>>()
  /** Puts the order into the queue again at `untilMs`, or when the queue ends. */
  function again(order: CycleOrder, untilMs: number): void {
    const wait = requeued(order, untilMs).finally(() => waits.delete(wait))
    waits.add(wait)
  }

  async function requeued(order: CycleOrder, untilMs: number): Promise<void> {
    await clock.sleep(Math.max(0, untilMs - clock.now()) + 1, ending.signal).catch(() => undefined)
    waiting.push(order)
    fire()
  }

  const stamp = () => ({ atMs: clock.now(), run: run.run })

  /**
   * Adds the approvals to the journal. They count from then on. `inForce` gets each of them when it is there.
   *
   * @returns why none is added; undefined if all are
   */
  async function approve(
    order: Extract<Order, { kind: 'approve' }>,
    { account }: TakenOrder,
    inForce: Approval[],
  ): Promise<string | undefined> {
    const expanded = expandApprovals(order.approvals, await left.plans())
    if (typeof expanded === 'string') return expanded
    const fromMs = clock.wall()
    const open = run.memory().approvals.filter(({ untilMs }) => fromMs < untilMs).length
    if (open + expanded.length > approvalsMax)
      throw new Error(`there are ${counted(open, 'approval')} already; at most ${approvalsMax} can be in force`)
    const { reason, by, forMs } = order
    for (const passing of expanded) {
      const approval: Approval = {
        name: randomUUID().replaceAll('-', ''),
        ...passing,
        by,
        account,
        reason,
        fromMs,
        untilMs: fromMs + forMs,
      }
      await run.append({ ...stamp(), kind: 'approval', approval })
      inForce.push(approval)
    }
    await left.leaveApprovals()
    return undefined
  }

  async function withdraw({ approval, by, service }: Extract<Order, { kind: 'withdraw' }>, { account }: TakenOrder): Promise<OrderAnswer> {
    const approvalInForce = run
      .memory()
      .approvals.find(({ name, workspace }) => name === approval && Object.hasOwn(service.slugs, workspace))
    if (approvalInForce === undefined || isUsedUp(approvalInForce) || approvalInForce.untilMs <= clock.wall())
      return refused(`No approval in force is called ${approval}: it ended, or its changes are written. status shows those in force.`)
    await run.append({ ...stamp(), kind: 'withdrawal', approval, by, account })
    await left.leaveApprovals()
    const text = `The approval ${approval} of ${approvalInForce.by} for ${approvalInForce.workspace} has ended. It would have lasted until ${momentText(approvalInForce.untilMs)}.`
    return { exit: exitCodes.done, out: `${visible(text)}\n`, err: '' }
  }

  const takes = new Set<Promise<void>>()
  const watched = options.watch((taken) => {
    const taking = take(taken).finally(() => takes.delete(taking))
    takes.add(taking)
  })
  return {
    onOrder(ring) {
      fire = ring
      if (waiting.length > 0) fire()
    },
    next() {
      const order = waiting.shift()
      current = { nonce: order && nonces.get(order), began: options.running()?.began }
      return order
    },
    hasMore: () => waiting.length > 0,
    async [Symbol.asyncDispose]() {
      await watched[Symbol.asyncDispose]()
      // An order that is taken now may still join those that wait.
      await Promise.allSettled(takes)
      ending.abort()
      await Promise.allSettled(waits)
      for (const order of waiting.splice(0)) await order.stopped()
    },
  }
}

/** Who gave an order: the name is a claim, the account is not. */
const by = (order: Exclude<Order, RunningOrder>, { account }: TakenOrder): string => `${order.by} (${account})`

type RunningOrder = Extract<Order, { kind: 'running' }>
type Ordered = Extract<Order, { kind: 'approve' }>['approvals'][number]

/** What one approval lets pass. */
type Expanded = { readonly workspace: WorkspaceName; readonly words?: WaiverWords; readonly passes: readonly string[] }

/**
 * The approvals of an order, each with exact words. An approval of a set or a plan only names it: the daemon has made the plan, and knows its
 * changes. So an order has room for a plan of any size.
 *
 * @param plans what the daemon left after its last cycle
 * @returns a sentence if a set or a plan is not there any more
 */
function expandApprovals(approvals: readonly Ordered[], plans: readonly WaitingPlan[]): readonly Expanded[] | string {
  const each = approvals.map((approval) => expanded(approval, plans))
  return each.find((result) => typeof result === 'string') ?? each.flatMap((result) => (typeof result === 'string' ? [] : result))
}

function expanded({ workspace, several: id, words, passes }: Ordered, plans: readonly WaitingPlan[]): readonly Expanded[] | string {
  if (id === undefined) return [{ workspace, passes, ...(words === undefined ? {} : { words: words as WaiverWords }) }]
  const plan = plans.find((candidate) => candidate.workspace === workspace)
  const approvables = plan && approvablesOf(plan, id)
  if (approvables === 'incomplete')
    return `The daemon does not have all changes that ${id} approves yet. Wait until its next cycle ends, then approve it again.`
  const allWords = (approvables ?? []).flatMap((approvable) => (approvable.kind === 'words' ? [wordsOf(approvable)] : []))
  return allWords.length > 0
    ? allWords.map((exactWords) => ({ workspace, words: exactWords, passes: [] }))
    : `What ${id} approves in ${workspace} does not wait any more: the daemon has made another plan since. "plane-group-sync status" shows the IDs that wait now.`
}
