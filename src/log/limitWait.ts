import type { SteadyClock } from '../core/clock.ts'
import { counted, durationText } from '../core/quantity.ts'
import { visible } from '../core/safeName.ts'
import type { LineSink } from './line.ts'

/** One credential's budget, and how many requests wait for it. */
export type WaitingQueue = {
  view(): {
    /** How many requests wait. */
    readonly length: number
    readonly waitMs: number
    readonly windowMs: number
    readonly limit: number
    readonly used: number
    readonly others: number
    /** Plane asked for the present wait. Then the number of requests that it counts is unknown. */
    readonly asked?: AskedWait | undefined
  }
}

/**
 * Since `sinceMs` every answer has asked to wait, the last one until `untilMs`. `status`: of this answer, if it is known. `text`: Plane's words in it, without
 * secrets; may be empty.
 */
type AskedWait = {
  readonly sinceMs: number
  readonly untilMs: number
  readonly status: number | undefined
  readonly text: string
  readonly cure: string
}

type Queues = ReadonlyMap<string, WaitingQueue>

/** The longest wait of all requests that wait, in ms, and why, as a part of a line. Undefined if none waits for at least `leastMs`. */
export function longestWait(queues: Queues, leastMs: number): { readonly ms: number; readonly why: string } | undefined {
  const waiting = [...queues]
    .map(([name, queue]) => ({ name, ...queue.view() }))
    .filter(({ length, waitMs }) => length > 0 && waitMs >= leastMs)
  const [longest] = waiting.toSorted((a, b) => b.waitMs - a.waitMs)
  if (longest === undefined) return undefined
  const whose = queues.size > 1 ? ` of "${visible(longest.name)}"` : ''
  const why = longest.asked === undefined ? `rate limit${whose}: ${usageText(longest)}` : `${usageText(longest)}${whose}`
  return { ms: longest.waitMs, why }
}

/** Why a request waits for the budget: `54 of 60 are used`, `Plane answered 429`. */
export function usageText({
  limit,
  used,
  others,
  asked,
}: Pick<ReturnType<WaitingQueue['view']>, 'limit' | 'used' | 'others' | 'asked'>): string {
  if (asked !== undefined) return askedText(asked)
  return Math.round(others) > 0
    ? `earlier commands and others use ${Math.round(others)} of ${limit}`
    : `${used} of ${limit} ${used === 1 ? 'is' : 'are'} used`
}

function askedText({ status }: AskedWait): string {
  if (status === undefined) return 'Plane asked to wait'
  return status < 400 ? 'Plane reports that a quota is spent' : `Plane answered ${status}`
}

/** Shorter waits that Plane asked for are not logged. */
const askedLeastMs = 15_000
const lookMs = 5_000

/**
 * Logs the longer waits that Plane asked for: each status once for each credential, until Plane has not asked for such a wait for one window. Dispose it
 * to stop.
 *
 * @param queues the queues by credential. It is called at every look, because a reload may change them
 */
export function logAskedWaits(queues: () => Queues, log: Pick<LineSink, 'warn'>, clock: SteadyClock): Disposable {
  const logged = new Map<string, { readonly statuses: ReadonlySet<number | undefined>; readonly lastMs: number }>()

  return everyMs(lookMs, clock, (nowMs) => {
    for (const [name, queue] of queues()) {
      const { length, waitMs, windowMs, asked } = queue.view()
      const before = logged.get(name)
      if (length === 0 || asked === undefined || asked.untilMs - asked.sinceMs < askedLeastMs) {
        if (before !== undefined && nowMs - before.lastMs >= windowMs) logged.delete(name)
        continue
      }
      const { status, text, cure } = asked
      const statuses = before?.statuses ?? new Set()
      logged.set(name, { statuses: new Set([...statuses, status]), lastMs: nowMs })
      if (statuses.has(status)) continue
      const said = `${askedText(asked)}${text === '' ? '' : ` (${text})`}`
      const wait = `${counted(length, 'request')} ${length === 1 ? 'waits' : 'wait'} for ${durationText(Math.ceil(waitMs / 1000) * 1000)}`
      log.warn({ event: 'wait', credential: name, status, waitMs }, visible(`credential "${name}": ${said}: ${wait}; ${cure}`))
    }
  })
}

/** Calls `look` again and again. Dispose it to stop. */
export function everyMs(pauseMs: number, clock: SteadyClock, look: (nowMs: number) => void): Disposable {
  const over = new AbortController()
  const watch = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(pauseMs, over.signal)
      look(clock.now())
    }
  }
  // Disposing interrupts the sleep, which rejects.
  watch().catch(() => undefined)
  return { [Symbol.dispose]: () => over.abort() }
}
