import type { SecretReference } from '../settings/scalars.ts'
import type { World } from './world.ts'

/** The requests for one workspace follow each other within this; a key that was rotated takes longer to reach its file. */
const keptMs = 5_000

export type KeptSecrets = {
  /** What reads one secret: anew after a few seconds, and in each cycle. */
  of(reference: SecretReference): () => Promise<string>
  /** A cycle begins: everything is read anew. */
  forget(): void
}

/** Opening a file for each request would be most of what a cycle over thousands of keys costs. */
export function keepSecrets(read: World['secret'], now: () => number): KeptSecrets {
  let cycle = 0
  return {
    forget: () => void cycle++,
    of(reference) {
      let kept: { readonly value: Promise<string>; readonly atMs: number; readonly cycle: number } | undefined
      return () => {
        const atMs = now()
        // A clock may be set back.
        if (kept !== undefined && kept.cycle === cycle && Math.abs(atMs - kept.atMs) < keptMs) return kept.value
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
