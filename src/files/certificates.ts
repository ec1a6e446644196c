import { readBounded, type Unread } from './read.ts'

/** The certificates of every public authority together are 220 KB. */
const bytesMax = 1024 * 1024

/** The text of a file of certificates (PEM), or why there is none. */
export async function readCertificates(path: string, signal?: AbortSignal): Promise<string | Unread> {
  const read = await readBounded(path, { bytesMax }, signal)
  if ('why' in read) return read
  const text = read.bytes.toString('utf8')
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text
  return { reason: 'failed', why: 'there is no certificate in it; PEM begins with -----BEGIN CERTIFICATE-----' }
}
