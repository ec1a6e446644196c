import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { ListenError, parseListen } from '../settings/patterns/address.ts'
import type { Health } from './cycleProgress.ts'
import type { ServedPage } from './page.ts'

export type HttpServer = {
  /** The address that it listens on: `http://127.0.0.1:9464`. */
  readonly url: string
  /** Accepts no more requests. Resolves when the last response has been sent; after two seconds open connections are cut. */
  readonly close: () => Promise<void>
}

const closeMaxMs = 2_000
/** An answer of which the client reads nothing for this time is cut, at the latest after twice this time. */
const unreadMaxMs = 5_000
/** At most so many long answers are under way: `/metrics` may have 50 MB. Two Prometheus servers and a person need three. */
const longMax = 5

/**
 * Serves `/healthz`, `/readyz` and `/metrics`, for probes and Prometheus, and the page for people, if there is one. Requests change nothing; their bodies are not read.
 *
 * @param listen `host:port` as in the settings; port 0 takes a free one
 * @throws {ListenError}
 */
export async function serveHttp(listen: string, pages: HttpPages): Promise<HttpServer> {
  const { host, port } = parseListen(listen)
  const server = createServer({
    connectionsCheckingInterval: 1_000,
    headersTimeout: 5_000,
    requestTimeout: 10_000,
    keepAliveTimeout: 5_000,
    maxHeaderSize: 8_192,
  })
  server.maxConnections = 1_000
  server.setTimeout(unreadMaxMs)
  const makers = makersOf(pages)
  const places = openPlaces(longMax)
  server.on('request', (request, response) => void answer(request, response, { makers, places, onError: pages.onError }))
  await new Promise<void>((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => reject(new ListenError(listenText(listen, error), { cause: error }))
    server.once('error', fail)
    server.listen({ host, port }, () => {
      server.off('error', fail)
      server.on('error', pages.onError)
      resolve()
    })
  })
  const { address, port: bound, family } = server.address() as AddressInfo
  return { url: `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`, close: () => close(server) }
}

type Answering = { readonly makers: Makers; readonly places: Places; readonly onError: HttpPages['onError'] }

async function answer(request: IncomingMessage, response: ServerResponse, answering: Answering): Promise<void> {
  const { page, body, isCompressed } = await encoded(request, response, answering).catch((error: unknown) => {
    answering.onError(error)
    const page = plainPage(500, 'this page could not be made; the log says why')
    return { page, body: page.body, isCompressed: false }
  })
  response.writeHead(page.status, {
    'content-type': page.contentType,
    'content-length': body.length,
    ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
    ...(page.compressed === undefined ? {} : { vary: 'accept-encoding' }),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...page.headers,
    ...(page.status === 405 ? { allow: 'GET, HEAD', connection: 'close' } : {}),
  })
  // Node leaves the body out of the answer to a HEAD.
  response.end(body)
}

async function encoded(request: IncomingMessage, response: ServerResponse, answering: Answering) {
  const page = await pageOf(request, response, answering)
  const isCompressed = page.compressed !== undefined && acceptsGzip(request.headers['accept-encoding'])
  return { page, body: isCompressed ? await page.compressed() : page.body, isCompressed }
}

async function pageOf(request: IncomingMessage, response: ServerResponse, { makers, places }: Answering): Promise<HttpPage> {
  const { method, url = '/', socket } = request
  const made = makers.get(url.split('?', 1)[0] as string)
  if (made === undefined) return plainPage(404, 'there is no such page; see /')
  if (method !== 'GET' && method !== 'HEAD') return plainPage(405, 'only GET and HEAD')
  const refusal = await made.refusal?.(request)
  if (refusal !== undefined)
    return { ...plainPage(refusal.status, refusal.text), ...(refusal.headers === undefined ? {} : { headers: refusal.headers }) }
  return made.isLong !== true || places.take(response, socket) ? made.make() : tooManyAsk
}

/** Limits how many answers are under way. */
type Places = { readonly take: (response: ServerResponse, socket: Socket) => boolean }

function openPlaces(most: number): Places {
  let taken = 0
  return {
    take(response, socket) {
      if (taken >= most || socket.destroyed) return false
      taken++
      const end = () => {
        // An answer that waits for an earlier one on its connection is not told when the connection ends.
        response.off('close', end)
        socket.off('close', end)
        taken--
      }
      response.once('close', end)
      socket.once('close', end)
      return true
    },
  }
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const hard = setTimeout(() => server.closeAllConnections(), closeMaxMs)
    server.close(() => {
      clearTimeout(hard)
      resolve()
    })
    server.closeIdleConnections()
  })
}

