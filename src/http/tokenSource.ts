import { unlessAborted } from './origin.ts'

/** Bearer tokens. `forget` drops the cached token if it equals `refused`: if two requests are refused at once, the second must not drop the new token. */
export type TokenSource = { token(signal: AbortSignal): Promise<string>; forget(refused: string): void }

/** The characters that a token can have in a header (RFC 6750 §2.1 allows fewer). */
export const headerText = /^[\x21-\x7e]+$/

/** `untilMs`: the epoch time from which the token is not used any more. */
export type BearerToken = { readonly text: string; readonly untilMs: number }

/** The lifetime if the server does not say it (RFC 6749 §5.1). A short guess is safe, since a refused token is renewed anyway. */
const lifetimeUnsaidMs = 60_000
/** A token is renewed up to this long before it expires, because a request with it may first wait for the rate limit. */
const marginMaxMs = 60_000

/** A token that was requested at `askedAtMs`, with the lifetime that the server said. */
export function expiring(text: string, askedAtMs: number, lifetimeMs = lifetimeUnsaidMs): BearerToken {
  return { text, untilMs: askedAtMs + lifetimeMs - Math.min(marginMaxMs, lifetimeMs / 4) }
}

type TokenCache = {
  /** Requests one token. Its errors are thrown as they are. */
  readonly request: (signal: AbortSignal) => Promise<BearerToken>
  /** Called with every token before it is used, so that no text shows it. */
  readonly onToken: ((token: string) => void) | undefined
  readonly now: () => number
}

type PendingRequest = { readonly token: Promise<BearerToken>; readonly stop: AbortController; waiting: number }

/**
 * A token that is cached until shortly before it expires. All callers share one request for a token. It is aborted when the last of its callers has
 * aborted.
 */
export function cachedToken({ request, onToken, now }: TokenCache): TokenSource {
  let cached: BearerToken | undefined
  let flight: PendingRequest | undefined

  function startRequest(): PendingRequest {
    const stop = new AbortController()
    const pending: PendingRequest = { token: request(stop.signal), stop, waiting: 0 }
    void settleRequest(pending)
    return pending
  }

  async function settleRequest(pending: PendingRequest): Promise<void> {
    try {
      cached = await pending.token
    } catch {
      // The error reaches every caller that waits.
    } finally {
      if (flight === pending) flight = undefined
    }
  }

  async function token(signal: AbortSignal): Promise<string> {
    signal.throwIfAborted()
    const { text } = cached !== undefined && now() < cached.untilMs ? cached : await requested(signal)
    onToken?.(text)
    return text
  }

  async function requested(signal: AbortSignal): Promise<BearerToken> {
    flight ??= startRequest()
    const pending = flight
    pending.waiting++
    try {
      return await unlessAborted(pending.token, signal)
    } finally {
      if (--pending.waiting === 0) {
        if (flight === pending) flight = undefined
        pending.stop.abort()
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
