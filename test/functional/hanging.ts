import { type AddressInfo, createServer, type Socket } from 'node:net'

/** A server on loopback that accepts connections. It answers only what `answer` writes. */
export type HangingServer = AsyncDisposable & {
  readonly port: number
  readonly sockets: ReadonlySet<Socket>
  /** All received bytes as text. */
  readonly heard: () => string
}

/** @param answer is called once for each connection, when the first bytes have arrived */
export async function hangingServer(answer: (socket: Socket) => void | Promise<void> = () => undefined): Promise<HangingServer> {
  const sockets = new Set<Socket>()
  let heard = ''
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    socket.once('data', () => void answer(socket))
    socket.on('data', (bytes) => (heard += bytes.toString('latin1')))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    heard: () => heard,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
