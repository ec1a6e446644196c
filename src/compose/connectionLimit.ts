import type { SteadyClock } from '../core/clock.ts'
import { NoAnswer, type Origin } from '../http/origin.ts'
import type { Semaphore } from '../http/semaphore.ts'
import type { Queue } from '../plane/rate/queue.ts'

/**
 * A queue whose requests, once the budget allows them, also wait for a free connection. After this wait the gate is called a last time. Only then the
 * deadline of the request begins. A stop ends the wait at once.
 */
export const queueWithConnectionLimit = (queue: Queue, turns: Semaphore, clock: Pick<SteadyClock, 'now'>): Queue => ({
  ...queue,
  enqueue: (turn, call, signal) => queue.enqueue(turn, () => inTurn(call, turns, clock, signal), signal),
})

/** The same for requests that use no queue: those for tokens. */
export const originWithConnectionLimit = (origin: Origin, turns: Semaphore, clock: Pick<SteadyClock, 'now'>): Origin => ({
  ...origin,
  request: (wanted, signal) => inTurn(() => origin.request(wanted, signal), turns, clock, signal),
})

async function inTurn<T>(work: () => Promise<T>, turns: Semaphore, { now }: Pick<SteadyClock, 'now'>, signal: AbortSignal): Promise<T> {
  const end = await turns.take(signal).catch((error: unknown) => {
    throw new NoAnswer('aborted', false, now(), 'given up while it waited for a connection', error)
  })
  try {
    return await work()
  } finally {
    end()
  }
}
