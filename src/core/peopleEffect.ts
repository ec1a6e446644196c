/**
 * The people whose role on the target of one change would be another one if the whole plan were written. The directories know the members of groups; a
 * role that a person has by hand in Plane is not seen.
 */
export type PeopleEffect = CountedEffect | { readonly kind: 'unknown'; readonly why: string }

/** `gainProtected`: those of `newly` and `raised` who had no protected role there, and get one. */
export type CountedEffect = {
  readonly kind: 'counted'
  readonly newly: number
  readonly raised: number
  readonly lowered: number
  readonly lost: number
  readonly gainProtected: number
}
