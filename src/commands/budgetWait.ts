import type { SteadyClock } from '../core/clock.ts'

/** One credential's budget, and how many requests wait for it. */
export type Waited = {
  view(): {
    readonly length: number
    readonly waitMs: number
    readonly limit: number
    readonly used: number
    readonly others: number
    /** The service asked to wait. Then the number of requests that it counts is unknown. */
    readonly isBlocked: boolean
  }
}

type SayingWaits = {
  /** Returns the queues by credential. It is called at every check, because a reload may change the queues. */
  readonly queues: () => ReadonlyMap<string, Waited>
  readonly clock: SteadyClock
  readonly say: (sentence: string) => void
}

const lookMs = 500
/** Shorter waits are not reported. */
const patienceMs = 2_000
/**
 * The pause between two sentences about one credential. If the limit is reached, nearly every request has to wait. Without this pause each of
 * these waits would be reported.
 */
const quietMs = 10_000

type Wait = { readonly fromMs: number; readonly untilMs: number; readonly said: boolean }

/** Reports each longer wait for a rate limit once, with its length and credential. Dispose it to stop. */
export function sayBudgetWaits({ queues, clock, say }: SayingWaits): Disposable {
  const over = new AbortController()
  const waits = new Map<string, Wait>()
  const saidMs = new Map<string, number>()

  function look(nowMs: number): void {
    for (const [name, queue] of queues()) {
      const { length, waitMs, ...budget } = queue.view()
      if (length === 0 || waitMs === 0) {
        waits.delete(name)
        continue
      }
      const untilMs = nowMs + waitMs
      const known = waits.get(name)
      // A wait whose end has moved to a later time counts as a new wait.
      const wait = known === undefined || untilMs > known.untilMs + lookMs ? { fromMs: nowMs, untilMs, said: false } : known
      const isDue = !wait.said && nowMs - wait.fromMs >= patienceMs && nowMs - (saidMs.get(name) ?? Number.NEGATIVE_INFINITY) >= quietMs
      waits.set(name, { ...wait, said: wait.said || isDue })
      if (!isDue) continue
      saidMs.set(name, nowMs)
      say(budgetWaitSentence(name, waitMs, budget))
    }
  }

  async function watch(): Promise<void> {
    for (;;) {
      await clock.sleep(lookMs, over.signal)
      look(clock.now())
    }
  }
  // Disposing interrupts the sleep, which rejects.
  watch().catch(() => undefined)
  return { [Symbol.dispose]: () => over.abort() }
}

export type Usage = Omit<ReturnType<Waited['view']>, 'length' | 'waitMs'>

export function usageText({ limit, used, others, isBlocked }: Usage): string {
  if (isBlocked) return 'the service asked to wait'
  return Math.round(others) > 0 ? `others use ${Math.round(others)} of ${limit}` : `${used} of ${limit} ${used === 1 ? 'is' : 'are'} used`
}

function budgetWaitSentence(name: string, waitMs: number, usage: Usage) {
  const whose = usageText(usage)
  return `Waiting ${Math.ceil(waitMs / 1000)} s for the rate limit of credential "${name}" (${whose}).\n`
}