function listenText(listen: string, { code, message }: NodeJS.ErrnoException): string {
  switch (code) {
    case 'EADDRINUSE':
      return `http.listen ${listen}: another program listens there already; choose another port, or http: none`
    case 'EACCES':
      return `http.listen ${listen}: this user may not listen there; choose a port above 1023`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `http.listen ${listen}: this machine has no such address; 127.0.0.1 is for this machine alone, 0.0.0.0 for all`
    default:
      return `http.listen ${listen}: ${message}`
  }
}

/** The sources of the pages. */
export type HttpPages = {
  readonly healthy: () => Health
  readonly ready: () => Health
  readonly metrics: () => Promise<{ readonly contentType: string; readonly body: string }>
  /** The page for people, at `/`. Absent: `/` names the other pages. */
  readonly page?: ServedPage
  /** Called with the error of a page that could not be made. The response does not contain the error. */
  readonly onError: (error: unknown) => void
}

/** `compressed`: the text is long, and a client that asks for it gets it compressed. */
type HttpPage = {
  readonly status: number
  readonly contentType: string
  readonly body: Buffer
  readonly headers?: Readonly<Record<string, string>>
  readonly compressed?: () => Promise<Buffer>
}

/** `isLong`: only so many answers with this page are under way at the same time. `refusal`: who does not get it. */
type Maker = { readonly make: () => HttpPage | Promise<HttpPage>; readonly isLong?: true; readonly refusal?: ServedPage['refusal'] }
/** The pages by their paths. */
type Makers = ReadonlyMap<string, Maker>

const gzipped = promisify(gzip)

function makersOf({ healthy, ready, metrics, page }: HttpPages): Makers {
  return new Map<string, Maker>([
    ['/', page === undefined ? { make: () => plainPage(200, index) } : peoplesPage(page)],
    ['/healthz', { make: () => probe(healthy()) }],
    ['/readyz', { make: () => probe(ready()) }],
    ['/metrics', { make: together(async () => metricsPage(await metrics())), isLong: true }],
  ])
}

const peoplesPage = ({ html, headers, refusal }: ServedPage): Maker => ({
  make: together(async () => ({ ...longPage('text/html; charset=utf-8', html()), headers })),
  isLong: true,
  refusal,
})

const metricsPage = ({ contentType, body }: { readonly contentType: string; readonly body: string }): HttpPage =>
  longPage(contentType, body)

function longPage(contentType: string, text: string): HttpPage {
  const body = Buffer.from(text)
  let made: Promise<Buffer> | undefined
  return { status: 200, contentType, body, compressed: () => (made ??= gzipped(body)) }
}

/** The calls that come while one runs get its result. So clients that ask at the same time cost one page. */
function together<T>(make: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  return () =>
    (running ??= make().finally(() => {
      running = undefined
    }))
}

const index = 'plane-group-sync\n\n/healthz  is progress being made?\n/readyz   was a cycle attempted?\n/metrics  for Prometheus'
const plainPage = (status: number, body: string): HttpPage => ({
  status,
  contentType: 'text/plain; charset=utf-8',
  body: Buffer.from(`${body}\n`),
})
const probe = ({ ok, reason }: Health): HttpPage => plainPage(ok ? 200 : 503, `${ok ? 'ok' : 'not ok'}: ${reason}`)

/** The answer if too many others with a long page are under way. */
const tooManyAsk: HttpPage = plainPage(503, 'too many ask for this page now; ask again in a second')

/**
 * Whether a client wants gzip, by its header `Accept-Encoding` (RFC 9110, section 12.5.3). Without the header, and for a client that likes the plain
 * text better, the answer is no.
 */
export function acceptsGzip(header: string | undefined): boolean {
  const weights = new Map((header ?? '').split(',').map(weightOf))
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0
  return gzip > 0 && gzip >= (weights.get('identity') ?? 0)
}

/** `gzip;q=0.5` → its name and its weight. A weight that is no number between 0 and 1 refuses the coding. */
function weightOf(item: string): readonly [string, number] {
  const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))
  if (weight === undefined) return [name, 1]
  const text = weight.replace(/^q\s*=\s*/, '')
  return [name, /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(text) ? Number(text) : 0]
}
