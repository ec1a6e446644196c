import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** An answer of the server behind the proxy. */
export type Passed = { readonly status: number; readonly headers: IncomingMessage['headers']; readonly body: string }

/** A request that has arrived. `pass` asks the server behind the proxy, with another path if one is given. */
export type Exchange = {
  readonly url: URL
  readonly path: string
  readonly authorization: string
  readonly response: ServerResponse
  pass(path?: string): Promise<Passed>
}

export type FaultyProxy = AsyncDisposable & {
  readonly url: URL
  /** Ends all connections and listens no longer, as a server that is killed. */
  kill(): void
}

/**
 * A proxy on loopback before the server of a directory. The server sees the host of the proxy, so its links to next pages lead through the proxy, too.
 *
 * @param upstream the server, which may change
 * @param answer answers each request
 */
export async function faultyProxy(upstream: () => URL, answer: (exchange: Exchange) => Promise<void>): Promise<FaultyProxy> {
  const sockets = new Set<Socket>()
  const server = createServer((incoming, response) => {
    const { url: path = '/', headers } = incoming
    void buffer(incoming).then((body) =>
      answer({
        url: new URL(path, `http://${headers.host}`),
        path,
        authorization: headers.authorization ?? '',
        response,
        pass: (other = path) => pass(upstream(), other, incoming, body),
      }).catch(() => response.destroy()),
    )
  })
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const kill = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    kill,
    async [Symbol.asyncDispose]() {
      kill()
    },
  }
}

async function pass({ hostname, port }: URL, path: string, { method = 'GET', headers }: IncomingMessage, body: Buffer): Promise<Passed> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ hostname, port, path, method, headers: { ...headers, connection: 'close' } }, resolve)
      .on('error', reject)
      .end(body)
  })
  const { 'transfer-encoding': _, connection: __, ...kept } = answer.headers
  return { status: answer.statusCode ?? 0, headers: kept, body: (await buffer(answer)).toString() }
}

/** Sends an answer as it is. */
export function send(response: ServerResponse, { status, headers, body }: Passed): void {
  const { 'content-length': _, ...kept } = headers
  response.writeHead(status, { ...kept, 'content-length': Buffer.byteLength(body) }).end(body)
}
