import { allowInsecureRequests, ClientSecretBasic, Configuration, clientCredentialsGrant, customFetch } from 'openid-client'
import { NoAnswer, type Origin } from '../http/origin.ts'
import { originFetch } from '../http/originFetch.ts'
import { type Credential, NoCredential, readSecret, type Secret } from './credential.ts'
import { excerpt } from './excerpt.ts'
import { retryAfter } from './rate/rateHeaders.ts'

export type OAuthClient = {
  readonly clientId: string
  readonly clientSecret: Secret
  /** Which installation of the app in the workspace the token is for. */
  readonly installation: string
  readonly scopes: readonly string[]
  /** Told every token before it is used, so that it can be kept out of texts. */
  readonly learned?: (token: string) => void
}

type Token = { readonly text: string; readonly untilMs: number }

/** A server need not say how long its token lives (RFC 6749, 5.1). A refused token is renewed anyway. */
const lifetimeUnsaidMs = 300_000
const marginMaxMs = 60_000
/** One that has failed is not asked with each workspace, and no sooner than it says. */
const failureKeptMs = 5_000
const failureKeptMaxMs = 900_000

/**
 * A bearer token of the service itself by client credentials (RFC 6749, 4.4): `POST {base}/auth/o/token/`, Basic authentication. Kept until
 * shortly before it expires, however many ask there is one request under way, and a refused one is asked for anew. Plane gives no refresh token.
 *
 * @param origin the service: the client's secret goes nowhere else
 */
export function oauthClient(name: string, client: OAuthClient, origin: Origin, now: () => number): Credential {
  let kept: Token | undefined
  let flight: Promise<Token> | undefined
  let failure: { readonly error: unknown; readonly atMs: number; readonly keptMs: number } | undefined
  let secrets: readonly string[] = []

  async function ask(): Promise<Token> {
    const secret = await readSecret(name, client.clientSecret)
    secrets = [secret]
    const askedAtMs = now()
    let waitMs: number | undefined
    const request: Origin['request'] = async (wanted, signal) => {
      const answer = await origin.request(wanted, signal)
      waitMs = retryAfter(answer, now())
      return answer
    }
    try {
      const answer = await clientCredentialsGrant(configuration(client.clientId, secret, { ...origin, request }), {
        app_installation_id: client.installation,
        scope: client.scopes.join(' '),
      })
      const lifetimeMs = answer.expires_in === undefined ? lifetimeUnsaidMs : answer.expires_in * 1000
      kept = { text: answer.access_token, untilMs: askedAtMs + lifetimeMs - Math.min(marginMaxMs, lifetimeMs / 10) }
      secrets = [secret, kept.text]
      return kept
    } catch (error) {
      const keptMs = Math.min(Math.max(waitMs ?? 0, failureKeptMs), failureKeptMaxMs)
      failure = { error: noToken(error, name, client, origin, secrets), atMs: now(), keptMs }
      throw failure.error
    }
  }

  /** Not given up with the one who asked first: others may wait for it, and the origin's deadline bounds it. */
  async function asking(): Promise<Token> {
    if (failure !== undefined && now() >= failure.atMs && now() < failure.atMs + failure.keptMs) throw failure.error
    flight ??= ask().finally(() => (flight = undefined))
    return flight
  }

  return {
    name,
    async headers(signal) {
      signal.throwIfAborted()
      const token = kept !== undefined && now() < kept.untilMs ? kept : await asking()
      client.learned?.(token.text)
      return bearer(token)
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
  config[customFetch] = originFetch(origin, onlyTokenAddress(origin), new AbortController().signal)
  // Whether plain http is allowed was decided with the base address.
  if (origin.url.protocol === 'http:') allowInsecureRequests(config)
  return config
}

const onlyTokenAddress = (origin: Origin) => (address: URL) => {
  if (address.href !== tokenAddress(origin)) throw new TypeError(`${address.href} is not the token address`)
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
