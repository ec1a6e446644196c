import { createServer as createPlain, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecure } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'

export type RawServer = AsyncDisposable & {
  readonly url: URL
  /** The requests in the order of arrival, with their bodies. */
  readonly requests: {
    readonly method: string
    readonly url: string
    readonly headers: IncomingMessage['headers']
    readonly body: string
  }[]
  readonly sockets: Set<Socket>
}

/** A server on loopback whose answers a test decides. The answers may be wrong. */
export async function rawServer(
  answer: (request: IncomingMessage, response: ServerResponse, nth: number) => void,
  tls?: { readonly key: string; readonly cert: string },
): Promise<RawServer> {
  const requests: RawServer['requests'] = []
  const sockets = new Set<Socket>()
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      requests.push({
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      })
      answer(request, response, requests.length)
    })
  }
  const server = tls === undefined ? createPlain(listener) : createSecure(tls, listener)
  server.keepAliveTimeout = 60_000
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: new URL(`${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`),
    requests,
    sockets,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}
