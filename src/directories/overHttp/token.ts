import { defined } from '../../core/optionalFields.ts'
import type { ClientAuthentication, ClientCredentials } from '../../http/bearerToken.ts'
import { clientCredentials } from '../../http/clientCredentials.ts'
import { privateKeysIn, type SigningKey, type SigningOptions, signingKey, UnusableKey } from '../../http/signingKey.ts'
import { headerText, type TokenSource } from '../../http/tokenSource.ts'
import { type CertificateSource, readClientCertificate, readCredential, readForeignJwt, readOwnCertificate } from '../credentials.ts'
import { DirectoryError } from '../directoryError.ts'
import { type DirectoryTokens, type HttpEnvironment, refusePlainHttp } from './reader.ts'

type TokenClient = {
  /** Secrets and keys go only to the origin of this server. */
  readonly server: ClientCredentials['server']
  readonly client: DirectoryClient
  readonly allowPlaintext: boolean
  /** `scope` and other fields of the request for a token. */
  readonly parameters?: Readonly<Record<string, string>>
  /** What else to check if the client is refused. It continues a list: `and that …`. */
  readonly check?: string
  /** What to do after an error of this kind of server, by its `error` and `error_description`; undefined if nothing more is known. */
  readonly cureOf?: (detail: string) => string | undefined
}

type TokenEnvironment = Pick<HttpEnvironment, 'connect' | 'secretSeen' | 'now' | 'wall'>

/** Tokens by client credentials. @throws {DirectoryError} with address, client id and cure, without a secret */
export function clientTokens(
  { server, client, allowPlaintext, parameters = {}, check, cureOf = () => undefined }: TokenClient,
  { connect, secretSeen, now, wall }: TokenEnvironment,
): DirectoryTokens {
  const home = 'issuer' in server ? server.issuer : server.tokenAddress

  const read = async (signal: AbortSignal) => {
    const proof = await readProof(client, signal)
    for (const secret of proof.secrets) secretSeen?.(secret)
    return proof
  }

  const sourceWith = (ca: string | undefined): TokenSource =>
    clientCredentials({
      server,
      clientId: client.id,
      parameters,
      authentication: async (signal) => (await read(signal)).authentication,
      connect: (clientCertificate) =>
        connect(new URL(home.origin), {
          ...(ca === undefined ? {} : { ca }),
          ...(clientCertificate === undefined ? {} : { clientCertificate }),
        }),
      ...(secretSeen === undefined ? {} : { onToken: secretSeen }),
      async explain(error, at, detail) {
        const { clientText, oauthCure, tokenRefusal } = await import('./tokenRefusal.ts')
        return tokenRefusal(error, {
          account: clientText(client.id),
          check: check === undefined ? checkOf(client) : `${checkOf(client)}, ${check}`,
          cure: cureOf(detail) ?? oauthCure(detail),
          showsCertificate: 'tls' in client,
          home,
          at,
          detail,
          wall,
        })
      },
      now,
    })

  return keptTokens(async (signal) => {
    refusePlainHttp(home, allowPlaintext)
    if ('tls' in client && home.protocol !== 'https:')
      throw new DirectoryError('insecure', `${home.href}: a client certificate is only shown over TLS`, { cure: 'use https' })
    return { revision: (await read(signal)).revision, source: sourceWith }
  })
}

/**
 * A token that a person or another program puts into a file or a variable. It is read at each reading, and once more after a 401 or 403, since it may
 * have been replaced meanwhile.
 *
 * @param read gives the secret behind its reference
 * @throws {DirectoryError} without the token
 */
export function staticToken(read: () => Promise<string>, { secretSeen }: Pick<HttpEnvironment, 'secretSeen'>): DirectoryTokens {
  async function fresh(): Promise<string> {
    const token = (await readCredential('the token', read)).trim()
    if (!headerText.test(token)) {
      throw new DirectoryError('credentials', `the token ${token === '' ? 'is empty' : 'has a character that no header may have'}`, {
        cure: 'put the token alone into the file or variable that the settings name',
      })
    }
    secretSeen?.(token)
    return token
  }

  return {
    async open() {
      let current: string | undefined = await fresh()
      return {
        async token() {
          return (current ??= await fresh())
        },
        forget(refused) {
          if (current === refused) current = undefined
        },
      }
    },
  }
}

/** What proves an identity, as it is at the beginning of a reading. `revision` changes with each secret, key or certificate of it. */
type Opened = { readonly revision: string; readonly source: (ca: string | undefined) => TokenSource }

