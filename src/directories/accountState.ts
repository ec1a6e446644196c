import type { Person } from '../core/people/members.ts'
import type { DirectMembers } from './membership.ts'

/**
 * What is known of an account. `works`: a person can sign in with it, if need be after a new password or after a lock that wrong passwords made. `ended`:
 * nobody can sign in with it until an administrator acts. `unclear`: why it is not known.
 */
export type AccountState = 'works' | 'ended' | { readonly unclear: string }

/** What one attribute of an account says. Readers of members use these rows, and docs/directories.md shows them. */
export type StateRow<About extends readonly unknown[]> = {
  /** The servers that have it. */
  readonly of: string
  readonly attribute: string
  /** In words: with which values nobody can sign in. */
  readonly ended: string
  /** The page that says so. */
  readonly source: string
  readonly stateOf: (...about: About) => AccountState
}

export const notUnderstood = (attribute: string): AccountState => ({
  unclear: `${attribute} of a member has a value that is not understood, so it is not known whether this account can sign in`,
})

/** @param endsMs epoch ms; undefined if the value is no such moment */
export function endAt(endsMs: number | undefined, asOfMs: number, attribute: string): AccountState {
  if (endsMs === undefined) return notUnderstood(attribute)
  return endsMs <= asOfMs ? 'ended' : 'works'
}

/** The people among members, by their accounts. `disabled`: how many members have an account with which nobody can sign in. */
type ByState = Required<Pick<DirectMembers, 'people' | 'notCounted'>> & Pick<DirectMembers, 'doubtful'>

/**
 * Sorts members by their accounts.
 *
 * @param personOf the person of a member
 */
export function byState<Member>(
  members: Iterable<Member>,
  stateOf: (member: Member) => AccountState,
  personOf: (member: Member) => Person,
): ByState {
  const people: Person[] = []
  const doubtful: Person[] = []
  let why: string | undefined
  let disabled = 0
  for (const member of members) {
    const state = stateOf(member)
    if (state === 'ended') disabled++
    else if (state === 'works') people.push(personOf(member))
    else {
      doubtful.push(personOf(member))
      why ??= state.unclear
    }
  }
  return { people, ...(why === undefined ? {} : { doubtful: { members: doubtful, why } }), notCounted: { disabled } }
}
