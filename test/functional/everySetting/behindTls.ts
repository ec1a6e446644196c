import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { createServer } from 'node:tls'
import { selfSigned } from '../selfSigned.ts'

/** A TLS server before a plain one. Only `ca.pem` vouches for its certificate. */
export async function behindTls(plain: URL | string): Promise<AsyncDisposable & { readonly url: string }> {
  const { port } = new URL(plain)
  const server = createServer(selfSigned, (socket) => {
    const inside = connect(Number(port), '127.0.0.1')
    socket.on('error', () => inside.destroy())
    inside.on('error', () => socket.destroy())
    socket.pipe(inside).pipe(socket)
  })
  server.on('tlsClientError', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close()
      await once(server, 'close')
    },
  }
}
