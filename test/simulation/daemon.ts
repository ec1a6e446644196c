import { EventEmitter } from 'node:events'
import type { Terminal } from '../../src/commands/command.ts'
import type { JournalledRun } from '../../src/commands/journal.ts'
import { openOrders } from '../../src/commands/orders/openOrders.ts'
import type { Program } from '../../src/compose/compose.ts'
import type { Clock } from '../../src/core/clock.ts'
import type { Writing } from '../../src/cycle/cycle.ts'
import type { CycleReport } from '../../src/cycle/cycleReport.ts'
import { cycleOnce } from '../../src/daemon/cycles.ts'
import { openTriggers, runLoop } from '../../src/daemon/loop.ts'
import { heldUntilMs } from '../../src/daemon/nextRuns.ts'
import { type CycleOrder, type OrderQueue, openWholeReport } from '../../src/daemon/orders.ts'
import type { Order, OrderAnswer } from '../../src/documents/daemonOrder.ts'
import { watchOrders } from '../../src/orders/watch.ts'
import type { LoadedSettings } from '../../src/settings/load.ts'
import type { ClockOf } from './network.ts'
import type { Mount } from './ordersDisk.ts'
import { sleep } from './sleep.ts'
import type { Time } from './time.ts'
import type { Happened } from './trace.ts'

type Parts = {
  readonly number: number
  readonly loaded: LoadedSettings
  readonly program: Program
  readonly write: () => Writing
  readonly run: JournalledRun
  readonly clock: Clock & ClockOf
  readonly time: Time
  readonly trace: (event: Happened) => void
  readonly port: <T>(work: () => Promise<T>) => Promise<T>
  readonly random: () => number
  readonly intervalMs: () => number
  /** The folder of the journal, as `src/orders` sees it; absent: nobody hands orders over. */
  readonly mount?: Mount
  /** A cycle has ended. @param isStored whether the journal has what it read */
  readonly ended: (report: CycleReport, isStored: boolean) => void
  readonly threw: (error: unknown) => void
}

/** Runs the daemon (`src/daemon/daemon.ts`) without its parts for HTTP, metrics and edits of the settings: the loop, the orders and their cycles. */
export async function runSimulatedDaemon(parts: Parts, signal: AbortSignal): Promise<void> {
  const { number, loaded, program, write, run, clock, time, trace, ended, threw, random, intervalMs } = parts
  const triggers = openTriggers()
  await using orders = parts.mount === undefined || run.token === undefined ? undefined : ordersOf(parts, parts.mount, run.token)
  orders?.onOrder(() => triggers.fire('order'))
  const daemon = {
    metrics: { expect: () => undefined } as never,
    onProgram: () => undefined,
    cycle: { now: clock.now, wall: clock.wall, memory: run.memory, rebind: run.rebind },
    writing: write,
    markIdle: run.markIdle,
    ...(orders === undefined ? {} : { orders }),
  }
  const configuration = {
    refresh: async () => undefined,
    loaded: () => loaded,
    program: () => program,
    declaration: program.sources.declaration,
  }
  const reports = { onReport: (report: CycleReport) => ended(report, true), wholeReport: openWholeReport(), leave: async () => undefined }
  await runLoop<CycleReport>(
    {
      async cycle(why, stop) {
        if (why !== 'order') trace({ atMs: time.now(), is: 'cycle', process: number })
        try {
          return await cycleOnce(daemon, configuration, reports, why, stop)
        } finally {
          if (orders?.hasMore() === true) triggers.fire('order')
        }
      },
      clock,
      triggers,
      random,
      jitterMs: () => 10_000,
      nextTickMs: (afterMs) => (Math.floor(afterMs / intervalMs()) + 1) * intervalMs(),
      heldUntilMs,
      nextDateMs: (report) => report.nextDateMs,
      onError: threw,
    },
    signal,
  )
}

function ordersOf(
  { number, loaded, run, clock, time, trace, port, ended }: Parts,
  mount: Mount,
  token: string,
): OrderQueue & AsyncDisposable {
  /** The order of the present cycle is being answered. */
  let isAnswering = false
  const queue = openOrders({
    watch: (onOrder) =>
      watchOrders({
        folder: mount.path,
        run: token,
        clock: { now: clock.now, sleep: (ms, signal) => port(() => lookLater(mount, time, clock.trueMs(ms), signal)) },
        onOrder(taken) {
          const order = taken.order as Exclude<Order, { kind: 'running' }>
          const untilMs = order.kind === 'approve' ? { untilMs: clock.wall() + order.forMs } : {}
          trace({ atMs: time.now(), is: 'took', process: number, order: order.by, ...untilMs })
          const answer = (value: unknown) => {
            const { exit } = value as OrderAnswer
            trace({ atMs: time.now(), is: 'answers', process: number, order: order.by, ofCycle: isAnswering, exit })
            return taken.answer(value)
          }
          onOrder({ ...taken, account: 'operator', answer })
        },
        onRefused: () => undefined,
      }),
    examine: async () => [],
    running: () => undefined,
    settings: () => loaded,
    run,
    // No order of a person here names a whole plan, so no document is left for it.
    left: { plans: async () => [], leaveApprovals: async () => undefined },
    isDryRun: false,
    answerRead: async () => ({ exit: 1, out: '', err: 'no asker of this world asks for what was read\n' }),
    terminal,
    clock,
    log: { info: () => undefined, warn: () => undefined },
  })
  async function answering(answer: () => Promise<void>): Promise<void> {
    isAnswering = true
    const answered = answer()
    isAnswering = false
    await answered
  }
  const heard = (order: CycleOrder): CycleOrder => {
    let writes = true
    return {
      async begin(settings) {
        const how = await order.begin(settings)
        if (how === undefined) return undefined
        writes = how.writes
        trace({ atMs: time.now(), is: 'cycle', process: number, isOrdered: true })
        return how
      },
      async ended(report) {
        if (!writes) ended(report, false)
        await answering(() => order.ended(report))
      },
      failed: (error) => answering(() => order.failed(error)),
      stopped: () => answering(() => order.stopped()),
    }
  }
  return {
    ...queue,
    next() {
      const order = queue.next()
      return order === undefined ? undefined : heard(order)
    },
  }
}

/** A look at an empty folder changes nothing. So the daemon looks once a second only while the folder has a file. */
async function lookLater(mount: Mount, time: Time, everyMs: number, signal: AbortSignal): Promise<void> {
  const beganMs = time.now()
  if (!mount.isEmpty()) return await sleep(time, everyMs, signal)
  await mount.filled(signal)
  const looks = Math.floor((time.now() - beganMs) / everyMs) + 1
  await sleep(time, beganMs + looks * everyMs - time.now(), signal)
}

const unused = (): never => {
  throw new Error('a daemon does not use this')
}
/** The terminal of a daemon: an answer is shown as the asker's terminal would show it. */
const terminal: Terminal = {
  secrets: { add: () => undefined, scrub: (text) => text },
  ...{ env: {}, version: 'simulated', node: 'simulated', columns: 100, liveLine: undefined },
  ...{ out: () => undefined, err: () => undefined, errStream: process.stderr },
  errLosses: { linesLost: () => 0, onRecovery: () => undefined },
  isTerminal: { in: false, out: false, err: false },
  ...{ inStream: unused, ask: unused },
  processes: { pid: 1, isAlive: () => true },
  signals: new EventEmitter(),
}
