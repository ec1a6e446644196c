import { complete } from '../compose/complete.ts'
import type { Program } from '../compose/compose.ts'
import type { ProgramEnvironment } from '../compose/environment.ts'
import { dateOf } from '../core/clock.ts'
import { visible } from '../core/safeName.ts'
import type { Cycle } from '../cycle/cycle.ts'
import { runDaemon } from '../daemon/daemon.ts'
import { openMetrics } from '../daemon/metrics.ts'
import type { Daemon } from '../daemon/parts.ts'
import { isLost } from '../journal/lost.ts'
import { watchOrders } from '../orders/watch.ts'
import type { LoadedSettings } from '../settings/load.ts'
import { serviceOf } from '../settings/service.ts'
import type { Terminal } from './command.ts'
import { openLeaving } from './leaveLast.ts'
import { openOrders } from './orders/openOrders.ts'
import type { OpenWriting } from './writing.ts'

type DaemonOptions = {
  readonly terminal: Terminal
  readonly cycle: Cycle
  readonly isDryRun: boolean
  readonly onRequest: (observe: NonNullable<ProgramEnvironment['observe']>) => void
  /** Called in every cycle with its program. */
  readonly onProgram: (program: Program) => void
}

/** Runs the daemon until `signal` fires, with its metrics, its orders, and what it leaves beside the journal. */
export async function startDaemon(
  open: OpenWriting,
  { terminal, cycle, isDryRun, onRequest, onProgram }: DaemonOptions,
  signal: AbortSignal,
): Promise<void> {
  const { loaded, world, run } = open
  const { log, clock } = world
  let program = open.program
  let inUse = loaded
  const metrics = openMetrics({
    version: terminal.version,
    node: terminal.node,
    queues: () => [...program.queues].map(([credential, queue]) => ({ credential, view: queue.view() })),
    dateOf: (atMs) => dateOf(clock, atMs),
    linesLost: terminal.errLosses.linesLost,
    onError: (error) => log.error({ event: 'metrics', err: error }, 'a metric could not be read'),
  })
  const { journal } = loaded.settings
  const folder = journal === 'none' ? undefined : loaded.path(journal.folder)
  const left =
    folder === undefined
      ? undefined
      : openLeaving({ folder, service: () => serviceOf(inUse.settings), disk: open.disk, run, terminal, log, clock })
  const { token } = run
  await using orders =
    folder === undefined || token === undefined || left === undefined
      ? undefined
      : openOrders({
          watch: (onOrder) =>
            watchOrders({ folder, run: token, clock, onOrder, onRefused: (why) => log.warn({ event: 'order' }, visible(why)) }),
          settings: () => inUse,
          run,
          left,
          isDryRun,
          terminal,
          clock,
          log,
        })
  await runDaemon(
    {
      loaded,
      program,
      onProgram: (next: Program, settings: LoadedSettings) => {
        program = next
        inUse = settings
        onProgram(next)
      },
      onRequest,
      world,
      metrics,
      cycle,
      markIdle: run.markIdle,
      bind: run.bind,
      isFinal: isLost,
      memory: run.memory,
      signals: terminal.signals,
      ...complete<Pick<Daemon, 'writing' | 'orders' | 'leave'>>({
        writing: isDryRun ? undefined : open.writing,
        orders,
        leave: left?.leave,
      }),
    },
    signal,
  )
}
