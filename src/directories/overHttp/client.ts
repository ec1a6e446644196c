import { defined } from '../../core/fields.ts'
import type { ClientAuthentication } from '../../http/clientAuthentication.ts'
import { privateKeysIn, type SigningKey, type SigningOptions, signingKey, UnusableKey } from '../../http/signingKey.ts'
import { type CertificateSource, readClientCertificate, readCredential, readForeignJwt, readOwnCertificate } from '../credentials.ts'
import { DirectoryError } from '../directoryError.ts'

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
export async function readProof(client: DirectoryClient, signal: AbortSignal): Promise<Proof> {
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
export function checkOf(client: DirectoryClient): string {
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
