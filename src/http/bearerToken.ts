import {
  type ClientAuth,
  ClientSecretPost,
  Configuration,
  clientCredentialsGrant,
  customFetch,
  discovery,
  genericGrantRequest,
  modifyAssertion,
  PrivateKeyJwt,
  type ServerMetadata,
  TlsClientAuth,
} from 'openid-client'
import type { ClientCertificate } from './connections.ts'
import type { Origin } from './origin.ts'
import type { SigningKey } from './signingKey.ts'
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

/**
 * How a client proves its identity at the token endpoint, under the names of OAuth (RFC 8414, RFC 8705). `client_assertion` is a JWT that another
 * issuer has signed (RFC 7523 §2.2), such as the token of a Kubernetes service account.
 */
export type ClientAuthentication =
  | { readonly method: 'client_secret_basic' | 'client_secret_post'; readonly secret: string }
  | { readonly method: 'private_key_jwt'; readonly key: SigningKey }
  | { readonly method: 'client_assertion'; readonly assertion: string }
  | { readonly method: 'tls_client_auth'; readonly certificate: ClientCertificate }

/**
 * The ways to prove the identity of a client, in the order in which they are tried. By RFC 6749 (§2.3.1, appendix B) the id and the secret are
 * form-encoded, then joined for Basic. Some servers do not decode them, and so refuse a secret with characters such as `+`, `/` or `=`. So after a
 * 401 the id and the secret are sent without this encoding. `-`, `_` and `.` are the same in both ways.
 */
function authenticationsFor(clientId: string, authentication: ClientAuthentication): readonly ClientAuth[] {
  switch (authentication.method) {
    case 'client_secret_post':
      return [ClientSecretPost(authentication.secret)]
    case 'client_secret_basic':
      return basicAuthentications(clientId, authentication.secret)
    case 'private_key_jwt':
      return [signedBy(authentication.key)]
    case 'client_assertion':
      return [assertedBy(clientId, authentication.assertion)]
    case 'tls_client_auth':
      return [TlsClientAuth()]
    default:
      return authentication satisfies never
  }
}

function basicAuthentications(clientId: string, secret: string): readonly ClientAuth[] {
  const encoded = `${formEncoded(clientId)}:${formEncoded(secret)}`
  const plain = `${clientId}:${secret}`
  // The first colon ends the id.
  return plain === encoded || clientId.includes(':') ? [basic(encoded)] : [basic(encoded), basic(plain)]
}

const formEncoded = (text: string): string => new URLSearchParams({ _: text }).toString().slice(2)

const basic =
  (account: string): ClientAuth =>
  (_server, _client, _body, headers) =>
    headers.set('authorization', `Basic ${Buffer.from(account).toString('base64')}`)

/** The audience is the issuer, or the token endpoint if no issuer is known. openid-client writes it. The assertion lives 60 s. */
const signedBy = ({ key, algorithm, keyId, thumbprint, type }: SigningKey): ClientAuth =>
  PrivateKeyJwt(keyId === undefined ? { key } : { key, kid: keyId }, {
    [modifyAssertion](header) {
      header['alg'] = algorithm
      if (type !== undefined) header['typ'] = type
      if (thumbprint !== undefined) header['x5t#S256'] = thumbprint
    },
  })

const assertedBy =
  (clientId: string, assertion: string): ClientAuth =>
  (_server, _client, body) => {
    body.set('client_id', clientId)
    body.set('client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer')
    body.set('client_assertion', assertion)
  }

type ExtensionGrant = TokenServer & {
  /** Such as `urn:ietf:params:oauth:grant-type:jwt-bearer`. */
  readonly grantType: string
  /** The fields of the form. */
  readonly parameters: Readonly<Record<string, string>>
  readonly now: () => number
}

/**
 * Requests one token at the token address `home` by a grant that itself proves the identity, so that no client is named: a JWT (RFC 7523 §2.1), or a
 * token that is exchanged (RFC 8693).
 */
export function extensionGrant({ grantType, parameters, now, ...server }: ExtensionGrant, signal: AbortSignal): Promise<BearerToken> {
  return askTokenServer(
    server,
    async ({ prepare }) => {
      // The library requires an id. Without an authentication it is not sent.
      const config = new Configuration(tokenEndpoint(server.home), 'none', undefined, () => undefined)
      prepare(config)
      const askedAtMs = now()
      return tokenOf(await genericGrantRequest(config, grantType, parameters), askedAtMs)
    },
    signal,
  )
}
