import { Configuration, genericGrantRequest } from 'openid-client'
import { askTokenServer, type TokenServer, tokenEndpoint, tokenOf } from './tokenServer.ts'
import type { BearerToken } from './tokenSource.ts'

type ExtensionGrant = TokenServer & {
  /** Such as `urn:ietf:params:oauth:grant-type:jwt-bearer`. */
  readonly grantType: string
  /** The fields of the form. */
  readonly parameters: Readonly<Record<string, string>>
  readonly now: () => number
}

/**
 * Requests one token at the token address `home` by a grant that itself proves the identity, so that no client is named: a JWT (RFC 7523 §2.1), or a
 * token that is exchanged (RFC 8693).
 */
export function extensionGrant({ grantType, parameters, now, ...server }: ExtensionGrant, signal: AbortSignal): Promise<BearerToken> {
  return askTokenServer(
    server,
    async ({ prepare }) => {
      // The library requires an id. Without an authentication it is not sent.
      const config = new Configuration(tokenEndpoint(server.home), 'none', undefined, () => undefined)
      prepare(config)
      const askedAtMs = now()
      return tokenOf(await genericGrantRequest(config, grantType, parameters), askedAtMs)
    },
    signal,
  )
}
