import { type Clock, noLongerNeeded } from '../../core/clock.ts'
import { type Answer, NoAnswer } from '../../http/origin.ts'
import { factsOf } from '../../http/rateHeaders.ts'
import { NotSent } from '../errors.ts'
import { type SendResult, transientFailure } from '../transient.ts'
import { received } from './answered.ts'
import {
  allowed,
  type Budget,
  type BudgetSettings,
  type BudgetView,
  emptyBudget,
  sent,
  used,
  view,
  withReserve,
  withSettings,
} from './budget.ts'
import {
  type Circuit,
  type CircuitSettings,
  type CircuitView,
  circuitView,
  closed,
  failed,
  probedNow,
  probing,
  unprobed,
  usualCircuit,
} from './circuit.ts'
import { add, emptyFairQueue, hasRevocation, type Kind, remove, take } from './fairQueue.ts'
import { askedWait, askerOf, permissionOf, type Stall, stallAfter } from './permission.ts'
import { deposit, fullRetryBudget, withdraw } from './retry.ts'

/**
 * The queue for all requests of one credential. Workspaces take turns. A request is sent when the budget allows it. If the service has
 * failed or refused for too long, requests fail at once, unsent.
 */
export type Queue = {
  /**
   * Runs `call` in its turn and settles like it.
   * @throws {NotSent} at once or while it waits, if the queue does not send it; {NoAnswer} `aborted`, not sent, if `signal` fires while it waits
   */
  enqueue(turn: Turn, call: () => Promise<Answer>, signal: AbortSignal): Promise<Answer>
  /** Whether a failed request may be repeated. Each yes takes one repetition from the retry budget. */
  mayRetry(): boolean
  /**
   * Reports that the service refused the credential. After two reports without a success between them, `enqueue` throws the error of the second
   * report, until `tryAgain` is called.
   */
  refused(error: NotSent): void
  /** Forgets the refusals. For `person` the next request also tests an open circuit before its pause is over. */
  tryAgain(asks?: 'cycle' | 'person'): void
  view(): QueueView
  /** Takes the settings after a reload. Requests stay counted. */
  changeBudget(settings: BudgetSettings): void
}

/** `lane`: the workspace's name; absent for a call that concerns no workspace. `secrets`: no text about an answer shows them. */
export type Turn = { readonly kind: Kind; readonly lane?: string; readonly secrets?: Secrets }

type Secrets = () => readonly string[]
const none: Secrets = () => []

/** `asked`: the service asked for the present wait, so `used` does not say what it counts. */
type QueueView = BudgetView & {
  readonly length: number
  readonly circuit: CircuitView
  readonly asked: ReturnType<typeof askedWait>
}

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

/** Longest timer: those of Node overflow at 2³¹ ms. Waking early does no harm, because the budget is checked again. */
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

  function enqueue({ kind, lane = '', secrets = none }: Turn, call: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
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
        run(call, secrets, sentAtMs).then(resolve, reject)
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
      const usual = permissionOf({ budget, circuit, stall, refusals }, now)
      const mayUseReserve = usual.kind === 'wait' && hasRevocation(lanes)
      const permission = mayUseReserve ? permissionOf({ budget: withReserve(budget), circuit, stall, refusals }, now) : usual
      if (permission.kind === 'refuse') return refuseAll(permission.error)
      if (permission.kind === 'wait') return sleep(permission.untilMs - now)
      const isShort = allowed(budget) - used(budget, now) < lanes.waiting
      const next = take(lanes, mayUseReserve ? 'revocations' : isShort ? 'short' : 'enough')
      changed()
      budget = sent(budget, now)
      if (permission.isProbe) circuit = probing(circuit)
      next?.start(now)
    }
  }

  function refuseAll(error: Error): void {
    for (let next = take(lanes, 'enough'); next !== undefined; next = take(lanes, 'enough')) next.refuse(error)
    changed()
  }

  function sleep(ms: number): void {
    // Only an answer can change this, and every answer calls `pump`.
    if (ms === Number.POSITIVE_INFINITY) return
    const controller = new AbortController()
    sleeper = controller
    const woken = () => (sleeper === controller ? pump() : undefined)
    clock.sleep(Math.min(ms, sleepMaxMs), controller.signal).then(woken, () => undefined)
  }

  async function run(call: () => Promise<Answer>, secrets: Secrets, sentAtMs: number): Promise<Answer> {
    try {
      const answer = await call()
      learn({ answer }, secrets, sentAtMs)
      return answer
    } catch (error) {
      learn({ error }, secrets, sentAtMs)
      throw error
    } finally {
      pump()
    }
  }

  /** Updates the state after one sending. A 429 is no failure of the service. */
  function learn(tried: SendResult, secrets: Secrets, sentAtMs: number): void {
    const now = clock.now()
    const failure = transientFailure(tried, secrets)
    budget = received(budget, sentAtMs, 'answer' in tried ? factsOf(tried.answer, clock.wall()) : silence(tried.error), now)
    stall = stallAfter(stall, () => askerOf(tried, secrets), budget.blockedUntilMs, budget.settings, now)
    if (failure !== undefined) circuit = failed(circuit, failure, breaker, random(), now)
    else if ('answer' in tried) {
      circuit = closed
      retries = deposit(retries, now)
    } else circuit = unprobed(circuit, now)
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
    tryAgain(asks = 'cycle') {
      refusals = []
      if (asks === 'person') circuit = probedNow(circuit, clock.now())
    },
    view: () => ({
      ...view(budget, clock.now()),
      length: lanes.waiting,
      circuit: circuitView(circuit),
      asked: askedWait(stall, clock.now()),
    }),
    changeBudget(next) {
      budget = withSettings(budget, next)
      pump()
    },
  }
}
