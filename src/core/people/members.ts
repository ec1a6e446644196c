import type { GroupSize } from '../bounds.ts'

/** The members of one group, as its directory knows them. */
export type Members = {
  /** One text for each person who can sign in, each once, as `personTexts` gives it. No output and no journal contains it. */
  readonly people: readonly string[]
  /** Members of whom it is not known whether they are people who can sign in. */
  readonly doubtful?: Doubtful<string>
  /** Absent if there are none. */
  readonly notCounted?: NotCounted
  /** Why any further people may be in the group: it also has members that are not read. */
  readonly more?: string
}

/** `why`: why it is not known whether these members are people who can sign in. */
export type Doubtful<T> = { readonly members: readonly T[]; readonly why: string }

/** Numbers of members that are no people who can sign in. */
export type NotCounted = {
  readonly disabled: number
  /** Groups inside the group whose own members are not counted. */
  readonly groups: number
}

/** How many people the group has. */
export function sizeOf({ people, doubtful, more }: Members): GroupSize {
  const why = more ?? doubtful?.why
  const most = people.length + (doubtful?.members.length ?? 0)
  return { of: 'people', least: people.length, ...(more === undefined ? { most } : {}), ...(why === undefined ? {} : { why }) }
}

/** Why the group may have more people than those who are known; undefined if it cannot. */
export const whyMore = ({ doubtful, more }: Members): string | undefined => more ?? doubtful?.why

/** Id of a group → its members. A group that is absent was not read whole. */
export type Memberships = ReadonlyMap<string, Members>

/** A person as one directory knows them. `id`: the directory's own id. `key`: by `personKey`. */
export type Person = { readonly id: string; readonly key: string }

/** Separates the key of a person from the directory's own id. */
const ownIdMark = '\u0000'

/**
 * The text by which a person is known in all groups and directories: the mail address, or the attribute that the settings name. Case and Unicode form do
 * not count. Empty if the person has no such attribute.
 */
export const personKey = (identity: string | undefined): string => (identity ?? '').trim().normalize('NFC').toLowerCase()

/**
 * The text of each person of one directory. A person without a key is known by the directory's own id, in this directory only. So are people who
 * share a key: they have several ids, so they count as several people, and it is unknown which of them another directory means.
 *
 * @param people each id once
 */
export function personTexts(people: Iterable<Person>): ReadonlyMap<Person, string> {
  const sameKey = Map.groupBy(people, ({ key }) => key)
  return new Map(
    [...sameKey].flatMap(([key, ofKey]) =>
      ofKey.map((person): readonly [Person, string] => [person, key === '' || ofKey.length > 1 ? `${key}${ownIdMark}${person.id}` : key]),
    ),
  )
}

/** The text of a person beside those of other directories: two directories may give one id to different people. */
export const textIn = (directory: string, text: string): string => (text.includes(ownIdMark) ? `${text} ${directory}` : text)

/** The key in the text of a person; empty for a person who has none. */
export const keyIn = (text: string): string => text.split(ownIdMark, 1)[0] ?? ''

/** Whether this is the text of a person with this key, if need be of one of several people who share it. */
export const hasKey = (text: string, key: string): boolean => text === key || text.startsWith(`${key}${ownIdMark}`)
