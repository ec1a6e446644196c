import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { ListenError, parseListen } from '../settings/listen.ts'
import { acceptsGzip } from './acceptsGzip.ts'
import type { Health } from './progress.ts'

/** The sources of the pages. */
export type HttpPages = {
  readonly healthy: () => Health
  readonly ready: () => Health
  readonly metrics: () => Promise<{ readonly contentType: string; readonly body: string }>
  /** Called with the error of a page that could not be made. The response does not contain the error. */
  readonly onError: (error: unknown) => void
}

export type HttpServer = {
  /** The address that it listens on: `http://127.0.0.1:9464`. */
  readonly url: string
  /** Accepts no more requests. Resolves when the last response has been sent; after two seconds open connections are cut. */
  readonly close: () => Promise<void>
}

const closeMaxMs = 2_000

/**
 * Serves `/healthz`, `/readyz` and `/metrics`, for probes and Prometheus. Requests change nothing; their bodies are not read.
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
  server.on('request', (request, response) => void answer(request, response, pages))
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

/** `compressible`: the text is long, and is compressed for a client that asks for it. */
type Page = { readonly status: number; readonly contentType: string; readonly body: string; readonly compressible?: true }

const compressed = promisify(gzip)

async function answer(request: IncomingMessage, response: ServerResponse, pages: HttpPages): Promise<void> {
  const { page, body, isCompressed } = await encoded(request, pages).catch((error: unknown) => {
    pages.onError(error)
    const page = text(500, 'this page could not be made; the log says why')
    return { page, body: Buffer.from(page.body), isCompressed: false }
  })
  response.writeHead(page.status, {
    'content-type': page.contentType,
    'content-length': body.length,
    ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
    ...(page.compressible === true ? { vary: 'accept-encoding' } : {}),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(page.status === 405 ? { allow: 'GET, HEAD', connection: 'close' } : {}),
  })
  // Node leaves the body out of the answer to a HEAD.
  response.end(body)
}

async function encoded(request: IncomingMessage, pages: HttpPages) {
  const page = await pageOf(request, pages)
  const isCompressed = page.compressible === true && acceptsGzip(request.headers['accept-encoding'])
  return { page, body: isCompressed ? await compressed(page.body) : Buffer.from(page.body), isCompressed }
}

async function pageOf({ method, url = '/' }: IncomingMessage, { healthy, ready, metrics }: HttpPages): Promise<Page> {
  const made = new Map<string, () => Page | Promise<Page>>([
    ['/', () => text(200, index)],
    ['/healthz', () => probe(healthy())],
    ['/readyz', () => probe(ready())],
    ['/metrics', async () => ({ status: 200, compressible: true, ...(await metrics()) })],
  ])
  const make = made.get(url.split('?', 1)[0] as string)
  if (make === undefined) return text(404, 'there is no such page; see /')
  return method === 'GET' || method === 'HEAD' ? make() : text(405, 'only GET and HEAD')
}

const index = 'plane-group-sync\n\n/healthz  is progress being made?\n/readyz   was a cycle attempted?\n/metrics  for Prometheus'
const text = (status: number, body: string): Page => ({ status, contentType: 'text/plain; charset=utf-8', body: `${body}\n` })
const probe = ({ ok, reason }: Health): Page => text(ok ? 200 : 503, `${ok ? 'ok' : 'not ok'}: ${reason}`)

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
