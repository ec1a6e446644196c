import type { Clock, SteadyClock } from '../core/clock.ts'
import { jsonObjectIn } from '../core/jsonText.ts'
import type { CallEnd, LoggedCall } from '../core/loggedCall.ts'
import { defined } from '../core/optionalFields.ts'
import { type Answer, NoAnswer, type Origin, type Request, requestIdOf } from '../http/origin.ts'
import { type Make, readBody } from './answerBody.ts'
import { type Credential } from './credential.ts'
import { errorOfAnswer, errorOfBody, errorOfSilence, NotSent, PlaneError, type Where } from './errors.ts'
import type { Queue, Turn } from './rate/queue.ts'
import { type AttemptResult, type RetryOptions, withGracePeriod, withRetries } from './rate/retry.ts'

/** One operation of the service's API. `name` is for metrics, one of a small fixed set. `path` begins after the base address and ends in a slash. */
export type Operation = {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
}

/** The result of one request that was sent. A repeated request gives one result each time. */
export type Observation = {
  readonly operation: string
  readonly workspace?: string
  readonly credential: string
  readonly tookMs: number
} & ({ readonly status: number } | { readonly failure: NoAnswer['code'] })

export type CallOptions = {
  readonly origin: Origin
  readonly credential: Credential
  readonly queue: Queue
  readonly clock: Clock
  readonly random: () => number
  readonly retries: RetryOptions
  /** How long a write in flight may go on after the signal. A read, and a request that waits for the budget, is dropped at once. */
  readonly gracePeriodMs: number
  readonly observe?: (observed: Observation) => void
  /** Called when the budget has counted the answer to a request. */
  readonly logCall?: (call: LoggedCall) => void
  /** Names for people and metrics; absent for calls that concern no workspace. */
  readonly workspace?: { readonly name: string; readonly slug: string }
}

/** Options of a write. */
export type Sending = {
  /** Called directly before each sending. If it returns a sentence, nothing is sent, and the sentence is the reason. */
  readonly whyNot?: () => string | undefined
  /** The write takes a right away, so it goes before others while the budget is short. */
  readonly revocation?: boolean
}

/**
 * `earlierLastByteMs`: the time of the last byte of an earlier sending. That sending got no answer. It may have been executed, or may still be
 * executed later.
 */
export type DeliveredAnswer = { readonly answer: Answer } & Earlier
type Earlier = Pick<AttemptResult, 'earlierLastByteMs'>

export type Caller = {
  readonly clock: SteadyClock
  /** Any complete answer, after the repetitions that are safe. @throws {PlaneError} */
  send(operation: Operation, sending: Sending, signal: AbortSignal): Promise<DeliveredAnswer>
  /** The JSON of a 200, as `make` understands it. @throws {PlaneError} */
  read<T>(operation: Operation, make: Make<T>, signal: AbortSignal): Promise<T>
  /** Like `read`; undefined if Plane's own 404 says that the object does not exist. @throws {PlaneError} also for any other 404 */
  readIfThere<T>(operation: Operation, make: Make<T>, signal: AbortSignal): Promise<T | undefined>
  error(operation: Operation, answer: Answer): PlaneError
  errorOfBody(operation: Operation, answer: Answer, reason: string): PlaneError
}

export function openCaller(options: CallOptions): Caller {
  const { origin, credential, queue, clock, workspace } = options

  const where = ({ method, path }: Operation): Where => ({
    method,
    url: origin.url.origin + origin.url.pathname.replace(/\/$/, '') + path,
    credential: credential.name,
    ...(workspace === undefined ? {} : { workspace: workspace.name, slug: workspace.slug }),
    secrets: credential.secrets(),
  })

  async function send(operation: Operation, { whyNot, revocation }: Sending, signal: AbortSignal): Promise<DeliveredAnswer> {
    const { method } = operation
    const kind = method === 'GET' ? 'read' : revocation === true ? 'revocation' : 'write'
    const turn: Turn = { kind, secrets: credential.secrets, ...(workspace === undefined ? {} : { lane: workspace.name }) }
    const retrying = { options: options.retries, idempotent: method !== 'POST', mayRetry: queue.mayRetry, clock, random: options.random }
    const log = openAttemptLog(queue, options.logCall)
    let earlier: Earlier = {}
    try {
      for (let renewals = 0; ; renewals++) {
        const headers = await credential.headers(signal)
        const request = requestOf(operation, headers)
        const call = async () => {
          const refusal = whyNot?.()
          if (refusal !== undefined) throw new NoAnswer('aborted', false, clock.now(), refusal)
          return observed(operation.name, request, log, signal)
        }
        const attempt = () => queue.enqueue(turn, call, signal).finally(log.write)
        const { earlierLastByteMs, ...tried } = await withRetries(attempt, retrying, signal)
        if (earlierLastByteMs !== undefined) earlier = { earlierLastByteMs }
        if ('error' in tried) throw tried.error
        // A refused token was not used for anything, so any method may be sent again with a new one.
        if (tried.answer.status !== 401 || renewals > 0 || !credential.renew(headers)) {
          noticeRefusal(operation, tried.answer)
          return { ...tried, ...earlier }
        }
      }
    } catch (error) {
      throw readable(error, where(operation), earlier, clock.now())
    }
  }

  /** A refusal of the credential holds for all workspaces, so the queue refuses the requests of all. */
  function noticeRefusal(operation: Operation, answer: Answer): void {
    if (answer.status !== 401 && answer.status !== 403) return
    const { code, sentence, status, cure } = errorOfAnswer(answer, where(operation), clock.wall())
    if (code !== 'credential') return
    queue.refused(new NotSent(code, `not sent: ${sentence}; the next cycle tries the credential again`, { status, ...defined({ cure }) }))
  }

  async function observed(operation: string, request: Request, log: AttemptLog, signal: AbortSignal): Promise<Answer> {
    const beganMs = clock.now()
    const tell = (what: { status: number } | { failure: NoAnswer['code'] }, answer?: Answer) => {
      const about = { operation, credential: credential.name, tookMs: clock.now() - beganMs }
      const observation = { ...about, ...(workspace === undefined ? {} : { workspace: workspace.name }), ...what }
      options.observe?.(observation)
      log.end(observation, answer)
    }
    log.begin()
    try {
      const ask = (until: AbortSignal) => origin.request(request, until)
      // A stop ends a read at once. A write gets time for its answer, since otherwise its outcome would be unknown.
      const answer = request.method === 'GET' ? await ask(signal) : await withGracePeriod(ask, options.gracePeriodMs, clock, signal)
      tell({ status: answer.status }, answer)
      return answer
    } catch (error) {
      if (error instanceof NoAnswer) tell({ failure: error.code })
      throw error
    }
  }

  async function readIfThere<T>(operation: Operation, make: Make<T>, signal: AbortSignal): Promise<T | undefined> {
    const { answer } = await send(operation, {}, signal)
    return saysObjectMissing(answer) ? undefined : madeFrom(answer, operation, make)
  }

  const read = async <T>(operation: Operation, make: Make<T>, signal: AbortSignal): Promise<T> =>
    madeFrom((await send(operation, {}, signal)).answer, operation, make)

  function madeFrom<T>(answer: Answer, operation: Operation, make: Make<T>): T {
    if (answer.status !== 200) throw errorOfAnswer(answer, where(operation), clock.wall())
    return readBody(answer, make, (reason) => errorOfBody(answer, reason, where(operation)))
  }

  return {
    clock,
    send,
    read,
    readIfThere,
    error: (operation, answer) => errorOfAnswer(answer, where(operation), clock.wall()),
    errorOfBody: (operation, answer, reason) => errorOfBody(answer, reason, where(operation)),
  }
}

