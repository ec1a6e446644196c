import type { BearerToken, ClientCredentials } from './bearerToken.ts'
import { unlessAborted } from './unlessAborted.ts'

/** Bearer tokens. `forget` drops the cached token if it equals `refused`: if two requests are refused at once, the second must not drop the new token. */
export type TokenSource = { token(signal: AbortSignal): Promise<string>; forget(refused: string): void }

type PendingRequest = { readonly token: Promise<BearerToken>; readonly stop: AbortController; waiting: number }

/**
 * A bearer token by OAuth client credentials (RFC 6749 §4.4), cached until shortly before it expires. All callers share one request for a token.
 * It is aborted when the last of its callers has aborted. The secret is sent only to the origin of `server`.
 */
export function clientCredentials(options: ClientCredentials): TokenSource {
  let cached: BearerToken | undefined
  let flight: PendingRequest | undefined

  function startRequest(): PendingRequest {
    const stop = new AbortController()
    const mine: PendingRequest = { token: requestToken(options, stop.signal), stop, waiting: 0 }
    void settleRequest(mine)
    return mine
  }

  async function settleRequest(mine: PendingRequest): Promise<void> {
    try {
      cached = await mine.token
    } catch {
      // The error reaches every caller that waits.
    } finally {
      if (flight === mine) flight = undefined
    }
  }

  async function token(signal: AbortSignal): Promise<string> {
    signal.throwIfAborted()
    const { text } = cached !== undefined && options.now() < cached.untilMs ? cached : await requested(signal)
    options.onToken?.(text)
    return text
  }

  async function requested(signal: AbortSignal): Promise<BearerToken> {
    flight ??= startRequest()
    const mine = flight
    mine.waiting++
    try {
      return await unlessAborted(mine.token, signal)
    } finally {
      if (--mine.waiting === 0) {
        if (flight === mine) flight = undefined
        mine.stop.abort()
      }
    }
  }

  return {
    token,
    forget(refused) {
      if (cached?.text === refused) cached = undefined
    },
  }
}

/** The library is loaded when the first token is requested: most installations use an API key, and need none. */
async function requestToken(options: ClientCredentials, signal: AbortSignal): Promise<BearerToken> {
  const { bearerToken } = await import('./bearerToken.ts')
  return bearerToken(options, signal)
}
