import type { Delivery } from '../../compose/receiver.ts'
import type { SteadyClock } from '../../core/clock.ts'
import { counted, durationText } from '../../core/quantity.ts'
import { visible } from '../../core/safeName.ts'
import type { LineSink } from '../../log/line.ts'

/** A message for one receiver. `send` never shows its address. */
type Outgoing = { readonly receiver: string; readonly send: (signal: AbortSignal) => Promise<Delivery> }

type OutboxOptions = {
  readonly clock: SteadyClock
  readonly log: Pick<LineSink, 'warn' | 'debug'>
  readonly onResult: (result: 'sent' | 'dropped') => void
}

/** The messages that are not delivered yet. Nothing waits for them: neither a cycle nor an order. */
type Outbox = {
  put(message: Outgoing): void
  /** Waits for `stopWaitMs` at most, then drops the rest. */
  close(): Promise<void>
}

/** Messages that wait for one receiver. It gets one a cycle, and one that hangs takes about three minutes for each. */
const waitingMax = 20
/** The pauses before a message is sent again. A receiver may ask for a longer one. */
const pausesMs = [1_000, 5_000, 30_000, 120_000]
/** A receiver that asks for a longer pause gets nothing more of this message. */
const pauseMaxMs = 300_000
const stopWaitMs = 2_000

/** One message after another for each receiver, so that *over* never comes before what is over. Receivers do not wait for each other. */
export function openOutbox({ clock, log, onResult }: OutboxOptions): Outbox {
  const stop = new AbortController()
  const waiting = new Map<string, Outgoing[]>()
  const working = new Set<Promise<void>>()

  function drop(receiver: string, messages: number, why: string, defect: object = {}): void {
    for (let n = 0; n < messages; n++) onResult('dropped')
    log.warn({ event: 'notify', receiver, messages, ...defect }, visible(`${receiver}: ${counted(messages, 'message')} dropped: ${why}`))
  }

  async function deliver({ receiver, send }: Outgoing): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      const delivery = await send(stop.signal)
      if (delivery.kind === 'delivered') return onResult('sent')
      const { why } = delivery
      const pauseMs = pausesMs[attempt]
      if (delivery.kind === 'refused') return drop(receiver, 1, why)
      if (pauseMs === undefined) return drop(receiver, 1, `${why}; it was sent ${counted(attempt + 1, 'time')}`)
      const waitMs = Math.max(pauseMs, delivery.afterMs ?? 0)
      if (waitMs > pauseMaxMs) return drop(receiver, 1, `${why}, and asks to wait ${durationText(waitMs)}`)
      log.debug({ event: 'notify', receiver }, visible(`${receiver}: ${why}; it is sent again in ${durationText(waitMs)}`))
      await clock.sleep(waitMs, stop.signal)
    }
  }

  async function work(receiver: string, queue: Outgoing[]): Promise<void> {
    for (let message = queue[0]; message !== undefined; message = queue[0]) {
      try {
        await deliver(message)
      } catch (error) {
        if (stop.signal.aborted) break
        drop(receiver, 1, 'a defect of this program', { err: error })
      }
      queue.shift()
    }
    waiting.delete(receiver)
    if (queue.length > 0) drop(receiver, queue.length, 'the program ends')
  }

  return {
    put(message) {
      const { receiver } = message
      const queue = waiting.get(receiver)
      if (queue !== undefined && queue.length >= waitingMax) return drop(receiver, 1, `${waitingMax} others wait`)
      if (queue !== undefined) return void queue.push(message)
      const fresh = [message]
      waiting.set(receiver, fresh)
      const worker = work(receiver, fresh).finally(() => working.delete(worker))
      working.add(worker)
    },
    async close() {
      if (working.size === 0) return
      const done = new AbortController()
      const all = Promise.all(working).finally(() => done.abort())
      await Promise.race([all, clock.sleep(stopWaitMs, done.signal).catch(() => undefined)])
      stop.abort()
      await all
    },
  }
}
