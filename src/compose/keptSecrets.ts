import type { SecretReference } from '../settings/scalars.ts'
import type { ProgramEnvironment } from './environment.ts'

/** The requests for one workspace follow each other faster than this. A rotated key takes longer than this to reach its file. */
const keptMs = 5_000

export type SecretCache = {
  /** Returns the function that gives one secret: read again after `keptMs`, and in each cycle. */
  of(reference: SecretReference): () => Promise<string>
  /** To be called when a cycle begins: every secret is read again. */
  forget(): void
}

/** Keeps secrets for a short time. Opening a file for each request would be most of the cost of a cycle over thousands of keys. */
export function openSecretCache(read: ProgramEnvironment['secret'], now: () => number): SecretCache {
  let cycle = 0
  return {
    forget: () => void cycle++,
    of(reference) {
      let kept: { readonly value: Promise<string>; readonly atMs: number; readonly cycle: number } | undefined
      return () => {
        const atMs = now()
        if (kept !== undefined && kept.cycle === cycle && atMs - kept.atMs < keptMs) return kept.value
        const value = read(reference)
        kept = { value, atMs, cycle }
        value.catch(() => {
          if (kept?.value === value) kept = undefined
        })
        return value
      }
    },
  }
}
