/**
 * The people whose role on the target of one change would be another one if the whole plan were written. The directories know the members of groups; a
 * role that a person has by hand in Plane is not seen.
 */
export type PeopleEffect =
  | CountedEffect
  | { readonly kind: 'unknown'; readonly why: string }
  /** The plan is made from a recording without these members. The limits on people judge the change when it is applied. */
  | { readonly kind: 'notRecorded' }

/** What happens to people by the whole plan, and whom each limit counts at this change. A change for all projects counts a person once for each kind. */
export type CountedEffect = {
  readonly kind: 'counted'
  readonly newly: number
  readonly raised: number
  readonly lowered: number
  readonly lost: number
  /** Those of `newly` and `raised`, each person once. */
  readonly raise: number
  /** People who have no protected role there, and get one by this change, also if another change of the plan gives them a higher role. */
  readonly gainProtected: number
  /**
   * For the delete of an undeclared mapping: people who lose the role, or keep a lower one, in the worst case: the plan's other changes that take something away
   * are written, and no grant but those that the delete requires. A run may end anywhere. 0 for other changes.
   */
  readonly lose: number
  /** The group may have more people than its directory knows, so each number may be larger. */
  readonly atLeast?: true
}

/** How many people the changes of a plan may concern together before they need approval. An absent limit limits nothing. */
export type PeopleLimits = {
  /** For deletes of undeclared mappings: people who lose the role, or keep a lower one. */
  readonly lose?: number
  /** People who newly get a role, or a higher one. */
  readonly raise?: number
  /** People who get a protected role, and had none there. */
  readonly gainProtected?: number
}

/**
 * A limit that a change exceeds. `people`: undefined if the number is not known, which counts as above every limit. `atLeast`: then the number of those
 * who are known, if the directory knows some.
 */
export type PeopleOver = {
  readonly over: keyof PeopleLimits
  readonly people?: number
  /** With others that are written, if only all of them together exceed the limit. */
  readonly together?: number
  readonly atLeast?: number
  readonly limit: number
  readonly setting: string
  /** The waiver that lets this change pass up to this number of people. */
  readonly pass: string
}
