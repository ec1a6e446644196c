import type { Clock } from '../core/clock.ts'
import { errorChain } from '../core/errorText.ts'
import { clientCredentials } from '../http/clientCredentials.ts'
import { NoAnswer, type Origin } from '../http/origin.ts'
import { retryAfter } from '../http/rateHeaders.ts'
import { excerpt } from './answerBody.ts'
import { credentialDoubtCure, NotSent, secretCure } from './errors.ts'

/** An API key or a token. Its secret is asked for again and again, so a rotated secret needs no restart. */
export type Credential = {
  /** The name in the settings. People see only this of a credential. */
  readonly name: string
  /** The headers for a request. @throws {NotSent} if there is no secret or no token */
  headers(signal: AbortSignal): Promise<Readonly<Record<string, string>>>
  /** Called after a 401. Returns whether to try once more with new headers. */
  renew(refused: Readonly<Record<string, string>>): boolean
  /** The values that no text may show. */
  secrets(): readonly string[]
}

/** A secret by reference: a file, an environment variable. */
type Secret = () => Promise<string>

/** There is no secret to send. The message never has any of its content. */
const noSecret = (message: string, more: { readonly cure?: string; readonly cause?: unknown } = {}): NotSent =>
  new NotSent('secret', message, { cure: secretCure, ...more })

/** A personal access token, which Plane calls API key. */
export function apiKey(name: string, key: Secret): Credential {
  let last: string | undefined
  return {
    name,
    headers: async () => {
      last = await credentialSecret(name, key)
      return { 'x-api-key': last }
    },
    renew: () => false,
    secrets: () => (last === undefined ? [] : [last]),
  }
}

/** The secret without surrounding blanks. @throws {NotSent} if it cannot be read, is empty, or cannot be a header */
async function credentialSecret(name: string, secret: Secret): Promise<string> {
  let value: string
  try {
    value = (await secret()).trim()
  } catch (error) {
    throw noSecret(`credential "${name}" cannot be read: ${error instanceof Error ? error.message : 'unknown reason'}`, { cause: error })
  }
  if (value === '') throw noSecret(`credential "${name}" is empty`)
  if (!/^[\x21-\x7e]+$/.test(value))
    throw noSecret(`credential "${name}" contains characters that a header cannot have: check that it is the right file`, {
      cure: credentialDoubtCure,
    })
  return value
}

export type OAuthClient = {
  readonly clientId: string
  readonly clientSecret: Secret
  /** The id of the app's installation in one workspace; the token is valid for that workspace. */
  readonly installation: string
  readonly scopes: readonly string[]
  /** Called with every token before it is used, so that no text shows it. */
  readonly onToken?: (token: string) => void
}

/**
 * After a failure the token endpoint is not asked again for this long, so that it is not asked once for each workspace; its `Retry-After` can make
 * this longer.
 */
const failureKeptMs = 5_000
const failureKeptMaxMs = 900_000

type Failure = { readonly error: unknown; readonly toMs: number }

/**
 * A bearer token of Plane by client credentials: `POST {base}/auth/o/token/`, Basic authentication. If a token is refused, a new one is
 * requested in the same way, because Plane gives no refresh token.
 *
 * @param origin the service; the client's secret is sent only to it
 */
export function oauthClient(name: string, client: OAuthClient, origin: Origin, { now, wall }: Pick<Clock, 'now' | 'wall'>): Credential {
  let failure: Failure | undefined
  let waitMs: number | undefined
  let secret: string | undefined
  let token: string | undefined
  const secrets = () => [secret, token].filter((value) => value !== undefined)
  const address = tokenAddress(origin)

  const request: Origin['request'] = async (wanted, signal) => {
    waitMs = undefined
    const answer = await origin.request(wanted, signal)
    waitMs = retryAfter(answer, wall())
    return answer
  }
  const tokens = clientCredentials({
    server: { tokenAddress: new URL(address) },
    clientId: client.clientId,
    authentication: async () => {
      secret = await credentialSecret(name, client.clientSecret)
      return { method: 'client_secret_basic', secret }
    },
    parameters: { app_installation_id: client.installation, scope: client.scopes.join(' ') },
    // The origin is also used for the API, so it is not closed here.
    connect: () => ({ ...origin, request, close: async () => undefined }),
    onToken(text) {
      token = text
      client.onToken?.(text)
    },
    explain(error, _address, detail) {
      const keptMs = Math.min(Math.max(waitMs ?? 0, failureKeptMs), failureKeptMaxMs)
      failure = { error: noToken(error, detail, name, client, address, secrets()), toMs: now() + keptMs }
      return failure.error
    },
    now,
  })

  async function bearer(signal: AbortSignal): Promise<string> {
    if (failure !== undefined && now() < failure.toMs) throw failure.error
    try {
      return await tokens.token(signal)
    } catch (error) {
      throw signal.aborted ? new NoAnswer('aborted', false, now(), 'given up before there was a token', error) : error
    }
  }

  return {
    name,
    headers: async (signal) => ({ authorization: `${scheme}${await bearer(signal)}` }),
    renew({ authorization = '' }) {
      tokens.forget(authorization.slice(scheme.length))
      return true
    },
    secrets,
  }
}

const scheme = 'Bearer '
const tokenAddress = ({ url }: Origin) => `${url.origin}${url.pathname.replace(/\/$/, '')}/auth/o/token/`

function noToken(
  error: unknown,
  detail: string,
  name: string,
  { clientId }: OAuthClient,
  address: string,
  secrets: readonly string[],
): NotSent {
  const chain = errorChain(error)
  const silent = chain.find((cause) => cause instanceof NoAnswer)
  const status = chain.map(statusOf).find((code) => code !== undefined)
  const refused = status === 401 ? ['client id or secret refused'] : []
  // The texts of openid-client do not help people if the server gave a reason.
  const told =
    status === 401 || detail !== ''
      ? detail
      : (silent?.message ?? chain.flatMap((cause) => (cause instanceof Error ? [cause.message] : [])).join(': '))
  const why = [...refused, told].filter((text) => text !== '').join(': ')
  const sentence = `no token for credential "${name}" (client ${excerpt(clientId)}) from ${address}: ${excerpt(why, secrets)}`
  return new NotSent('credential', status === undefined ? sentence : `${sentence} (${status})`, {
    status,
    cause: error,
    cure: credentialDoubtCure,
  })
}

const statusOf = (error: unknown): number | undefined =>
  typeof error === 'object' && error !== null && 'status' in error && typeof error.status === 'number' ? error.status : undefined
