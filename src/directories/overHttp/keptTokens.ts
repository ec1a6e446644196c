import type { TokenSource } from '../../http/tokenSource.ts'
import type { DirectoryTokens } from './reader.ts'

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
