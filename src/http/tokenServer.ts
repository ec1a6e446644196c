import { allowInsecureRequests, type Configuration, customFetch, type ServerMetadata } from 'openid-client'
import { secretCharactersMin } from '../core/secretText.ts'
import { ForeignAddress } from './foreignAddress.ts'
import type { Origin } from './origin.ts'
import { type OriginFetch, originFetch } from './originFetch.ts'
import { refusalIn, withUsedFields } from './tokenAnswer.ts'
import { type BearerToken, expiring, headerText } from './tokenSource.ts'

/** What a request to a server of OAuth needs, whatever it asks for. */
export type TokenServer = {
  /** The issuer or the token address. Only its origin gets requests. */
  readonly home: URL
  /** Opened for each token, and closed after it. */
  readonly connect: () => Origin
  /** Called with every proof of an identity before it is sent, so that no text shows it. */
  readonly onProof: ((proof: string) => void) | undefined
  /**
   * Turns an error of the request for a token into the error to throw. `address`: the last address that was asked, without query. `said`: the
   * server's `error` and `error_description`, or nothing. It may return a promise of the error. It is not called after an abort.
   */
  readonly explain: (error: unknown, address: string, said: string) => unknown
}

/** How openid-client reaches the server. `prepare` must be called with each configuration before it is used. */
export type Access = {
  readonly fetch: OriginFetch
  readonly insecure: readonly Insecure[]
  readonly prepare: (config: Configuration) => void
}
type Insecure = typeof allowInsecureRequests

/** The fields of a form that prove an identity: RFC 7521 §4, RFC 8693 §2.1. */
const proofs = ['client_assertion', 'assertion', 'subject_token'] as const

/** Opens the server, and lets `ask` request a token. Its errors are explained. */
export async function askTokenServer<T>(
  { home, connect, onProof, explain }: TokenServer,
  ask: (access: Access) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  let asked = home.origin + home.pathname
  let said = ''
  const admit = (address: URL) => {
    asked = address.origin + address.pathname
    // The metadata of a server must not send the secret to another server.
    if (address.origin !== home.origin) throw new ForeignAddress(address)
  }
  const origin = connect()
  const plainFetch = originFetch(origin, admit, signal)
  const fetch: OriginFetch = async (address, init) => {
    for (const field of proofs) {
      const proof = init.body instanceof URLSearchParams ? init.body.get(field) : null
      if (proof !== null) onProof?.(proof)
    }
    const answer = await plainFetch(address, init)
    said = await refusalIn(answer)
    return init.method === 'POST' ? withUsedFields(answer) : answer
  }
  const insecure = home.protocol === 'http:' ? [allowInsecureRequests] : []
  const prepare = (config: Configuration) => {
    config[customFetch] = fetch
    for (const allow of insecure) allow(config)
  }
  try {
    return await ask({ fetch, insecure, prepare })
  } catch (error) {
    throw signal.aborted ? error : await explain(error, asked, said)
  } finally {
    await origin.close()
  }
}

/** What openid-client takes from an answer. The type is in lower case, and `expires_in` is in seconds. */
type TokenAnswer = { readonly access_token: string; readonly token_type: string; readonly expires_in?: number }

/**
 * The token of an answer of openid-client. openid-client also accepts a token of the type DPoP. This program would send it as a Bearer token, but a client
 * must not use a token of a type that it does not understand (RFC 6749 §7.1).
 *
 * @throws {TypeError} without the token
 */
export function tokenOf(answer: TokenAnswer, askedAtMs: number): BearerToken {
  const { access_token: text, token_type: type, expires_in: lifeS } = answer
  if (type !== 'bearer')
    throw new TypeError(
      'the token is of the type DPoP, and this program uses only tokens of the type Bearer: let the server give this client tokens without DPoP',
    )
  if (!headerText.test(text)) throw new TypeError('the token has a character that no header may have')
  if (text.length < secretCharactersMin)
    throw new TypeError(`the token has less than ${secretCharactersMin} characters, too few to be kept out of the log`)
  return expiring(text, askedAtMs, lifeS === undefined ? undefined : lifeS * 1000)
}

/** A server without metadata. Where no issuer is known, the token endpoint is the audience of a signed JWT (RFC 7523 §3). */
export const tokenEndpoint = (address: URL): ServerMetadata => ({ issuer: address.href, token_endpoint: address.href })
