import type { FlappingSettings } from '../memory/lastApplied.ts'
import type { PeopleLimits } from '../peopleEffect.ts'

/** The limits of the guards. */
export type GuardSettings = {
  readonly changes: Limit
  readonly deletes: Limit
  /** Holds creates; the other limits refuse the plan. */
  readonly creates: { readonly count: number }
  /** Summed over all workspaces and slices of one run, and over the 24 hours before now. */
  readonly run: ChangeCounts
  readonly day: ChangeCounts
  readonly flapping: FlappingSettings
  readonly protectedGroups: readonly string[]
  readonly people?: PeopleLimits
}
/** Passes if n ≤ `count` and n ≤ max(`minExisting`, `share` × owned). */
export type Limit = { readonly count: number; readonly share: number; readonly minExisting: number }
export type ChangeCounts = { readonly changes: number; readonly deletes: number; readonly creates: number }
