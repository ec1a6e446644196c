/**
 * The people whose role on the target of one change would be another one if the whole plan were written. The directories know the members of groups; a
 * role that a person has by hand in Plane is not seen.
 */
export type PeopleEffect = CountedEffect | { readonly kind: 'unknown'; readonly why: string }

/** `gainProtected`: those of `newly` and `raised` who had no protected role there, and get one. 0 if the role of the change is not protected. */
export type CountedEffect = {
  readonly kind: 'counted'
  readonly newly: number
  readonly raised: number
  readonly lowered: number
  readonly lost: number
  readonly gainProtected: number
  /**
   * For the delete of an undeclared mapping: how many people lose the role, or keep a lower one, if it is written and no grant of the plan but those that it
   * requires. Deletes are written first, and a run may end anywhere.
   */
  readonly loseWithoutGrants?: number
  /** The group may have more people than its directory knows, so each number may be larger. */
  readonly atLeast?: true
}

/** The people whom a limit counts. */
export function peopleCounted(limit: keyof PeopleLimits, effect: CountedEffect): number {
  if (limit === 'gainProtected') return effect.gainProtected
  return limit === 'raise' ? effect.newly + effect.raised : (effect.loseWithoutGrants ?? 0)
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
  readonly atLeast?: number
  readonly limit: number
  readonly setting: string
  /** The waiver that lets this change pass up to this number of people. */
  readonly pass: string
}
