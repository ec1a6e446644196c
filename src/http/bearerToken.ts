import { Configuration, clientCredentialsGrant, customFetch, discovery, type ServerMetadata } from 'openid-client'
import { authenticationsFor, type ClientAuthentication } from './clientAuthentication.ts'
import type { ClientCertificate } from './connections.ts'
import type { Origin } from './origin.ts'
import { type Access, askTokenServer, type TokenServer, tokenEndpoint, tokenOf } from './tokenServer.ts'
import type { BearerToken } from './tokenSource.ts'

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
  readonly explain: TokenServer['explain']
  readonly now: () => number
}

/** Requests one token. */
export async function bearerToken(options: ClientCredentials, signal: AbortSignal): Promise<BearerToken> {
  const { server, parameters, connect, explain, now } = options
  const authentication = await options.authentication(signal)
  const home = 'issuer' in server ? server.issuer : server.tokenAddress
  const certificate = authentication.method === 'tls_client_auth' ? authentication.certificate : undefined

  async function ask(access: Access): Promise<BearerToken> {
    const ways = authenticationsFor(options.clientId, authentication)
    const told = 'issuer' in server ? await metadataOf(server.issuer, options.clientId, access) : tokenEndpoint(home)
    const metadata = certificate === undefined ? told : withCertificateEndpoint(told)
    for (let way = 0; ; way++) {
      const config = new Configuration(metadata, options.clientId, undefined, ways[way])
      access.prepare(config)
      try {
        const askedAtMs = now()
        return tokenOf(await clientCredentialsGrant(config, { ...parameters }), askedAtMs)
      } catch (error) {
        if (!isRefused(error) || way + 1 >= ways.length || signal.aborted) throw error
      }
    }
  }

  return askTokenServer({ home, connect: () => connect(certificate), onProof: options.onToken, explain }, ask, signal)
}

/** A 401 without a text of OAuth and without a challenge is a `ClientError` with the answer as its cause. */
function isRefused(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ('status' in error && error.status === 401) || (error.cause instanceof Response && error.cause.status === 401)
}

/** A server may have another token endpoint for clients with a certificate (RFC 8705 §5). */
function withCertificateEndpoint(metadata: ServerMetadata): ServerMetadata {
  const aliases: unknown = metadata['mtls_endpoint_aliases']
  const address = aliases instanceof Object && 'token_endpoint' in aliases ? URL.parse(String(aliases.token_endpoint)) : null
  return address === null ? metadata : { ...metadata, ...tokenEndpoint(address), issuer: metadata.issuer }
}

async function metadataOf(issuer: URL, clientId: string, { fetch, insecure }: Access): Promise<ServerMetadata> {
  const config = await discovery(issuer, clientId, undefined, undefined, { [customFetch]: fetch, execute: [...insecure] })
  return config.serverMetadata()
}
