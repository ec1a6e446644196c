import { type Answer, NoAnswer, type Origin, type Request } from '../http/origin.ts'
import { type Credential, NoCredential } from './credential.ts'
import { errorOfAnswer, errorOfBody, errorOfSilence, PlaneError, type Where } from './errors.ts'
import { lingering } from './linger.ts'
import { type CallKind, type Clock, type Queue, QueueFull } from './queue.ts'
import { type RetryOptions, withRetries } from './retry.ts'
import { UnexpectedBody } from './wire.ts'

/** One operation of the service's API. `name` is for metrics, of a small fixed set; `path` begins after the base address and ends in a slash. */
export type Operation = {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
}

/** What became of one request on the wire; a repeated one is told each time. */
export type Observed = {
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
  /** What is on the wire when the signal fires gets this long to be answered; what waits for the budget is dropped at once. */
  readonly lingerMs: number
  readonly observe?: (observed: Observed) => void
  /** Names for people and metrics; absent for calls that concern no workspace. */
  readonly workspace?: { readonly name: string; readonly slug: string }
}

export type Caller = {
  readonly clock: Clock
  /**
   * Any complete answer, after the repetitions that are safe.
   * @param permit asked directly before each sending: a sentence says why not
   * @throws {PlaneError}
   */
  send(operation: Operation, signal: AbortSignal, permit?: () => string | undefined): Promise<Answer>
  /** The JSON of a 200, as `make` understands it. @throws {PlaneError} */
  read<T>(operation: Operation, make: (body: unknown) => T, signal: AbortSignal): Promise<T>
  /** As `read`; undefined for a 404. */
  readIfThere<T>(operation: Operation, make: (body: unknown) => T, signal: AbortSignal): Promise<T | undefined>
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

  async function send(operation: Operation, signal: AbortSignal, permit?: () => string | undefined): Promise<Answer> {
    const kind: CallKind = operation.method === 'GET' ? 'read' : 'write'
    try {
      for (let renewals = 0; ; renewals++) {
        const headers = await credential.headers(signal)
        const request = requestOf(operation, headers)
        const call = async () => {
          const refusal = permit?.()
          if (refusal !== undefined) throw new NoAnswer('aborted', false, clock.now(), refusal)
          return observed(operation.name, request, signal)
        }
        const queued = () => queue.enqueue(kind, call, signal)
        const answer = await withRetries(queued, { kind, options: options.retries, clock, random: options.random }, signal)
        // A refused token was not used for anything, so any method may be sent again with a new one.
        if (answer.status !== 401 || renewals > 0 || !credential.renew(headers)) return answer
      }
    } catch (error) {
      throw readable(error, where(operation), clock.now())
    }
  }

  async function observed(operation: string, request: Request, signal: AbortSignal): Promise<Answer> {
    const beganMs = clock.now()
    const tell = (what: { status: number } | { failure: NoAnswer['code'] }) =>
      options.observe?.({
        operation,
        credential: credential.name,
        tookMs: clock.now() - beganMs,
        ...(workspace === undefined ? {} : { workspace: workspace.name }),
        ...what,
      })
    try {
      const answer = await lingering((late) => origin.request(request, late), options.lingerMs, clock, signal)
      tell({ status: answer.status })
      return answer
    } catch (error) {
      if (error instanceof NoAnswer) tell({ failure: error.code })
      throw error
    }
  }

  async function readIfThere<T>(operation: Operation, make: (body: unknown) => T, signal: AbortSignal): Promise<T | undefined> {
    const answer = await send(operation, signal)
    return answer.status === 404 ? undefined : madeFrom(answer, operation, make)
  }

  const read = async <T>(operation: Operation, make: (body: unknown) => T, signal: AbortSignal): Promise<T> =>
    madeFrom(await send(operation, signal), operation, make)

  function madeFrom<T>(answer: Answer, operation: Operation, make: (body: unknown) => T): T {
    if (answer.status !== 200) throw errorOfAnswer(answer, where(operation))
    return understood(answer, make, (reason) => errorOfBody(answer, reason, where(operation)))
  }

  return {
    clock,
    send,
    read,
    readIfThere,
    error: (operation, answer) => errorOfAnswer(answer, where(operation)),
    errorOfBody: (operation, answer, reason) => errorOfBody(answer, reason, where(operation)),
  }
}

/** @throws what `fail` makes, where the body is not JSON or not of the expected shape */
export function understood<T>(answer: Answer, make: (body: unknown) => T, fail: (reason: string) => Error): T {
  if (isTooMany(answer.body)) throw fail('more values than any list has')
  let body: unknown
  try {
    body = JSON.parse(answer.body)
  } catch {
    throw fail('not JSON')
  }
  try {
    return make(body)
  } catch (error) {
    if (error instanceof UnexpectedBody) throw fail(error.message)
    throw error
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

function readable(error: unknown, where: Where, atMs: number): unknown {
  if (error instanceof NoAnswer) return errorOfSilence(error, where)
  if (error instanceof QueueFull) {
    const cure = 'too much work for one key: give workspaces keys of their own, or run less often'
    return new PlaneError('busy', `not sent: ${error.message}`, where, { sent: false, retryable: true, cure, cause: error, atMs })
  }
  if (error instanceof NoCredential) {
    const cure = 'the credential that the settings name has to be there and right before anything can be asked'
    return new PlaneError('credential', error.message, where, { sent: false, status: error.status, cure, cause: error, atMs })
  }
  return error
}

/** As many values as 400,000 mappings. A few bytes each would fill the memory hundredfold when parsed (measured: 62 MiB of `{},` are over 900 MB). */
const valuesMax = 4_000_000

function isTooMany(body: string): boolean {
  if (body.length < valuesMax) return false
  let values = 0
  for (let at = 0; at < body.length; at++) {
    const code = body.charCodeAt(at)
    if ((code === 0x2c || code === 0x5b || code === 0x7b) && ++values > valuesMax) return true
  }
  return false
}
