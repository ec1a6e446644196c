import { allowInsecureRequests, type Configuration, customFetch, type ServerMetadata } from 'openid-client'
import { secretCharactersMin } from '../core/secretText.ts'
import { parseJson } from './json.ts'
import { NoAnswer, type Origin } from './origin.ts'
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
  readonly explain: (error: unknown, address: string, detail: string) => unknown
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
  let detail = ''
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
    detail = await refusalIn(answer)
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
    throw signal.aborted ? error : await explain(error, asked, detail)
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
    throw new TypeError(`the token has fewer than ${secretCharactersMin} characters, too few to be kept out of the log`)
  return expiring(text, askedAtMs, lifeS === undefined ? undefined : lifeS * 1000)
}

/** A server without metadata. Where no issuer is known, the token endpoint is the audience of a signed JWT (RFC 7523 §3). */
export const tokenEndpoint = (address: URL): ServerMetadata => ({ issuer: address.href, token_endpoint: address.href })

/** The fields of an answer with a token that this program uses (RFC 6749 §5.1). */
const used: ReadonlySet<string> = new Set(['access_token', 'token_type', 'expires_in'])

/**
 * An answer with a token, without the fields that this program does not use. openid-client refuses an answer if any field is not as the standard says,
 * and some servers write null for each field that they have no value for. A life that is not more than 0 says nothing: otherwise a token would be asked for
 * before each request. Other answers stay as they are.
 */
async function withUsedFields(answer: Response): Promise<Response> {
  if (answer.status !== 200) return answer
  const body = objectIn(await answer.clone().text())
  if (body?.['access_token'] === undefined) return answer
  const fields = Object.entries(body).filter(([name, value]) => used.has(name) && !(name === 'expires_in' && Number(value) <= 0))
  return new Response(JSON.stringify(Object.fromEntries(fields)), { status: answer.status, headers: answer.headers })
}

/** The `error` and `error_description` of an answer (RFC 6749 §5.2), in one text. For a 401 openid-client reads only the header. */
async function refusalIn(answer: Response): Promise<string> {
  const body = objectIn(await answer.clone().text())
  if (body === undefined || (answer.status < 400 && body['access_token'] !== undefined)) return ''
  return [body['error'], body['error_description']].filter((part) => typeof part === 'string' && part !== '').join(': ')
}

function objectIn(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const parsed = parseJson({ body })
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : undefined
  } catch {
    return undefined
  }
}

/** The part of `fetch` that OAuth libraries use. */
type OriginFetch = (
  address: string,
  init: { readonly method: string; readonly headers: Readonly<Record<string, string>>; readonly body?: unknown },
) => Promise<Response>

/** Maximum of an answer. A token with its metadata has a few thousand characters; the library has no limit of its own. */
export const oauthCharactersMax = 1_000_000

/**
 * A `fetch` for one origin, with its CA, proxy, deadline and limit on bytes. The global `fetch` has none of these, and the metadata of a server
 * could lead it to any host.
 *
 * @param admit called with each address before a request; throws for an address that must get no request
 */
export function originFetch(origin: Pick<Origin, 'url' | 'request'>, admit: (address: URL) => void, signal: AbortSignal): OriginFetch {
  const prefix = origin.url.pathname.replace(/\/$/, '')
  return async (address, { method, headers, body }) => {
    const url = new URL(address)
    admit(url)
    if (url.origin !== origin.url.origin || !url.pathname.startsWith(`${prefix}/`))
      throw new TypeError(`${address} is not below ${origin.url.href}`)
    const answer = await origin.request(
      {
        method: method === 'POST' ? 'POST' : 'GET',
        path: url.pathname.slice(prefix.length) + url.search,
        headers,
        ...(body instanceof URLSearchParams ? { body: body.toString() } : {}),
      },
      signal,
    )
    if (answer.body.length > oauthCharactersMax) {
      const why = `the answer has more than ${oauthCharactersMax} characters, too many for a token or for metadata`
      throw new NoAnswer('tooLarge', true, answer.receivedAtMs, why, undefined, `${method} ${url.origin}${url.pathname}`)
    }
    // A Response with one of these statuses may not even have an empty body.
    const empty = answer.status === 204 || answer.status === 205 || answer.status === 304
    return new Response(empty ? null : answer.body, { status: answer.status, headers: answer.headers })
  }
}

/** The metadata of the server, or an answer, names an address of another origin, which must not get the secret. */
export class ForeignAddress extends Error {
  override readonly name = 'ForeignAddress'
  readonly address: URL
  constructor(address: URL) {
    super(`${address.origin}${address.pathname} is not an address for this secret`)
    this.address = address
  }
}
