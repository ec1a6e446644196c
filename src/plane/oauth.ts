import { errorChain } from '../core/errorText.ts'
import { clientCredentials } from '../http/clientCredentials.ts'
import { NoAnswer, type Origin } from '../http/origin.ts'
import { type Credential, credentialSecret, noCredential, type Secret } from './credential.ts'
import { excerpt } from './excerpt.ts'
import type { NotSent } from './notSent.ts'
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

/** A token endpoint that has failed is not asked with each workspace, and no sooner than it says. */
const failureKeptMs = 5_000
const failureKeptMaxMs = 900_000

type Failure = { readonly error: unknown; readonly fromMs: number; readonly toMs: number }

/**
 * A bearer token of the service itself by client credentials: `POST {base}/auth/o/token/`, Basic authentication. A refused token is asked for
 * anew: Plane gives no refresh token.
 *
 * @param origin the service: the client's secret goes nowhere else
 */
export function oauthClient(name: string, client: OAuthClient, origin: Origin, now: () => number): Credential {
  let failure: Failure | undefined
  let waitMs: number | undefined
  let secret: string | undefined
  let token: string | undefined
  const secrets = () => [secret, token].filter((value) => value !== undefined)
  const address = tokenAddress(origin)

  const request: Origin['request'] = async (wanted, signal) => {
    waitMs = undefined
    const answer = await origin.request(wanted, signal)
    waitMs = retryAfter(answer, now())
    return answer
  }
  const tokens = clientCredentials({
    server: { tokenAddress: new URL(address) },
    clientId: client.clientId,
    clientSecret: async () => (secret = await credentialSecret(name, client.clientSecret)),
    authentication: 'client_secret_basic',
    parameters: { app_installation_id: client.installation, scope: client.scopes.join(' ') },
    // The service's own origin stays open.
    connect: () => ({ ...origin, request, close: async () => undefined }),
    learned(text) {
      token = text
      client.learned?.(text)
    },
    explain(error) {
      const fromMs = now()
      const keptMs = Math.min(Math.max(waitMs ?? 0, failureKeptMs), failureKeptMaxMs)
      failure = { error: noToken(error, name, client, address, secrets()), fromMs, toMs: fromMs + keptMs }
      return failure.error
    },
    now,
  })

  async function bearer(signal: AbortSignal): Promise<string> {
    if (failure !== undefined && now() >= failure.fromMs && now() < failure.toMs) throw failure.error
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

function noToken(error: unknown, name: string, { clientId }: OAuthClient, address: string, secrets: readonly string[]): NotSent {
  const chain = errorChain(error)
  const silent = chain.find((cause) => cause instanceof NoAnswer)
  const status = chain.map(statusOf).find((found) => found !== undefined)
  // A 401 arrives as a challenge, which says nothing to people.
  const why = status === 401 ? 'client id or secret refused' : (silent?.message ?? chain.map(said).join(': '))
  const sentence = `no token for credential "${name}" (client ${excerpt(clientId)}) from ${address}: ${excerpt(why, secrets)}`
  return noCredential(status === undefined ? sentence : `${sentence} (${status})`, { status, cause: error })
}

const statusOf = (error: unknown): number | undefined =>
  typeof error === 'object' && error !== null && 'status' in error && typeof error.status === 'number' ? error.status : undefined

const said = (error: unknown): string => {
  if (!(error instanceof Error)) return ''
  return 'error_description' in error && typeof error.error_description === 'string' ? error.error_description : error.message
}
