import { type Answer, NoAnswer } from '../http/origin.ts'
import { type BudgetView, earliestMs, emptyBudget, received, sent, view, withSettings } from './budget.ts'
import type { Budget, BudgetSettings } from './ledger.ts'
import { factsOf } from './rateHeaders.ts'

/** Every request of one credential passes here: reads before writes, otherwise in the order of their coming, as the budget allows. */
export type Queue = {
  /**
   * Runs `call` when the budget allows, and settles as it does.
   * @throws {QueueFull} at once; {NoAnswer} `aborted`, not sent, when `signal` fires while it waits
   */
  enqueue(kind: CallKind, call: () => Promise<Answer>, signal: AbortSignal): Promise<Answer>
  view(): BudgetView & { readonly length: number }
  /** After a reload of the settings; what was sent stays counted. */
  changeBudget(settings: BudgetSettings): void
}

export type CallKind = 'read' | 'write'

export type QueueOptions = {
  readonly budget: BudgetSettings
  readonly clock: Clock
  readonly lengthMax: number
  readonly inFlightMax: number
  readonly observer?: QueueObserver
}

export type Clock = {
  now(): number
  /** Settles after `ms`, or rejects when `signal` fires. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

/** For metrics: called synchronously, must not throw. */
export type QueueObserver = {
  onWait?(waitMs: number, view: BudgetView): void
  onLength?(length: number): void
}

export class QueueFull extends Error {
  override readonly name = 'QueueFull'
}

type Waiting = { readonly start: (sentAtMs: number) => void; readonly kind: CallKind }

/** Timers of Node overflow at 2³¹ ms; waking early only means asking the budget again. */
const sleepMaxMs = 3_600_000

export function openQueue({ budget: settings, clock, lengthMax, inFlightMax, observer }: QueueOptions): Queue {
  let budget: Budget = emptyBudget(settings)
  let waiting: readonly Waiting[] = []
  let sleeper: AbortController | undefined

  function enqueue(kind: CallKind, call: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
    if (waiting.length >= lengthMax) return Promise.reject(new QueueFull(`${lengthMax} requests wait already`))
    return new Promise<Answer>((resolve, reject) => {
      const giveUp = () => {
        setWaiting(waiting.filter((other) => other !== entry))
        reject(new NoAnswer('aborted', false, clock.now(), 'given up while it waited for the rate limit', signal.reason))
      }
      const start = (sentAtMs: number) => {
        signal.removeEventListener('abort', giveUp)
        run(call, sentAtMs).then(resolve, reject)
      }
      const entry: Waiting = { start, kind }
      if (signal.aborted) return giveUp()
      signal.addEventListener('abort', giveUp, { once: true })
      setWaiting([...waiting, entry])
      pump()
    })
  }

  function pump(): void {
    sleeper?.abort()
    sleeper = undefined
    while (waiting.length > 0 && budget.inFlight.length < inFlightMax) {
      const now = clock.now()
      const at = earliestMs(budget, now)
      if (at > now) return sleep(at - now)
      const next = choose(waiting)
      setWaiting(waiting.filter((other) => other !== next))
      budget = sent(budget, now)
      next?.start(now)
    }
  }

  function sleep(ms: number): void {
    // Only an answer can tell, and every answer pumps.
    if (ms === Number.POSITIVE_INFINITY) return
    observer?.onWait?.(ms, view(budget, clock.now()))
    const mine = new AbortController()
    sleeper = mine
    const woken = () => (sleeper === mine ? pump() : undefined)
    clock.sleep(Math.min(ms, sleepMaxMs), mine.signal).then(woken, () => undefined)
  }

  async function run(call: () => Promise<Answer>, sentAtMs: number): Promise<Answer> {
    try {
      const answer = await call()
      budget = received(budget, sentAtMs, factsOf(answer, clock.now()), clock.now())
      return answer
    } catch (error) {
      budget = received(budget, sentAtMs, { is: 'silence', sent: !(error instanceof NoAnswer) || error.sent }, clock.now())
      throw error
    } finally {
      pump()
    }
  }

  function setWaiting(next: readonly Waiting[]): void {
    waiting = next
    observer?.onLength?.(waiting.length)
    if (waiting.length === 0) sleeper?.abort()
  }

  return {
    enqueue,
    view: () => ({ ...view(budget, clock.now()), length: waiting.length }),
    changeBudget(next) {
      budget = withSettings(budget, next)
      pump()
    },
  }
}

/** Who goes next. Fairness between the workspaces of one credential belongs here. */
const choose = (waiting: readonly Waiting[]): Waiting | undefined => waiting.find(({ kind }) => kind === 'read') ?? waiting[0]
