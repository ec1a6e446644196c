import { stat } from 'node:fs/promises'
import { realClock } from '../../compose/realClock.ts'
import type { SteadyClock } from '../../core/clock.ts'
import type { Service } from '../../core/memory/entry.ts'
import { type Order, orderAnswerSchema, type RunningAnswer, runningAnswerSchema } from '../../documents/daemonOrder.ts'
import type { LiveLine } from '../../log/liveLine.ts'
import { submitOrder } from '../../orders/hand.ts'
import { ordersPath } from '../../orders/orderFiles.ts'
import { orderText } from '../../render/runningText.ts'

/** The daemon that is asked. `token`: of its lock. */
type AskedDaemon = { readonly folder: string; readonly token: string; readonly service: Service }

/** Most answers come within a second: the daemon looks for orders twice in this time. */
const answerMaxMs = 3_000
const lookMs = 50

/**
 * Asks a daemon what its cycle does now. The daemon answers from its memory, also while its cycle waits or writes.
 *
 * @param order the nonce of an order of the same asker
 * @returns undefined if there is no answer within 3 s: the daemon is of an older version, or this account may not give it orders
 */
export async function askRunning(
  { folder, token, service }: AskedDaemon,
  order: string | undefined,
  signal: AbortSignal,
): Promise<RunningAnswer | undefined> {
  // A command that only asks must not make the folder: it would belong to another account than that of the daemon.
  const isThere = await stat(ordersPath(folder)).then(
    (stats) => stats.isDirectory(),
    () => false,
  )
  if (!isThere) return undefined
  const asked: Order = { kind: 'running', service, ...(order === undefined ? {} : { order }) }
  const until = AbortSignal.any([signal, AbortSignal.timeout(answerMaxMs)])
  const handed = await submitOrder(asked, { folder, run: token, clock: realClock, holder: async () => token, stepMs: lookMs }, until)
  const answer = handed.kind === 'answered' ? orderAnswerSchema.safeParse(handed.answer).data : undefined
  if (answer === undefined || answer.out === '') return undefined
  try {
    return runningAnswerSchema.safeParse(JSON.parse(answer.out)).data
  } catch {
    return undefined
  }
}

type Following = {
  /** The line of the terminal; undefined if standard error cannot draw one. */
  readonly line: LiveLine | undefined
  /** Writes a line where none can be drawn; undefined: nothing is said. */
  readonly say: ((sentence: string) => void) | undefined
  readonly clock: SteadyClock
  readonly ask: (signal: AbortSignal) => Promise<RunningAnswer | undefined>
}

/** The daemon is asked again after this time where a line is drawn, and where lines are said. */
const drawnEveryMs = 1_000
const saidEveryMs = 30_000

/** Shows the cycle for which an order waits, and then the order's own cycle, until it is disposed. */
export function followCycle({ line, say, clock, ask }: Following): AsyncDisposable {
  const over = new AbortController()
  const follow = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const answer = await ask(over.signal)
      if (over.signal.aborted) return
      const { running, isOfOrder = false } = answer ?? {}
      if (running === undefined) line?.hide()
      else if (line !== undefined) line.show((columns) => orderText(running, isOfOrder, columns))
      else say?.(orderText(running, isOfOrder, Number.POSITIVE_INFINITY))
      await clock.sleep(line === undefined ? saidEveryMs : drawnEveryMs, over.signal)
    }
  }
  // Disposing interrupts the sleep, which rejects.
  const following = line === undefined && say === undefined ? undefined : follow().catch(() => undefined)
  return {
    async [Symbol.asyncDispose]() {
      over.abort()
      line?.hide()
      await following
    },
  }
}
