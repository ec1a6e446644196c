import type { Amounts } from '../amounts.ts'
import type { FlappingSettings } from '../memory/lastApplied.ts'
import type { PeopleLimits } from '../peopleEffect.ts'

/** The limits of the guards. */
export type GuardSettings = {
  readonly creates: { readonly count: number }
  readonly raises: Limit
  readonly lowers: Limit
  readonly deletes: Limit
  /** Summed over all workspaces and slices of one run, and over the 24 hours before now. */
  readonly run: Amounts
  readonly day: Amounts
  readonly flapping: FlappingSettings
  readonly protectedGroups: readonly string[]
  readonly people?: PeopleLimits
}
/** Passes if n ≤ `count` and n ≤ max(`minExisting`, `share` × owned). */
export type Limit = { readonly count: number; readonly share: number; readonly minExisting: number }
