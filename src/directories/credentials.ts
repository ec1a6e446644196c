import { createSecureContext } from 'node:tls'
import { messageOf } from '../core/errorText.ts'
import type { ClientCertificate } from '../http/connections.ts'
import { nodeCodeOf } from '../http/nodeCode.ts'
import { readCertificateFile } from './certificateFile.ts'
import { DirectoryError } from './directoryError.ts'

/** Who has a credential, for messages: `client "plane"`. */
type Owner = string

/** A secret that must not be empty. @param what `secret`, `key` @throws {DirectoryError} */
export async function readCredential(what: string, read: () => Promise<string>, owner: Owner): Promise<string> {
  const secret = await read().catch((error: unknown) => {
    throw new DirectoryError('credentials', `the ${what} of ${owner}: ${messageOf(error)}`)
  })
  if (secret !== '') return secret
  throw new DirectoryError('credentials', `the ${what} of ${owner} is empty`, { cure: 'fill the file or variable that the settings name' })
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
    key: await readCredential('key', key, owner),
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
