import type { Clock } from '../../core/clock.ts'
import { type Answer, NoAnswer } from '../../http/origin.ts'
import { NotSent } from '../notSent.ts'
import { type Tried, transience } from '../transient.ts'
import { received } from './answered.ts'
import { type BudgetView, sent, view } from './budget.ts'
import { allowed, type Budget, type BudgetSettings, emptyBudget, used, withSettings } from './budgetState.ts'
import {
  type Circuit,
  type CircuitSettings,
  type CircuitView,
  circuitView,
  closed,
  failed,
  probing,
  unprobed,
  usualCircuit,
} from './circuit.ts'
import { add, emptyFairQueue, type Kind, remove, take } from './fairQueue.ts'
import { noLongerNeeded } from './gracePeriod.ts'
import { mayAsk } from './permission.ts'
import { factsOf } from './rateHeaders.ts'
import { deposit, fullRetryBudget, withdraw } from './retryBudget.ts'
import { type Stall, stallAfter } from './stall.ts'

/** Every request of one credential passes here: in turns of the workspaces, as the budget allows, and while there is hope of an answer. */
export type Queue = {
  /**
   * Runs `call` when its turn has come, and settles as it does.
   * @throws {NotSent} at once, or when it comes to that while it waits; {NoAnswer} `aborted`, not sent, when `signal` fires while it waits
   */
  enqueue(turn: Turn, call: () => Promise<Answer>, signal: AbortSignal): Promise<Answer>
  /** Whether a request that failed may be repeated; each time it says so it is one less. */
  mayRetry(): boolean
  /** The service does not accept the credential; told twice with no success between, nothing more is sent until `tryAgain`: it throws this. */
  refused(error: NotSent): void
  tryAgain(): void
  view(): QueueView
  /** After a reload of the settings; what was sent stays counted. */
  changeBudget(settings: BudgetSettings): void
}

/** `lane`: the workspace's name; absent for calls that concern none. */
export type Turn = { readonly kind: Kind; readonly lane?: string }

export type QueueView = BudgetView & { readonly length: number; readonly circuit: CircuitView }

export type QueueOptions = {
  readonly budget: BudgetSettings
  readonly clock: Clock
  readonly random: () => number
  readonly lengthMax: number
  readonly inFlightMax: number
  readonly circuit?: CircuitSettings
}

const queueFull = (lengthMax: number): NotSent =>
  new NotSent('busy', `not sent: ${lengthMax} requests wait already`, {
    cure: 'too much work for one key: give workspaces keys of their own, or run less often',
  })

type Waiting = { readonly start: (sentAtMs: number) => void; readonly refuse: (error: Error) => void }

const silence = (error: unknown) => ({ kind: 'silence', sent: !(error instanceof NoAnswer) || error.sent }) as const

/** Timers of Node overflow at 2³¹ ms; waking early only means asking the budget again. */
const sleepMaxMs = 3_600_000

export function openQueue({
  budget: settings,
  clock,
  random,
  lengthMax,
  inFlightMax,
  circuit: breaker = usualCircuit,
}: QueueOptions): Queue {
  let budget: Budget = emptyBudget(settings)
  let circuit: Circuit = closed
  let retries = fullRetryBudget(clock.now())
  let stall: Stall | undefined
  let refusals: readonly NotSent[] = []
  const lanes = emptyFairQueue<Waiting>()
  let sleeper: AbortController | undefined

  function enqueue({ kind, lane = '' }: Turn, call: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
    if (lanes.waiting >= lengthMax) return Promise.reject(queueFull(lengthMax))
    return new Promise<Answer>((resolve, reject) => {
      const leave = (error: unknown) => {
        signal.removeEventListener('abort', giveUp)
        reject(error)
      }
      const giveUp = () => {
        remove(lanes, lane, kind, entry)
        changed()
        leave(new NoAnswer('aborted', false, clock.now(), 'given up while it waited for the rate limit', signal.reason))
      }
      const start = (sentAtMs: number) => {
        signal.removeEventListener('abort', giveUp)
        run(call, sentAtMs).then(resolve, reject)
      }
      const entry: Waiting = { start, refuse: leave }
      if (signal.aborted) return giveUp()
      signal.addEventListener('abort', giveUp, { once: true })
      add(lanes, lane, kind, entry)
      changed()
      pump()
    })
  }

  function pump(): void {
    sleeper?.abort(noLongerNeeded)
    sleeper = undefined
    while (lanes.waiting > 0 && budget.inFlight.length < inFlightMax) {
      const now = clock.now()
      const permission = mayAsk({ budget, circuit, stall, refusals }, now)
      if (permission.kind === 'refuse') return refuseAll(permission.error)
      if (permission.kind === 'wait') return sleep(permission.untilMs - now)
      const next = take(lanes, allowed(budget) - used(budget, now) < lanes.waiting)
      changed()
      budget = sent(budget, now)
      if (permission.isProbe) circuit = probing(circuit)
      next?.start(now)
    }
  }

  function refuseAll(error: Error): void {
    for (let next = take(lanes, false); next !== undefined; next = take(lanes, false)) next.refuse(error)
    changed()
  }

  function sleep(ms: number): void {
    // Only an answer can tell, and every answer pumps.
    if (ms === Number.POSITIVE_INFINITY) return
    const mine = new AbortController()
    sleeper = mine
    const woken = () => (sleeper === mine ? pump() : undefined)
    clock.sleep(Math.min(ms, sleepMaxMs), mine.signal).then(woken, () => undefined)
  }

  async function run(call: () => Promise<Answer>, sentAtMs: number): Promise<Answer> {
    try {
      const answer = await call()
      learn({ answer }, sentAtMs)
      return answer
    } catch (error) {
      learn({ error }, sentAtMs)
      throw error
    } finally {
      pump()
    }
  }

  /** What one sending says about the service. A 429 comes from one that works. */
  function learn(tried: Tried, sentAtMs: number): void {
    const [now, failure] = [clock.now(), transience(tried)]
    budget = received(budget, sentAtMs, 'answer' in tried ? factsOf(tried.answer, now) : silence(tried.error), now)
    stall = stallAfter(stall, budget.blockedUntilMs, budget.settings, now)
    if (failure !== undefined) circuit = failed(circuit, failure, breaker, random(), now)
    else if ('answer' in tried) [circuit, retries] = [closed, deposit(retries, now)]
    else circuit = unprobed(circuit, now)
    if ('answer' in tried && tried.answer.status < 400) refusals = []
  }

  function changed(): void {
    if (lanes.waiting === 0) sleeper?.abort(noLongerNeeded)
  }

  return {
    enqueue,
    mayRetry() {
      const left = withdraw(retries, clock.now())
      if (left !== undefined) retries = left
      return left !== undefined
    },
    refused(error) {
      refusals = [...refusals, error].slice(0, 2)
      pump()
    },
    tryAgain() {
      refusals = []
    },
    view: () => ({ ...view(budget, clock.now()), length: lanes.waiting, circuit: circuitView(circuit) }),
    changeBudget(next) {
      budget = withSettings(budget, next)
      pump()
    },
  }
}
