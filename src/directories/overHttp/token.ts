import type { ClientCredentials } from '../../http/bearerToken.ts'
import { clientCredentials, type TokenSource } from '../../http/clientCredentials.ts'
import { DirectoryError } from '../directoryError.ts'
import { refusePlainHttp } from '../plainHttp.ts'
import { checkOf, type DirectoryClient, readProof } from './client.ts'
import type { DirectoryTokens, HttpEnvironment } from './reader.ts'

type TokenClient = {
  /** Secrets and keys go only to the origin of this server. */
  readonly server: ClientCredentials['server']
  readonly client: DirectoryClient
  readonly allowPlaintext: boolean
  /** `scope` and other fields of the request for a token. */
  readonly parameters?: Readonly<Record<string, string>>
  /** What to do after an error of this kind of server, by its `error` and `error_description`; undefined if nothing more is known. */
  readonly cureOf?: (said: string) => string | undefined
}

type TokenEnvironment = Pick<HttpEnvironment, 'connect' | 'secretSeen' | 'now'>

/** Tokens by client credentials. @throws {DirectoryError} with address, client id and cure, without a secret */
export function clientTokens(
  { server, client, allowPlaintext, parameters = {}, cureOf = () => undefined }: TokenClient,
  { connect, secretSeen, now }: TokenEnvironment,
): DirectoryTokens {
  const home = 'issuer' in server ? server.issuer : server.tokenAddress
  let current: { readonly revision: string; readonly source: TokenSource } | undefined

  const read = async (signal: AbortSignal) => {
    const proof = await readProof(client, signal)
    for (const secret of proof.secrets) secretSeen?.(secret)
    return proof
  }

  const sourceWith = (ca: string | undefined): TokenSource =>
    clientCredentials({
      server,
      clientId: client.id,
      parameters,
      authentication: async (signal) => (await read(signal)).authentication,
      connect: (clientCertificate) =>
        connect(new URL(home.origin), {
          ...(ca === undefined ? {} : { ca }),
          ...(clientCertificate === undefined ? {} : { clientCertificate }),
        }),
      ...(secretSeen === undefined ? {} : { onToken: secretSeen }),
      explain: async (error, at, said) =>
        (await import('./tokenRefusal.ts')).tokenRefusal(error, {
          clientId: client.id,
          check: checkOf(client),
          cure: cureOf(said),
          showsCertificate: 'tls' in client,
          home,
          at,
          said,
          now,
        }),
      now,
    })

  return {
    async open(ca, signal) {
      refusePlainHttp(home, allowPlaintext)
      if ('tls' in client && home.protocol !== 'https:')
        throw new DirectoryError('insecure', `${home.href}: a client certificate is only shown over TLS`, { cure: 'use https' })
      const revision = JSON.stringify([ca, (await read(signal)).revision])
      if (current?.revision !== revision) current = { revision, source: sourceWith(ca) }
      return current.source
    },
  }
}
