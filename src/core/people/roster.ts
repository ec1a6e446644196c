import type { GroupName } from '../mapping.ts'

/** The people of groups, as numbers from 0: a person who is in several groups, or in several directories, has one number. */
export type Roster = {
  /** How many people it has. */
  readonly size: number
  /** The numbers of a group's people; undefined if they are not known. */
  numbersIn(group: GroupName): Uint32Array | undefined
  /** Why the people of a group are not known; undefined if they are. */
  whyUnknown(group: GroupName): string | undefined
}

/**
 * @param peopleOf group → its people, each once; a group whose people are not known is absent
 * @param unknown group whose people are not known → a sentence that names it and says why
 */
export function rosterOf(peopleOf: ReadonlyMap<GroupName, readonly string[]>, unknown: ReadonlyMap<GroupName, string> = new Map()): Roster {
  const numbers = new Map<string, number>()
  const groups = new Map<GroupName, Uint32Array>()
  for (const [group, people] of peopleOf) {
    const own = new Uint32Array(people.length)
    for (const [index, person] of people.entries()) {
      const known = numbers.get(person)
      own[index] = known ?? numbers.size
      if (known === undefined) numbers.set(person, numbers.size)
    }
    groups.set(group, own)
  }
  return {
    size: numbers.size,
    numbersIn: (group) => groups.get(group),
    whyUnknown: (group) => (groups.has(group) ? undefined : (unknown.get(group) ?? `it is not known who is in the group "${group}"`)),
  }
}
