import type { ClientCredentials } from '../../http/bearerToken.ts'
import { clientCredentials } from '../../http/clientCredentials.ts'
import type { TokenSource } from '../../http/tokenSource.ts'
import { DirectoryError } from '../directoryError.ts'
import { refusePlainHttp } from '../plainHttp.ts'
import { checkOf, type DirectoryClient, readProof } from './client.ts'
import { keptTokens } from './keptTokens.ts'
import type { DirectoryTokens, HttpEnvironment } from './reader.ts'

type TokenClient = {
  /** Secrets and keys go only to the origin of this server. */
  readonly server: ClientCredentials['server']
  readonly client: DirectoryClient
  readonly allowPlaintext: boolean
  /** `scope` and other fields of the request for a token. */
  readonly parameters?: Readonly<Record<string, string>>
  /** What else to check if the client is refused. It continues a list: `and that …`. */
  readonly check?: string
  /** What to do after an error of this kind of server, by its `error` and `error_description`; undefined if nothing more is known. */
  readonly cureOf?: (said: string) => string | undefined
}

type TokenEnvironment = Pick<HttpEnvironment, 'connect' | 'secretSeen' | 'now' | 'wall'>

/** Tokens by client credentials. @throws {DirectoryError} with address, client id and cure, without a secret */
export function clientTokens(
  { server, client, allowPlaintext, parameters = {}, check, cureOf = () => undefined }: TokenClient,
  { connect, secretSeen, now, wall }: TokenEnvironment,
): DirectoryTokens {
  const home = 'issuer' in server ? server.issuer : server.tokenAddress

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
      async explain(error, at, said) {
        const { clientText, tokenRefusal } = await import('./tokenRefusal.ts')
        return tokenRefusal(error, {
          account: clientText(client.id),
          check: check === undefined ? checkOf(client) : `${checkOf(client)}, ${check}`,
          cure: cureOf(said),
          showsCertificate: 'tls' in client,
          home,
          at,
          said,
          wall,
        })
      },
      now,
    })

  return keptTokens(async (signal) => {
    refusePlainHttp(home, allowPlaintext)
    if ('tls' in client && home.protocol !== 'https:')
      throw new DirectoryError('insecure', `${home.href}: a client certificate is only shown over TLS`, { cure: 'use https' })
    return { revision: (await read(signal)).revision, source: sourceWith }
  })
}
