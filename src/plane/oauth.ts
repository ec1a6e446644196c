import {
  allowInsecureRequests,
  ClientSecretBasic,
  Configuration,
  type CustomFetch,
  clientCredentialsGrant,
  customFetch,
} from 'openid-client'
import { NoAnswer, type Origin } from '../http/origin.ts'
import { type Credential, NoCredential, readSecret, type Secret } from './credential.ts'
import { excerpt } from './excerpt.ts'

export type OAuthClient = {
  readonly clientId: string
  readonly clientSecret: Secret
  /** Which installation of the app in the workspace the token is for. */
  readonly installation: string
  readonly scopes: readonly string[]
}

type Token = { readonly text: string; readonly untilMs: number }

/** A server need not say how long its token lives (RFC 6749, 5.1). A refused token is renewed anyway. */
const lifetimeUnsaidMs = 300_000
const marginMaxMs = 60_000

/**
 * A bearer token of the service itself by client credentials (RFC 6749, 4.4): `POST {base}/auth/o/token/`, Basic authentication. Kept until
 * shortly before it expires, however many ask there is one request under way, and a refused one is asked for anew. Plane gives no refresh token.
 *
 * @param origin the service: the client's secret goes nowhere else
 */
export function oauthClient(name: string, client: OAuthClient, origin: Origin, now: () => number): Credential {
  let kept: Token | undefined
  let flight: Promise<Token> | undefined
  let secrets: readonly string[] = []

  async function ask(): Promise<Token> {
    const secret = await readSecret(name, client.clientSecret)
    secrets = [secret]
    const askedAtMs = now()
    try {
      const answer = await clientCredentialsGrant(configuration(client.clientId, secret, origin), {
        app_installation_id: client.installation,
        scope: client.scopes.join(' '),
      })
      const lifetimeMs = answer.expires_in === undefined ? lifetimeUnsaidMs : answer.expires_in * 1000
      kept = { text: answer.access_token, untilMs: askedAtMs + lifetimeMs - Math.min(marginMaxMs, lifetimeMs / 10) }
      secrets = [secret, kept.text]
      return kept
    } catch (error) {
      throw noToken(error, name, client, origin, secrets)
    } finally {
      flight = undefined
    }
  }

  return {
    name,
    async headers(signal) {
      signal.throwIfAborted()
      if (kept !== undefined && now() < kept.untilMs) return bearer(kept)
      // Not given up with the one who asked first: others may wait for it, and the origin's deadline bounds it.
      flight ??= ask()
      return bearer(await flight)
    },
    renew({ authorization }) {
      if (kept !== undefined && authorization === bearer(kept).authorization) kept = undefined
      return true
    },
    secrets: () => secrets,
  }
}

const bearer = ({ text }: Token) => ({ authorization: `Bearer ${text}` })

const tokenPath = '/auth/o/token/'
const tokenAddress = ({ url }: Origin) => `${url.origin}${url.pathname.replace(/\/$/, '')}${tokenPath}`

function configuration(clientId: string, secret: string, origin: Origin): Configuration {
  const config = new Configuration(
    { issuer: origin.url.origin, token_endpoint: tokenAddress(origin) },
    clientId,
    undefined,
    ClientSecretBasic(secret),
  )
  config[customFetch] = fetchThrough(origin)
  // Whether plain http is allowed was decided with the base address.
  if (origin.url.protocol === 'http:') allowInsecureRequests(config)
  return config
}

/** The global fetch knows neither our CA, proxy and deadline nor a limit on bytes. There is one address to ask. */
function fetchThrough(origin: Origin): CustomFetch {
  return async (address, { headers, body, signal }) => {
    if (address !== tokenAddress(origin)) throw new TypeError(`${address} is not the token address`)
    const form = body instanceof URLSearchParams ? body.toString() : ''
    const answer = await origin.request({ method: 'POST', path: tokenPath, headers, body: form }, signal ?? new AbortController().signal)
    const empty = answer.status === 204 || answer.status === 205 || answer.status === 304
    return new Response(empty ? null : answer.body, { status: answer.status, headers: answer.headers })
  }
}

function noToken(error: unknown, name: string, { clientId }: OAuthClient, origin: Origin, secrets: readonly string[]): unknown {
  if (error instanceof NoCredential) return error
  const silent = causes(error).find((cause) => cause instanceof NoAnswer)
  const status = causes(error)
    .map(statusOf)
    .find((found) => found !== undefined)
  // A 401 arrives as a challenge, which says nothing to people.
  const why = status === 401 ? 'client id or secret refused' : (silent?.message ?? causes(error).map(said).join(': '))
  const sentence = `no token for credential "${name}" (client ${excerpt(clientId)}) from ${tokenAddress(origin)}: ${excerpt(why, secrets)}`
  return new NoCredential(status === undefined ? sentence : `${sentence} (${status})`, { status, cause: error })
}

const causes = (error: unknown): readonly unknown[] => {
  const chain: unknown[] = []
  for (let at = error; at !== undefined && chain.length < 5; at = at instanceof Error ? at.cause : undefined) chain.push(at)
  return chain
}

const statusOf = (error: unknown): number | undefined =>
  typeof error === 'object' && error !== null && 'status' in error && typeof error.status === 'number' ? error.status : undefined

const said = (error: unknown): string => {
  if (!(error instanceof Error)) return ''
  return 'error_description' in error && typeof error.error_description === 'string' ? error.error_description : error.message
}
