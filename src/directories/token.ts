import { messageOf } from '../core/errorText.ts'
import type { ClientCredentials } from '../http/bearerToken.ts'
import { clientCredentials, type TokenSource } from '../http/clientCredentials.ts'
import type { Origin } from '../http/origin.ts'
import { DirectoryError } from './directoryError.ts'
import { refusePlainHttp } from './plainHttp.ts'

export type IssuerClient = Pick<ClientCredentials, 'clientId' | 'clientSecret' | 'authentication' | 'onToken' | 'now'> & {
  readonly issuer: URL
  readonly allowPlaintext: boolean
  readonly connect: (url: URL) => Origin
}

/** Tokens of an OpenID Connect issuer. @throws {DirectoryError} with address, client id and cure, without the secret */
export function issuerTokens({ issuer, allowPlaintext, connect, ...client }: IssuerClient): TokenSource {
  const { clientId } = client
  const { token, forget } = clientCredentials({
    ...client,
    server: { issuer },
    clientSecret: () => readSecret(client),
    connect: () => connect(new URL(issuer.origin)),
    explain: async (error, at, said) => (await import('./tokenRefusal.ts')).tokenRefusal(error, { clientId, home: issuer, at, said }),
  })
  return {
    async token(signal) {
      refusePlainHttp(issuer, allowPlaintext)
      return token(signal)
    },
    forget,
  }
}

async function readSecret({ clientSecret, clientId }: Pick<IssuerClient, 'clientSecret' | 'clientId'>): Promise<string> {
  const secret = await clientSecret().catch((error: unknown) => {
    throw new DirectoryError('credentials', `the secret of client "${clientId}": ${messageOf(error)}`)
  })
  if (secret !== '') return secret
  throw new DirectoryError('credentials', `the secret of client "${clientId}" is empty`, {
    cure: 'fill the file or variable that the settings name',
  })
}
