import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { type ClientMetadata, type KoaContextWithOIDC, Provider } from 'oidc-provider'

/**
 * An OpenID provider on loopback, which gives tokens for client credentials to the clients of `clients.json` in a folder. It asks for a client certificate,
 * and trusts those of `ca.pem` beside it; `cert.pem` and `key.pem` are its own. The only argument is the folder. It prints its port when it is ready.
 */
const [folder = ''] = process.argv.slice(2)
const text = (name: string) => readFileSync(join(folder, name), 'utf8')

const server = createServer({
  cert: text('cert.pem'),
  key: text('key.pem'),
  ca: text('ca.pem'),
  requestCert: true,
  rejectUnauthorized: false,
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as AddressInfo

const socketOf = ({ req }: KoaContextWithOIDC) => req.socket as TLSSocket
function certificateOf(context: KoaContextWithOIDC): X509Certificate | undefined {
  const { raw } = socketOf(context).getPeerCertificate()
  return raw === undefined ? undefined : new X509Certificate(raw)
}

const provider = new Provider(`https://localhost:${port}`, {
  clients: JSON.parse(text('clients.json')) as ClientMetadata[],
  clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'tls_client_auth', 'self_signed_tls_client_auth'],
  enabledJWA: { clientAuthSigningAlgValues: ['RS256', 'PS256', 'ES256', 'ES384', 'ES512', 'EdDSA'] },
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    introspection: { enabled: true },
    mTLS: {
      enabled: true,
      tlsClientAuth: true,
      selfSignedTlsClientAuth: true,
      certificateBoundAccessTokens: true,
      getCertificate: (context) => certificateOf(context)?.toString(),
      certificateAuthorized: (context) => socketOf(context).authorized,
      certificateSubjectMatches: (context, property, expected) =>
        property === 'tls_client_auth_subject_dn' && certificateOf(context)?.subject.replaceAll('\n', ',') === expected,
    },
  },
})
const answer = provider.callback()
server.on('request', (request, response) => void answer(request, response))
process.stdout.write(`${port}\n`)
