import { readCertificates } from '../files/certificates.ts'
import { DirectoryError } from './directoryError.ts'

/** The text of a CA file; undefined if the settings name none. @throws {DirectoryError} */
export async function readCaFile(file: string | undefined, signal: AbortSignal): Promise<string | undefined> {
  return file === undefined
    ? undefined
    : readCertificateFile(`caFile ${file}`, file, 'put the certificates of the issuing CA (PEM) there', signal)
}

/** The text of a file of certificates (PEM). @throws {DirectoryError} */
export async function readCertificateFile(named: string, file: string, cure: string, signal: AbortSignal): Promise<string> {
  const read = await readCertificates(file, signal)
  if (typeof read === 'string') return read
  throw new DirectoryError('credentials', `${named} cannot be read: ${read.why}`, { cure })
}