/**
 * Tokens that are used in several readings, until the proof of the identity or the CA changes.
 *
 * @param openProof called at the beginning of each reading. @throws {DirectoryError}
 */
export function keptTokens(openProof: (signal: AbortSignal) => Promise<Opened>): DirectoryTokens {
  let current: { readonly revision: string; readonly source: TokenSource } | undefined
  return {
    async open(ca, signal) {
      const opened = await openProof(signal)
      const revision = JSON.stringify([ca, opened.revision])
      if (current?.revision !== revision) current = { revision, source: opened.source(ca) }
      return current.source
    },
  }
}

/** An OAuth client, and what proves its identity to the token endpoint. Functions give secrets, and read them again each time. */
export type DirectoryClient = { readonly id: string } & ClientProof

export type ClientProof =
  | { readonly secret: () => Promise<string>; readonly authentication?: 'client_secret_basic' | 'client_secret_post' }
  | {
      readonly privateKey: {
        readonly key: () => Promise<string>
        readonly keyId?: string
        readonly certificateFile?: string
        readonly jwt?: JwtForm
      }
    }
  | { readonly assertion: () => Promise<string> }
  | { readonly tls: CertificateSource }

/** How a kind of server wants the JWTs of a client. */
export type JwtForm = Pick<SigningOptions, 'rsaAlgorithm' | 'type'>

type Proof = {
  readonly authentication: ClientAuthentication
  /** Changes when another secret, key or certificate is there. */
  readonly revision: string
  readonly secrets: readonly string[]
}

/** Reads what proves the identity of a client. @throws {DirectoryError} without the secret */
async function readProof(client: DirectoryClient, signal: AbortSignal): Promise<Proof> {
  const owner = `client "${client.id}"`
  if ('secret' in client) {
    const secret = await readCredential(`the secret of ${owner}`, client.secret)
    const method = client.authentication ?? 'client_secret_basic'
    return { authentication: { method, secret }, revision: secret, secrets: [] }
  }
  if ('assertion' in client) {
    const assertion = await readForeignJwt(`the assertion of ${owner}`, client.assertion)
    return { authentication: { method: 'client_assertion', assertion }, revision: '', secrets: [] }
  }
  if ('privateKey' in client) {
    const { keyId, certificateFile, jwt } = client.privateKey
    const text = await readCredential(`the private key of ${owner}`, client.privateKey.key)
    const certificate = certificateFile === undefined ? undefined : await readOwnCertificate(owner, 'privateKey', certificateFile, signal)
    const key = signingKeyOf(client.id, text, defined({ ...jwt, keyId, certificate }))
    return { authentication: { method: 'private_key_jwt', key }, revision: [text, certificate].join(), secrets: key.secrets }
  }
  const certificate = await readClientCertificate(owner, 'tls', client.tls, signal)
  return {
    authentication: { method: 'tls_client_auth', certificate },
    revision: [certificate.certificate, certificate.key].join(),
    secrets: privateKeysIn(certificate.key),
  }
}

/** What to check if the token endpoint refuses a client. */
function checkOf(client: DirectoryClient): string {
  const grant = 'that the client may use service accounts (client credentials)'
  if ('secret' in client) {
    const check = `check the id "${client.id}", its secret, and ${grant}`
    if (client.authentication === 'client_secret_post') return check
    return `${check}; if the server takes the secret only in the body of the request, set authentication: client_secret_post`
  }
  if ('privateKey' in client) {
    const { keyId } = client.privateKey
    const key = keyId === undefined ? 'knows the public key of this private key' : `has this public key under the key id "${keyId}"`
    return `check the id "${client.id}", that the server ${key} and lets the client sign a JWT (private_key_jwt), that the clock of this machine is right, and ${grant}`
  }
  if ('assertion' in client)
    return `check that the server trusts the issuer, the subject and the audience of the JWT in this file for the client "${client.id}", that the JWT has not expired, that the clock of this machine is right, and ${grant}`
  return `check the id "${client.id}", that the server asks for client certificates and accepts this one for the client, and ${grant}`
}

function signingKeyOf(id: string, text: string, options: SigningOptions): SigningKey {
  try {
    return signingKey(text, options)
  } catch (error) {
    if (!(error instanceof UnusableKey)) throw error
    throw new DirectoryError('credentials', `the private key of client "${id}" ${error.message}`, { cure: error.cure })
  }
}
