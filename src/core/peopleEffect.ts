import type { Bounds, GroupSize } from './bounds.ts'

/**
 * The people whose role on the target of one change would be another one if the whole plan were written. The directories know the members of groups; a
 * role that a person has by hand in Plane is not seen.
 */
export type PeopleEffect =
  | CountedEffect
  /** The plan is made from a recording without these members. The limits on people judge the change when it is applied. */
  | { readonly kind: 'notRecorded' }

/** What happens to people by the whole plan, and whom each limit counts at this change. A change for all projects counts a person once for each kind. */
export type CountedEffect = {
  readonly kind: 'counted'
  readonly newly: Bounds
  readonly raised: Bounds
  readonly lowered: Bounds
  readonly lost: Bounds
  /** Those of `newly` and `raised`, each person once. */
  readonly raise: Bounds
  /** People who have no protected role there, and get one by this change, also if another change of the plan gives them a higher role. */
  readonly gainProtected: Bounds
  /**
   * For the delete of an undeclared mapping: people who lose the role, or keep a lower one, in the worst case: the plan's other changes that take something away
   * are written, and no grant but those that the delete requires. A run may end anywhere. 0 for other changes.
   */
  readonly lose: Bounds
  /** Why not all of these numbers are exact; absent if they are. */
  readonly why?: string
}

/** The effect of one change, and how many people its group has. */
export type PeopleOfChange = { readonly effect: PeopleEffect; readonly size?: GroupSize }

/** How many people the changes of a plan may concern together before they need approval. An absent limit limits nothing. */
export type PeopleLimits = {
  /** For deletes of undeclared mappings: people who lose the role, or keep a lower one. */
  readonly lose?: number
  /** People who newly get a role, or a higher one. */
  readonly raise?: number
  /** People who get a protected role, and had none there. */
  readonly gainProtected?: number
}

/** A limit that a change exceeds, or perhaps exceeds. `people`: an unknown number counts as above every limit. */
export type PeopleOver = {
  readonly over: keyof PeopleLimits
  readonly people: Bounds
  /** With others that are written, if only all of them together exceed the limit. */
  readonly together?: Bounds
  readonly limit: number
  readonly setting: string
  /** The waiver that lets this change pass up to this number of people. */
  readonly pass: string
}
