import { allowInsecureRequests, Configuration, clientCredentialsGrant, customFetch, discovery, type ServerMetadata } from 'openid-client'
import { authenticationsFor, type ClientAuthentication } from './clientAuthentication.ts'
import type { ClientCertificate } from './connections.ts'
import { ForeignAddress } from './foreignAddress.ts'
import type { Origin } from './origin.ts'
import { type OriginFetch, originFetch, refusalIn } from './originFetch.ts'

export type ClientCredentials = {
  /** An issuer, whose metadata names the token address (OpenID Connect Discovery 1.0 §4), or the token address of a server without metadata. */
  readonly server: { readonly issuer: URL } | { readonly tokenAddress: URL }
  readonly clientId: string
  /** Called for each token, so that a rotated secret needs no restart. Its errors are thrown as they are. */
  readonly authentication: (signal: AbortSignal) => Promise<ClientAuthentication>
  /** `scope` and other fields of the form. */
  readonly parameters?: Readonly<Record<string, string>>
  /** Opened for each token, and closed after it. */
  readonly connect: (clientCertificate?: ClientCertificate) => Origin
  /** Called with every token before it is used, and with every assertion before it is sent, so that no text shows it. */
  readonly onToken?: (token: string) => void
  /**
   * Turns an error of the request for a token into the error to throw. `address`: the last address that was asked, without query. `said`: the
   * server's `error` and `error_description`, or nothing. It may return a promise of the error. It is not called after an abort.
   */
  readonly explain: (error: unknown, address: string, said: string) => unknown
  readonly now: () => number
}

export type BearerToken = { readonly text: string; readonly untilMs: number }

/** The lifetime if the server does not say it (RFC 6749 §5.1). A short guess is safe, since a refused token is renewed anyway. */
const lifetimeUnsaidMs = 60_000
/** A token is renewed up to this long before it expires, because a request with it may first wait for the rate limit. */
const marginMaxMs = 60_000

/** Requests one token. */
export async function bearerToken(options: ClientCredentials, signal: AbortSignal): Promise<BearerToken> {
  const { server, parameters, connect, explain, now } = options
  const authentication = await options.authentication(signal)
  const home = 'issuer' in server ? server.issuer : server.tokenAddress
  let asked = home.origin + home.pathname
  let said = ''
  const admit = (address: URL) => {
    asked = address.origin + address.pathname
    // The metadata of a server must not send the secret to another server.
    if (address.origin !== home.origin) throw new ForeignAddress(address)
  }
  const certificate = authentication.method === 'tls_client_auth' ? authentication.certificate : undefined
  const origin = connect(certificate)
  const plainFetch = originFetch(origin, admit, signal)
  const fetch: OriginFetch = async (address, init) => {
    const assertion = init.body instanceof URLSearchParams ? init.body.get('client_assertion') : null
    if (assertion !== null) options.onToken?.(assertion)
    const answer = await plainFetch(address, init)
    said = await refusalIn(answer)
    return answer
  }
  const insecure = home.protocol === 'http:' ? [allowInsecureRequests] : []
  try {
    const ways = authenticationsFor(options.clientId, authentication)
    const told = 'issuer' in server ? await metadataOf(server.issuer, options.clientId, fetch, insecure) : tokenEndpoint(home)
    const metadata = certificate === undefined ? told : withCertificateEndpoint(told)
    for (let way = 0; ; way++) {
      const config = new Configuration(metadata, options.clientId, undefined, ways[way])
      config[customFetch] = fetch
      for (const allow of insecure) allow(config)
      try {
        const askedAtMs = now()
        const answer = await clientCredentialsGrant(config, { ...parameters })
        const lifetimeMs = answer.expires_in === undefined ? lifetimeUnsaidMs : answer.expires_in * 1000
        return { text: answer.access_token, untilMs: askedAtMs + lifetimeMs - Math.min(marginMaxMs, lifetimeMs / 4) }
      } catch (error) {
        const isRefused = error instanceof Error && 'status' in error && error.status === 401
        if (!isRefused || way + 1 >= ways.length || signal.aborted) throw error
      }
    }
  } catch (error) {
    throw signal.aborted ? error : await explain(error, asked, said)
  } finally {
    await origin.close()
  }
}

/** A server may have another token endpoint for clients with a certificate (RFC 8705 §5). */
function withCertificateEndpoint(metadata: ServerMetadata): ServerMetadata {
  const aliases: unknown = metadata['mtls_endpoint_aliases']
  const address = aliases instanceof Object && 'token_endpoint' in aliases ? URL.parse(String(aliases.token_endpoint)) : null
  return address === null ? metadata : { ...metadata, ...tokenEndpoint(address), issuer: metadata.issuer }
}

/** Where no issuer is known, the token endpoint is the audience of a signed JWT (RFC 7523 §3). */
const tokenEndpoint = (address: URL): ServerMetadata => ({ issuer: address.href, token_endpoint: address.href })

async function metadataOf(
  issuer: URL,
  clientId: string,
  fetch: OriginFetch,
  execute: readonly (typeof allowInsecureRequests)[],
): Promise<ServerMetadata> {
  const config = await discovery(issuer, clientId, undefined, undefined, { [customFetch]: fetch, execute: [...execute] })
  return config.serverMetadata()
}
