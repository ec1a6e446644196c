import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { createServer, type TlsOptions } from 'node:tls'
import { selfSigned } from '../selfSigned.ts'

type BehindTls = AsyncDisposable & {
  readonly url: string
  /** The fingerprints of the client certificates that were shown. */
  readonly shown: ReadonlySet<string>
}

/**
 * A TLS server before a plain one. Only `ca.pem` vouches for its certificate. It asks for a client certificate.
 *
 * @param clients which client certificates it accepts; default: any and none
 */
export async function behindTls(plain: URL | string, clients: TlsOptions = {}): Promise<BehindTls> {
  const { port } = new URL(plain)
  const shown = new Set<string>()
  const server = createServer({ ...selfSigned, requestCert: true, rejectUnauthorized: false, ...clients }, (socket) => {
    const { fingerprint256 } = socket.getPeerCertificate()
    if (fingerprint256 !== undefined) shown.add(fingerprint256)
    const inside = connect(Number(port), '127.0.0.1')
    socket.on('error', () => inside.destroy())
    inside.on('error', () => socket.destroy())
    socket.pipe(inside).pipe(socket)
  })
  server.on('tlsClientError', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    shown,
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close()
      await once(server, 'close')
    },
  }
}
