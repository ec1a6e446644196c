import { clientCredentials, type TokenSource } from '../http/clientCredentials.ts'
import { checkOf, type DirectoryClient, readProof } from './directoryClient.ts'
import { DirectoryError } from './directoryError.ts'
import type { DirectoryTokens, HttpEnvironment } from './overHttp.ts'
import { refusePlainHttp } from './plainHttp.ts'

type IssuerClient = {
  /** The issuer, whose metadata names the token endpoint. Secrets and keys go only to its origin. */
  readonly issuer: URL
  readonly client: DirectoryClient
  readonly allowPlaintext: boolean
  /** `scope` and other fields of the request for a token. */
  readonly parameters?: Readonly<Record<string, string>>
}

type TokenEnvironment = Pick<HttpEnvironment, 'connect' | 'secretSeen' | 'now'>

/** Tokens of an OpenID Connect issuer by client credentials. @throws {DirectoryError} with address, client id and cure, without a secret */
export function issuerTokens(
  { issuer, client, allowPlaintext, parameters = {} }: IssuerClient,
  { connect, secretSeen, now }: TokenEnvironment,
): DirectoryTokens {
  let current: { readonly revision: string; readonly source: TokenSource } | undefined

  const read = async (signal: AbortSignal) => {
    const proof = await readProof(client, signal)
    for (const secret of proof.secrets) secretSeen?.(secret)
    return proof
  }

  const sourceWith = (ca: string | undefined): TokenSource =>
    clientCredentials({
      server: { issuer },
      clientId: client.id,
      parameters,
      authentication: async (signal) => (await read(signal)).authentication,
      connect: (clientCertificate) =>
        connect(new URL(issuer.origin), {
          ...(ca === undefined ? {} : { ca }),
          ...(clientCertificate === undefined ? {} : { clientCertificate }),
        }),
      ...(secretSeen === undefined ? {} : { onToken: secretSeen }),
      explain: async (error, at, said) =>
        (await import('./tokenRefusal.ts')).tokenRefusal(error, {
          clientId: client.id,
          check: checkOf(client),
          showsCertificate: 'tls' in client,
          home: issuer,
          at,
          said,
          now,
        }),
      now,
    })

  return {
    async open(ca, signal) {
      refusePlainHttp(issuer, allowPlaintext)
      if ('tls' in client && issuer.protocol !== 'https:')
        throw new DirectoryError('insecure', `${issuer.href}: a client certificate is only shown over TLS`, { cure: 'use https' })
      const revision = JSON.stringify([ca, (await read(signal)).revision])
      if (current?.revision !== revision) current = { revision, source: sourceWith(ca) }
      return current.source
    },
  }
}
