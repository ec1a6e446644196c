import type { ClientCredentials } from './bearerToken.ts'
import { cachedToken, type TokenSource } from './tokenSource.ts'

/**
 * A bearer token by OAuth client credentials (RFC 6749 §4.4). The secret is sent only to the origin of `server`. The library is loaded when the first
 * token is requested: most installations use an API key, and need none.
 */
export function clientCredentials(options: ClientCredentials): TokenSource {
  return cachedToken({
    request: async (signal) => (await import('./bearerToken.ts')).bearerToken(options, signal),
    onToken: options.onToken,
    now: options.now,
  })
}
