import { isUtf8 } from 'node:buffer'
import type { Dispatcher } from 'undici'
import { OperationalError } from '../core/operationalError.ts'
import type { ConnectionOptions, Connections } from './connections.ts'
import { type NoAnswerCode, TooLarge, type UsedProxy, whyNoAnswer } from './whyNoAnswer.ts'

/**
 * A client for one HTTP origin. Every request goes to this origin, a redirect is returned as an answer, and answers have limits in time and
 * bytes. So a credential in a request never goes to another origin.
 */
export type Origin = {
  readonly url: URL
  request(request: Request, signal: AbortSignal): Promise<Answer>
  close(): Promise<void>
}

/**
 * `path` is relative to the origin's URL and begins with a slash; `body` is sent as it is. `shownPath`: what errors and the log show instead of the path, if
 * the path names a person. `ignoresBody`: only status and headers of the answer are wanted. Its body is not read, and the connection ends with it.
 */
export type Request = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT'
  readonly path: string
  readonly shownPath?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly ignoresBody?: true
}

/**
 * A complete answer with any status. Header names are lower-case. Times are epoch ms. `notUtf8`: some bytes of the body are not UTF-8 and became
 * U+FFFD, so a name in it may not be the real one.
 */
export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly notUtf8?: true
  readonly sentAtMs: number
  readonly receivedAtMs: number
}

/** There was no complete answer. `sent` is false only if no byte of the request can have left this machine. */
export class NoAnswer extends OperationalError<NoAnswerCode> {
  override readonly name = 'NoAnswer'
  readonly sent: boolean
  readonly atMs: number
  /** The sentence about the failure. The message is the request and this text. */
  readonly why: string
  constructor(code: NoAnswerCode, sent: boolean, atMs: number, why: string, cause?: unknown, request?: string, cure?: string) {
    super(code, request === undefined ? why : `${request}: ${why}`, { cause, cure })
    this.why = why
    this.sent = sent
    this.atMs = atMs
  }
}

/** The time limit is that of a whole request, from the connection to the last byte. If all `connections` are busy, the wait for one counts too. */
export type OriginOptions = ConnectionOptions & {
  readonly bytesMax: number
  readonly now: () => number
  /** The header `User-Agent`: the name and version of the program. */
  readonly userAgent?: string
}

/** @param url scheme, host, port and an optional path prefix. @throws {TypeError} if it has a query, a fragment or credentials */
export function connectOrigin(url: URL, options: OriginOptions): Origin {
  if (url.username || url.password || url.search || url.hash)
    throw new TypeError(`${url.host}: an address must not have credentials, a query or a fragment`)
  const prefix = url.pathname.replace(/\/$/, '')
  let opened: Connections | undefined
  let isClosed = false

  /** undici is loaded at the first request: a command that asks nothing needs none. */
  async function connections(): Promise<Connections> {
    const { openConnections } = await import('./connections.ts')
    opened ??= openConnections(url, options)
    if (isClosed) await opened.close()
    return opened
  }

  async function request(wanted: Request, signal: AbortSignal): Promise<Answer> {
    let sent = false
    const deadline = AbortSignal.timeout(options.deadlineMs)
    const joined = AbortSignal.any([signal, deadline])
    const dispatcher = (await connections()).dispatcher.compose(
      (dispatch) => (call, handler) =>
        dispatch(
          call,
          noticing(handler, () => (sent = true)),
        ),
    )
    const sentAtMs = options.now()
    async function send(): Promise<Answer> {
      const answer = await dispatcher.request({
        origin: url.origin,
        path: prefix + wanted.path,
        method: wanted.method,
        headers: { ...usualHeaders(options), ...wanted.headers },
        ...(wanted.query === undefined ? {} : { query: wanted.query }),
        ...(wanted.body === undefined ? {} : { body: wanted.body }),
        signal: joined,
      })
      if (wanted.ignoresBody === true) answer.body.on('error', () => undefined).destroy()
      const text = wanted.ignoresBody === true ? { body: '' } : textOf(await readBounded(answer.body, options.bytesMax))
      return { status: answer.statusCode, headers: flat(answer.headers), ...text, sentAtMs, receivedAtMs: options.now() }
    }
    try {
      // If a request has no connection yet, undici does not end it at its signal; `unlessAborted` does. The request is not sent later, because its
      // signal has fired.
      return await unlessAborted(send(), joined)
    } catch (error) {
      const { code, why, cure } = whyNoAnswer(error, {
        url,
        deadlineMs: options.deadlineMs,
        hasCaFile: options.ca !== undefined,
        sent,
        aborted: signal.aborted,
        late: deadline.aborted,
        waitedFor: opened?.waitsFor(),
        proxy: usedProxy(url, options),
      })
      throw new NoAnswer(
        code,
        sent,
        options.now(),
        why,
        error,
        `${wanted.method} ${url.origin}${prefix}${(wanted.shownPath ?? wanted.path).split('?', 1)[0]}`,
        cure,
      )
    }
  }

  async function close(): Promise<void> {
    isClosed = true
    await opened?.close()
  }

  return { url, request, close }
}

