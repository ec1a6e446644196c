import type { GroupSize } from '../bounds.ts'
import type { GroupName } from '../mapping.ts'
import { type Members, sizeOf } from './members.ts'

/** The people of groups, as numbers from 0: a person who is in several groups, or in several directories, has one number. */
export type Roster = {
  /** How many people it has. */
  readonly size: number
  /** Whether some group has doubtful members. */
  readonly hasDoubtful: boolean
  membersOf(group: GroupName): RosterMembers
  /** How many people the group has. */
  sizeOf(group: GroupName): GroupSize
}

/**
 * `doubtful`: it is not known whether they are people who can sign in; this is so of a person in all groups, or in none. `more`: why anyone else may be in
 * the group, too. `why`: why the number is not exact.
 */
export type RosterMembers = {
  readonly people: Uint32Array
  readonly doubtful: Uint32Array
  readonly more?: string
  readonly why?: string
  /** No directory has the group. Its own number is not known, since logins may name it all the same; for other groups it has nobody. */
  readonly isNowhere?: true
}

/** The members of one group before they have numbers. */
export type NamedMembers = Members & Pick<RosterMembers, 'isNowhere'>

/** @param named group → its members, each once, with the same text in each group; of an absent one nothing is known */
export function rosterOf(named: ReadonlyMap<GroupName, NamedMembers>): Roster {
  const numbers = new Map<string, number>()
  const numbered = (texts: readonly string[]) =>
    Uint32Array.from(texts, (text) => {
      const number = numbers.get(text) ?? numbers.size
      numbers.set(text, number)
      return number
    })
  const groups = new Map(
    [...named].map(([group, { people, doubtful, more, isNowhere }]): readonly [GroupName, RosterMembers] => {
      const why = more ?? doubtful?.why
      return [
        group,
        {
          people: numbered(people),
          doubtful: numbered(doubtful?.members ?? []),
          ...(more === undefined ? {} : { more }),
          ...(why === undefined ? {} : { why }),
          ...(isNowhere === undefined ? {} : { isNowhere }),
        },
      ]
    }),
  )
  const whyUnknown = (group: GroupName) => `it is not known who is in the group "${group}"`
  return {
    size: numbers.size,
    hasDoubtful: [...groups.values()].some(({ doubtful }) => doubtful.length > 0),
    membersOf: (group) => groups.get(group) ?? { people: nobody, doubtful: nobody, more: whyUnknown(group), why: whyUnknown(group) },
    sizeOf: (group) => sizeOf(named.get(group) ?? { people: [], more: whyUnknown(group) }),
  }
}

const nobody = new Uint32Array()
