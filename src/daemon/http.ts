import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { ListenError, parseListen } from '../settings/patterns/address.ts'
import { acceptsGzip } from './acceptsGzip.ts'
import { type HttpPage, type HttpPages, type Makers, makersOf, plainPage, tooManyAsk } from './pages.ts'

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

async function pageOf(
  { method, url = '/', socket }: IncomingMessage,
  response: ServerResponse,
  { makers, places }: Answering,
): Promise<HttpPage> {
  const made = makers.get(url.split('?', 1)[0] as string)
  if (made === undefined) return plainPage(404, 'there is no such page; see /')
  if (method !== 'GET' && method !== 'HEAD') return plainPage(405, 'only GET and HEAD')
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
