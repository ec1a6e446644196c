import { createSecureContext } from 'node:tls'
import { messageOf } from '../../core/errorText.ts'
import { defined } from '../../core/fields.ts'
import type { ClientAuthentication } from '../../http/clientAuthentication.ts'
import { nodeCodeOf } from '../../http/nodeCode.ts'
import { privateKeysIn, type SigningKey, type SigningOptions, signingKey, UnusableKey } from '../../http/signingKey.ts'
import { readCertificateFile } from '../certificateFile.ts'
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
  | { readonly tls: { readonly certificateFile: string; readonly key: () => Promise<string> } }

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
  if ('secret' in client) {
    const secret = await readSecret('secret', client.secret, client.id)
    const method = client.authentication ?? 'client_secret_basic'
    return { authentication: { method, secret }, revision: secret, secrets: [] }
  }
  if ('assertion' in client) {
    const assertion = (await readSecret('assertion', client.assertion, client.id)).trim()
    if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(assertion))
      throw new DirectoryError('credentials', `the assertion of client "${client.id}" is not a JWT`, {
        cure: 'name the file in which the other issuer puts its token, such as a projected service-account token of Kubernetes',
      })
    return { authentication: { method: 'client_assertion', assertion }, revision: '', secrets: [] }
  }
  if ('privateKey' in client) {
    const { keyId, certificateFile, jwt } = client.privateKey
    const text = await readSecret('private key', client.privateKey.key, client.id)
    const certificate =
      certificateFile === undefined ? undefined : await readClientCertificate(client.id, certificateFile, 'privateKey', signal)
    const key = signingKeyOf(client.id, text, defined({ ...jwt, keyId, certificate }))
    return { authentication: { method: 'private_key_jwt', key }, revision: [text, certificate].join(), secrets: key.secrets }
  }
  const certificate = await readClientCertificate(client.id, client.tls.certificateFile, 'tls', signal)
  const key = await readSecret('key', client.tls.key, client.id)
  refuseWrongPair(client.id, certificate, key)
  return {
    authentication: { method: 'tls_client_auth', certificate: { certificate, key } },
    revision: [certificate, key].join(),
    secrets: privateKeysIn(key),
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

async function readSecret(what: string, read: () => Promise<string>, id: string): Promise<string> {
  const secret = await read().catch((error: unknown) => {
    throw new DirectoryError('credentials', `the ${what} of client "${id}": ${messageOf(error)}`)
  })
  if (secret !== '') return secret
  throw new DirectoryError('credentials', `the ${what} of client "${id}" is empty`, {
    cure: 'fill the file or variable that the settings name',
  })
}

const readClientCertificate = (id: string, file: string, setting: 'privateKey' | 'tls', signal: AbortSignal): Promise<string> =>
  readCertificateFile(`${setting}.certificateFile ${file} of client "${id}"`, file, 'put the certificate (PEM) of the key there', signal)

function signingKeyOf(id: string, text: string, options: SigningOptions): SigningKey {
  try {
    return signingKey(text, options)
  } catch (error) {
    if (!(error instanceof UnusableKey)) throw error
    throw new DirectoryError('credentials', `the private key of client "${id}" ${error.message}`, { cure: error.cure })
  }
}

/** OpenSSL would refuse the pair only when the connection is opened, and its error names neither the client nor the setting. */
function refuseWrongPair(id: string, cert: string, key: string): void {
  try {
    createSecureContext({ cert, key })
  } catch (error) {
    throw new DirectoryError(
      'credentials',
      `the certificate and the key of client "${id}" cannot be used together (${nodeCodeOf(error)})`,
      {
        cure: 'name a certificate (PEM) and its private key (PEM, without a passphrase)',
      },
    )
  }
}
