/** The members of one group, as its directory knows them. */
export type Members = {
  /** One text for each person who can sign in, each once, as `personTexts` gives it. No output and no journal contains it. */
  readonly people: readonly string[]
  /** Absent if there are none. */
  readonly notCounted?: NotCounted
  /** Why the group may have more people than these: it also has members by something that is not read. */
  readonly more?: string
}

/** Numbers of members that are no people who can sign in. */
export type NotCounted = {
  readonly disabled: number
  /** Members that another directory knows. */
  readonly foreign: number
  /** Names of members of which the directory says that they do not exist. Many directories say so, too, if the account may not see the member. */
  readonly dangling: number
  /** Groups inside the group whose own members are not counted. */
  readonly groups: number
}

/**
 * Why the group may have more people than are counted; undefined if it cannot. Of some members its directory does not say who they are, or whether it
 * only hides them.
 */
export const whyMore = ({ notCounted, more }: Members): string | undefined =>
  more ??
  (notCounted !== undefined && notCounted.foreign + notCounted.dangling > 0
    ? 'another directory has some of its members, or this one says that they do not exist'
    : undefined)

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
