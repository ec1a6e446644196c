import { type Dispatcher, EnvHttpProxyAgent } from 'undici'
import { messageOf } from '../core/errorText.ts'
import { OperationalError } from '../core/operationalError.ts'
import { isLoopback } from './loopback.ts'

/**
 * A client for one HTTP origin. Every request goes to this origin, a redirect is returned as an answer, and answers have limits in time and
 * bytes. So a credential in a request never goes to another origin. This file is the only user of undici.
 */
export type Origin = {
  readonly url: URL
  request(request: Request, signal: AbortSignal): Promise<Answer>
  close(): Promise<void>
}

/** `path` is relative to the origin's URL and begins with a slash; `body` is sent as it is. */
export type Request = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT'
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
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
export class NoAnswer extends OperationalError<'unreachable' | 'tls' | 'deadline' | 'cut' | 'tooLarge' | 'aborted'> {
  override readonly name = 'NoAnswer'
  readonly sent: boolean
  readonly atMs: number
  /** What happened. The message is the request and this text. */
  readonly why: string
  constructor(code: NoAnswer['code'], sent: boolean, atMs: number, why: string, cause?: unknown, request?: string) {
    super(code, request === undefined ? why : `${request}: ${why}`, { cause })
    this.why = why
    this.sent = sent
    this.atMs = atMs
  }
}

export type OriginOptions = {
  /** Certificates (PEM) that are trusted instead of the system's. */
  readonly ca?: string
  /** Time limit of a whole request, from the connection to the last byte. If all `connections` are busy, the wait for one counts too. */
  readonly deadlineMs: number
  readonly bytesMax: number
  /** Idle sockets are closed after this time. Plane closes them after 2 s, and no header says so (measured, gunicorn). */
  readonly idleMs: number
  readonly connections: number
  readonly proxy?: { readonly http?: string; readonly https?: string; readonly except?: string }
  readonly now: () => number
}

/** @param url scheme, host, port and an optional path prefix. @throws {TypeError} if it has a query, a fragment or credentials */
export function connectOrigin(url: URL, options: OriginOptions): Origin {
  if (url.username || url.password || url.search || url.hash)
    throw new TypeError(`${url.host}: an address must not have credentials, a query or a fragment`)
  const prefix = url.pathname.replace(/\/$/, '')
  // Set here, so that NODE_TLS_REJECT_UNAUTHORIZED in the environment has no effect.
  const tls = { rejectUnauthorized: true, ...(options.ca === undefined ? {} : { ca: options.ca }) }
  // A request to this machine does not go through the proxy, which could read the credential over plain http.
  const proxy = isLoopback(url.hostname) ? undefined : options.proxy
  const agent = new EnvHttpProxyAgent({
    // With HTTP/2, undici would send a POST again after REFUSED_STREAM.
    allowH2: false,
    pipelining: 1,
    connections: options.connections,
    keepAliveTimeout: options.idleMs,
    keepAliveMaxTimeout: options.idleMs,
    connectTimeout: options.deadlineMs,
    headersTimeout: options.deadlineMs,
    bodyTimeout: options.deadlineMs,
    httpProxy: proxy?.http ?? '',
    httpsProxy: proxy?.https ?? '',
    noProxy: proxy?.except ?? '',
    connect: tls,
    requestTls: tls,
    proxyTls: { rejectUnauthorized: true },
  })

  async function request(wanted: Request, signal: AbortSignal): Promise<Answer> {
    let sent = false
    const deadline = AbortSignal.timeout(options.deadlineMs)
    const dispatcher = agent.compose(
      (dispatch) => (call, handler) =>
        dispatch(
          call,
          noticing(handler, () => (sent = true)),
        ),
    )
    const sentAtMs = options.now()
    try {
      const answer = await dispatcher.request({
        origin: url.origin,
        path: prefix + wanted.path,
        method: wanted.method,
        // Without compression the byte limit is also a limit on memory.
        headers: { 'accept-encoding': 'identity', accept: 'application/json', ...wanted.headers },
        ...(wanted.query === undefined ? {} : { query: wanted.query }),
        ...(wanted.body === undefined ? {} : { body: wanted.body }),
        signal: AbortSignal.any([signal, deadline]),
      })
      const text = textOf(await readBounded(answer.body, options.bytesMax))
      return { status: answer.statusCode, headers: flat(answer.headers), ...text, sentAtMs, receivedAtMs: options.now() }
    } catch (error) {
      throw noAnswer(error, { url, wanted, options, sent, aborted: signal.aborted, late: deadline.aborted })
    }
  }

  return { url, request, close: () => agent.destroy() }
}

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

class TooLarge extends Error {}

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

/** U+FFFD may also be a character of the body. */
function textOf(bytes: Buffer): Pick<Answer, 'body' | 'notUtf8'> {
  const body = bytes.toString('utf8')
  return body.includes('\ufffd') && !Buffer.from(body).equals(bytes) ? { body, notUtf8: true } : { body }
}

function flat(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]))
}

type Circumstances = { url: URL; wanted: Request; options: OriginOptions; sent: boolean; aborted: boolean; late: boolean }

function noAnswer(error: unknown, { url, wanted, options, sent, aborted, late }: Circumstances): NoAnswer {
  const what = `${wanted.method} ${url.origin}${wanted.path}`
  const make = (code: NoAnswer['code'], why: string) => new NoAnswer(code, sent, options.now(), why, error, what)
  if (error instanceof TooLarge) return make('tooLarge', `the answer has ${error.message}`)
  if (aborted) return make('aborted', 'given up')
  const code = errorCode(error)
  if (late || code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
    return make('deadline', `no complete answer within ${options.deadlineMs / 1000} s`)
  }
  if (!sent && /CERT|SIGNATURE|SELF_SIGNED|TLS|SSL|ALTNAME/.test(code))
    return make('tls', `the certificate is refused (${code}); name the issuing CA in the settings (caFile)`)
  if (!sent) return make('unreachable', `cannot connect (${code})`)
  return make('cut', `the connection ended before the answer was complete (${code})`)
}

function errorCode(error: unknown): string {
  let at = error
  for (let depth = 0; at instanceof Error && depth < 5; depth++) {
    if ('code' in at && typeof at.code === 'string') return at.code
    at = at instanceof AggregateError ? at.errors[0] : at.cause
  }
  return messageOf(error)
}
