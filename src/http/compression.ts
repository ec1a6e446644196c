import type { Answer } from './origin.ts'

/**
 * Says that an answer is compressed; undefined if its header names no compression. The clients of this program ask for none. Some servers name the
 * character encoding in this header, so it counts only if the body cannot be read.
 */
export function compressionOf({ headers }: Pick<Answer, 'headers'>): string | undefined {
  const coding = /^\s*(?:x-)?(gzip|deflate|compress|br|zstd)\b/i.exec(headers['content-encoding'] ?? '')?.[1]
  return coding === undefined ? undefined : `compressed (content-encoding: ${coding.toLowerCase()})`
}
