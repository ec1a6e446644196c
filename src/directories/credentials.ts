import { createSecureContext } from 'node:tls'
import { messageOf } from '../core/errorText.ts'
import { readCertificates } from '../files/read.ts'
import type { ClientCertificate } from '../http/connections.ts'
import { nodeCodeOf } from '../http/signingKey.ts'
import { DirectoryError } from './directoryError.ts'

/** Who has a credential, for messages: `client "plane"`. */
type Owner = string

/** @param named what it is, in words, such as `the secret of client "reader"` @throws {DirectoryError} if it cannot be read, or is empty */
export async function readCredential(named: string, read: () => Promise<string>): Promise<string> {
  const secret = await read().catch((error: unknown) => {
    throw new DirectoryError('credentials', `${named}: ${messageOf(error)}`)
  })
  if (secret !== '') return secret
  throw new DirectoryError('credentials', `${named} is empty`, { cure: 'fill the file or variable that the settings name' })
}

/** A JWT of another issuer. @throws {DirectoryError} also if it is no JWT */
export async function readForeignJwt(named: string, read: () => Promise<string>): Promise<string> {
  const jwt = (await readCredential(named, read)).trim()
  if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(jwt)) return jwt
  throw new DirectoryError('credentials', `${named} is not a JWT`, {
    cure: 'name the file in which the other issuer puts its token, such as a projected service-account token of Kubernetes',
  })
}

/** The certificate of a key (PEM). @param setting where its file is named @throws {DirectoryError} */
export const readOwnCertificate = (owner: Owner, setting: string, file: string, signal: AbortSignal): Promise<string> =>
  readCertificateFile(`${setting}.certificateFile ${file} of ${owner}`, file, 'put the certificate (PEM) of the key there', signal)

/** A file with a certificate (PEM), and what gives its private key (PEM) anew each time. */
export type CertificateSource = { readonly certificateFile: string; readonly key: () => Promise<string> }

/** The certificate and the key that a client shows in TLS, read anew. @throws {DirectoryError} also if they do not belong together */
export async function readClientCertificate(
  owner: Owner,
  setting: string,
  { certificateFile, key }: CertificateSource,
  signal: AbortSignal,
): Promise<ClientCertificate> {
  const pair = {
    certificate: await readOwnCertificate(owner, setting, certificateFile, signal),
    key: await readCredential(`the key of ${owner}`, key),
  }
  refuseWrongPair(owner, pair)
  return pair
}

/** OpenSSL would refuse the pair only when the connection is opened, and its error names neither the owner nor the setting. */
function refuseWrongPair(owner: Owner, { certificate, key }: ClientCertificate): void {
  try {
    createSecureContext({ cert: certificate, key })
  } catch (error) {
    throw new DirectoryError('credentials', `the certificate and the key of ${owner} cannot be used together (${nodeCodeOf(error)})`, {
      cure: 'name a certificate (PEM) and its private key (PEM, without a passphrase)',
    })
  }
}

/** The text of a CA file; undefined if the settings name none. @throws {DirectoryError} */
export async function readCaFile(file: string | undefined, signal: AbortSignal): Promise<string | undefined> {
  return file === undefined
    ? undefined
    : readCertificateFile(`caFile ${file}`, file, 'put the certificates of the issuing CA (PEM) there', signal)
}

/** The text of a file of certificates (PEM). @throws {DirectoryError} */
async function readCertificateFile(named: string, file: string, cure: string, signal: AbortSignal): Promise<string> {
  const read = await readCertificates(file, signal)
  if (typeof read === 'string') return read
  throw new DirectoryError('credentials', `${named} cannot be read: ${read.why}`, { cure })
}
