import {
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  clientCredentialsGrant,
  customFetch,
  discovery,
} from 'openid-client'
import type { Origin } from '../http/origin.ts'
import { type OriginFetch, originFetch } from '../http/originFetch.ts'
import { DirectoryError } from './directoryError.ts'
import { refusePlainHttp } from './plainHttp.ts'
import { tokenRefusal } from './tokenRefusal.ts'

/** `forget` drops the cached token, where one is named only that one: of two requests refused at once the second must not drop the new. */
export type TokenSource = { readonly token: (signal: AbortSignal) => Promise<string>; readonly forget: (token?: string) => void }

export type ClientCredentials = {
  /** An issuer, whose metadata names the token address (OpenID Connect Discovery 1.0 §4); or that address where there is no metadata. */
  readonly server: { readonly issuer: URL } | { readonly tokenAddress: URL }
  readonly clientId: string
  /** Asked anew for each token, so that a rotated secret needs no restart. */
  readonly clientSecret: () => Promise<string>
  readonly authentication: 'client_secret_basic' | 'client_secret_post'
  /** `scope`, `audience` and what else the server wants in the form. */
  readonly parameters?: Readonly<Record<string, string>>
  readonly allowPlaintext?: boolean
  readonly connect: (url: URL) => Origin
  /** Told every token before it is used, so that it can be kept out of texts. */
  readonly learned?: (token: string) => void
  readonly now: () => number
}

type Token = { readonly text: string; readonly untilMs: number }
type Flight = { readonly token: Promise<Token>; readonly stop: AbortController; waiting: number }

/** A server need not say how long its token lives (RFC 6749 §5.1); a short guess is safe, since a refused token is renewed anyway. */
const lifetimeUnsaidMs = 60_000
const marginMaxMs = 30_000

/**
 * A bearer token by OAuth client credentials (RFC 6749 §4.4), kept until shortly before it expires. However many ask at once, one request is
 * under way; it is given up when nobody waits for it any more. Throws DirectoryError with address, client id and cure, never the secret.
 */
export function clientCredentials(options: ClientCredentials): TokenSource {
  let kept: Token | undefined
  let flight: Flight | undefined

  function depart(): Flight {
    const stop = new AbortController()
    const mine: Flight = { token: request(options, stop.signal), stop, waiting: 0 }
    void land(mine)
    return mine
  }

  async function land(mine: Flight): Promise<void> {
    try {
      kept = await mine.token
    } catch {
      // Whoever waits for it is told.
    } finally {
      if (flight === mine) flight = undefined
    }
  }

  async function token(signal: AbortSignal): Promise<string> {
    signal.throwIfAborted()
    const { text } = kept !== undefined && options.now() < kept.untilMs ? kept : await awaited(signal)
    options.learned?.(text)
    return text
  }

  async function awaited(signal: AbortSignal): Promise<Token> {
    flight ??= depart()
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
      if (refused === undefined || kept?.text === refused) kept = undefined
    },
  }
}

async function request(options: ClientCredentials, signal: AbortSignal): Promise<Token> {
  const { server, clientId, authentication, connect, now } = options
  const home = 'issuer' in server ? server.issuer : server.tokenAddress
  refusePlainHttp(home, options.allowPlaintext ?? false)
  const secret = await readSecret(options)
  const client = authentication === 'client_secret_basic' ? ClientSecretBasic(secret) : ClientSecretPost(secret)
  const origin = connect(new URL(home.origin))
  const trail = { last: home.href }
  const fetch = originFetch(origin, noting(trail, home), signal)
  const execute = home.protocol === 'http:' ? [allowInsecureRequests] : []
  try {
    const config =
      'issuer' in server
        ? await discovery(server.issuer, clientId, undefined, client, { [customFetch]: fetch, execute })
        : withoutMetadata(server.tokenAddress, clientId, client, fetch)
    const askedAtMs = now()
    const answer = await clientCredentialsGrant(config, { ...options.parameters })
    const lifetimeMs = answer.expires_in === undefined ? lifetimeUnsaidMs : answer.expires_in * 1000
    return { text: answer.access_token, untilMs: askedAtMs + lifetimeMs - Math.min(marginMaxMs, lifetimeMs / 4) }
  } catch (error) {
    throw tokenRefusal(error, { clientId, home, at: trail.last })
  } finally {
    await origin.close()
  }
}

/** Remembers the last address, for sentences. What an issuer says of itself may not lead the secret to another host. */
const noting = (trail: { last: string }, home: URL) => (address: URL) => {
  trail.last = address.origin + address.pathname
  if (address.origin === home.origin) return
  const why = `${home.href}: it names a token address on another host, ${address.origin}; the secret is not sent there`
  throw new DirectoryError('foreign', why, { cure: 'name the issuer by the host that gives the tokens' })
}

function withoutMetadata(
  tokenAddress: URL,
  clientId: string,
  client: ReturnType<typeof ClientSecretBasic>,
  fetch: OriginFetch,
): Configuration {
  const config = new Configuration({ issuer: tokenAddress.origin, token_endpoint: tokenAddress.href }, clientId, undefined, client)
  config[customFetch] = fetch
  if (tokenAddress.protocol === 'http:') allowInsecureRequests(config)
  return config
}

async function readSecret({ clientSecret, clientId }: ClientCredentials): Promise<string> {
  const secret = await clientSecret().catch((error: unknown) => {
    throw new DirectoryError('credentials', `the secret of client "${clientId}": ${error instanceof Error ? error.message : String(error)}`)
  })
  if (secret !== '') return secret
  throw new DirectoryError('credentials', `the secret of client "${clientId}" is empty`, {
    cure: 'fill the file or variable that the settings name',
  })
}

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const give = () => reject(signal.reason as Error)
    signal.addEventListener('abort', give, { once: true })
    void promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', give))
  })
}