function requestOf({ method, path, query, body }: Operation, headers: Readonly<Record<string, string>>): Request {
  return {
    method,
    path,
    headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
    ...(query === undefined ? {} : { query }),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }
}

function readable(error: unknown, where: Where, earlier: Earlier, atMs: number): unknown {
  if (error instanceof NoAnswer) return errorOfSilence(error, where, earlier)
  if (error instanceof NotSent) {
    const { code, message, cure, status, untilMs } = error
    const retryAfterMs = untilMs === undefined ? undefined : Math.max(0, untilMs - atMs)
    return new PlaneError(code, message, where, { sent: false, cause: error, atMs, ...earlier, status, cure, retryAfterMs })
  }
  return error
}

type Observed = Pick<LoggedCall, 'operation' | 'workspace' | 'credential' | 'tookMs'> & CallEnd

/** Logs each attempt of one call, with the budget before and after it. */
type AttemptLog = {
  /** To be called directly before an attempt is sent. The budget has counted it already. */
  begin(): void
  end(observed: Observed, answer: Answer | undefined): void
  /** To be called when the budget has counted the answer. It writes the line of the attempt that has ended. */
  write(): void
}

const silent: AttemptLog = { begin: () => undefined, end: () => undefined, write: () => undefined }

function openAttemptLog(queue: Pick<Queue, 'view'>, logCall: ((call: LoggedCall) => void) | undefined): AttemptLog {
  if (logCall === undefined) return silent
  let attempt = 0
  let before = 0
  let ended: LoggedCall | undefined
  return {
    begin() {
      attempt++
      before = queue.view().remaining + 1
    },
    end(observed, answer) {
      ended = { ...observed, attempt, ...requestIdOf(answer) }
    },
    write() {
      if (ended !== undefined) logCall({ ...ended, budget: { before, after: queue.view().remaining } })
      ended = undefined
    },
  }
}

/**
 * Whether Plane itself says that the object of an address does not exist. False for any other answer, also for a 404 of a proxy or of another
 * application behind it, which says nothing about Plane's objects. Texts are compared exactly, since others answer almost the same:
 * `{"detail":"Not Found"}` (FastAPI), `{"status":404,"error":"Not Found",…}` (Spring), `{"message":"no Route matched with those values"}` (Kong).
 */
export function saysObjectMissing({ status, headers, body }: Pick<Answer, 'status' | 'headers' | 'body'>): boolean {
  if (status !== 404 || !isJson.test(headers['content-type'] ?? '') || body.length > charactersMax) return false
  const [name, text] = onlyTextIn(body) ?? []
  return own.some((pattern) => pattern.name === name && pattern.text.test(text ?? ''))
}

const own: readonly { readonly name: string; readonly text: RegExp }[] = [
  // Texts of the framework, older and newer.
  { name: 'detail', text: /^Not found\.$/ },
  { name: 'detail', text: /^No [\w ]+ matches the given query\.$/ },
  // Texts of Plane's views, newer and older.
  { name: 'error', text: /^The (requested resource|required object) does not exist\.$/ },
]

const isJson = /^application\/json\s*(;|$)/i
/** Ten times the longest of these texts. */
const charactersMax = 1_000

/** The field of an object that has one field, a text. */
function onlyTextIn(body: string): readonly [name: string, text: string] | undefined {
  const [only, ...others] = Object.entries(jsonObjectIn(body) ?? {})
  return only === undefined || others.length > 0 || typeof only[1] !== 'string' ? undefined : [only[0], only[1]]
}
