import type { Person } from '../core/people/members.ts'

/**
 * What is known of an account. `works`: a person can sign in with it, if need be after a new password or after a lock that wrong passwords made. `ended`:
 * nobody can sign in with it until an administrator acts. `unclear`: why it is not known.
 */
export type AccountState = 'works' | 'ended' | { readonly unclear: string }

/** What one attribute of an account says. Readers of members use these rows, and docs/directories.md shows them. */
export type StateRow<Value> = {
  /** The servers that have it. */
  readonly of: string
  readonly attribute: string
  /** In words: with which values nobody can sign in. */
  readonly ended: string
  /** The page that says so. */
  readonly source: string
  /** @param asOfMs epoch ms: an end that is not later has passed */
  readonly stateOf: (value: Value, asOfMs: number) => AccountState
}

/** What is not read. `so`: why the person counts, or the filter that leaves such people out. */
export type UnreadRow = { readonly of: string; readonly attributes: readonly string[]; readonly says: string; readonly so: string }

export const notUnderstood = (attribute: string): AccountState => ({
  unclear: `${attribute} of a member has a value that is not understood, so it is not known whether this account can sign in`,
})

/** @param endsMs epoch ms; undefined if the value is no such moment */
export function endAt(endsMs: number | undefined, asOfMs: number, attribute: string): AccountState {
  if (endsMs === undefined) return notUnderstood(attribute)
  return endsMs <= asOfMs ? 'ended' : 'works'
}

/** The people of a group, by their accounts. `disabled`: how many members have an account with which nobody can sign in. */
type ByState = { readonly people: readonly Person[]; readonly disabled: number }

/**
 * Sorts members by their accounts. Who may be a person counts: a number that is too large makes a change wait, and one that is too small lets it pass.
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
  let disabled = 0
  for (const member of members) {
    const state = stateOf(member)
    if (state === 'ended') disabled++
    else (state === 'works' ? people : doubtful).push(personOf(member))
  }
  // The only place where a doubtful account becomes a person.
  return { people: [...people, ...doubtful], disabled }
}
