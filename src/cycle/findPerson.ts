import { compare } from '../core/compare.ts'
import type { GroupName, Mapping, WorkspaceName } from '../core/mapping.ts'
import { hasKey, personKey } from '../core/people/members.ts'
import type { RoleSettings } from '../core/roles.ts'
import type { PeopleCounter } from './countPeople.ts'
import { locate, type ReadMembers, readPeople } from './readPeople.ts'

/** The groups of a person, among those that have, get or lose a role in one workspace. */
export type PersonGroups = {
  readonly groups: ReadonlySet<GroupName>
  /** The groups whose members are not known: the person may be in them. */
  readonly unknown: readonly GroupName[]
  readonly existing: readonly Mapping[]
  readonly roles: RoleSettings
}

/**
 * Looks for a person where a cycle counts people. The counter that it returns also asks for the members of all groups with a role.
 *
 * @param person as the directories know people: a mail address, or the attribute that the settings name
 * @param count counts the people of changes, so that the limits on people decide as in a plan
 * @param readers name of each directory in the settings → the reader of its members; undefined if it reads none
 */
export function openPersonSearch(
  person: string,
  count: PeopleCounter,
  readers: ReadonlyMap<string, ReadMembers | undefined>,
): { readonly countPeople: PeopleCounter; readonly found: ReadonlyMap<WorkspaceName, PersonGroups> } {
  const wanted = personKey(person)
  const found = new Map<WorkspaceName, PersonGroups>()
  const countPeople: PeopleCounter = (options) => async (plan, existing, directories, age, signal) => {
    const changed = [...plan.changes, ...plan.holds].flatMap((one) => ('group' in one ? (one.group ?? []) : []))
    const names = new Set([...existing.map(({ group }) => group), ...changed])
    const { people } = await readPeople(locate(names, [...readers.keys()], directories), readers, signal)
    const groups = new Set([...names].filter((name) => people.get(name)?.some((text) => hasKey(text, wanted)) === true))
    const unknown = [...names].filter((name) => !people.has(name)).toSorted(compare)
    found.set(plan.workspace, { groups, unknown, existing, roles: options.roles })
    return count(options)(plan, existing, directories, age, signal)
  }
  return { countPeople, found }
}