/** undici asks the proxy of `https_proxy` for https, and without it that of `http_proxy`. */
function usedProxy(url: URL, { proxy }: OriginOptions): UsedProxy {
  const isHttps = url.protocol === 'https:' && (Boolean(proxy?.https) || !proxy?.http)
  const address = isHttps ? proxy?.https : proxy?.http
  return { variable: isHttps ? 'https_proxy' : 'http_proxy', hasPassword: Boolean(URL.parse(address ?? '')?.username) }
}

/** Without compression the byte limit is also a limit on memory. */
const usualHeaders = ({ userAgent }: OriginOptions): Readonly<Record<string, string>> => ({
  'accept-encoding': 'identity',
  accept: 'application/json',
  ...(userAgent === undefined ? {} : { 'user-agent': userAgent }),
})

/** Calls `onStart` when the request is about to be written. undici calls `onRequestStart` right before the first byte; an aborted request ends there. */
function noticing(handler: Dispatcher.DispatchHandler, onStart: () => void): Dispatcher.DispatchHandler {
  return new Proxy(handler, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver)
      if (typeof value !== 'function') return value
      if (name !== 'onRequestStart') return (...args: unknown[]): unknown => Reflect.apply(value, target, args)
      return (controller: Dispatcher.DispatchController, ...rest: unknown[]): unknown => {
        const result: unknown = Reflect.apply(value, target, [controller, ...rest])
        if (!controller.aborted) onStart()
        return result
      }
    },
  })
}

async function readBounded(body: AsyncIterable<Buffer>, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > bytesMax) throw new TooLarge(`more than ${bytesMax} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function textOf(bytes: Buffer): Pick<Answer, 'body' | 'notUtf8'> {
  const body = bytes.toString('utf8')
  return isUtf8(bytes) ? { body } : { body, notUtf8: true }
}

function flat(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]))
}

/** The promise, or a rejection with the signal's reason as soon as it fires. The work behind the promise goes on. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const give = () => reject(signal.reason as Error)
    if (signal.aborted) give()
    signal.addEventListener('abort', give, { once: true })
    void promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', give))
  })
}

/** Headers in which servers and proxies name a request, the most usual first. */
const names = ['x-request-id', 'request-id', 'x-correlation-id', 'x-trace-id', 'x-amzn-requestid', 'x-amzn-trace-id', 'cf-ray']
const charactersMax = 100

/** The id by which the logs of the server know this request; empty if there is no answer, or if the answer has no id. */
export function requestIdOf(answer: Pick<Answer, 'headers'> | undefined): { readonly requestId?: string } {
  const id = names.map((name) => answer?.headers[name]).find((value) => value !== undefined && value !== '')
  return id === undefined ? {} : { requestId: id.slice(0, charactersMax) }
}
