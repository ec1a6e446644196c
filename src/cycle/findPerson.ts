import { defined } from '../core/fields.ts'
import type { Finding } from '../core/finding.ts'
import { quotedGroup } from '../core/group.ts'
import type { GroupName, Mapping, WorkspaceName } from '../core/mapping.ts'
import { hasKey, personKey } from '../core/people/members.ts'
import { wordHint } from '../core/people/wordHint.ts'
import type { RoleSettings } from '../core/roles.ts'
import type { PeopleCounter } from './countPeople.ts'
import { locate, type ReadMembers, readPeople } from './readPeople.ts'

/** The groups of a person, among those that have, get or lose a role in one workspace. */
export type PersonGroups = {
  readonly groups: ReadonlySet<GroupName>
  /** The groups of which not all members are known, with the reason: the person may be in them. */
  readonly unknown: ReadonlyMap<GroupName, string>
  /** How people call the groups whose names are ids. */
  readonly labels: ReadonlyMap<GroupName, string>
  /** About directories that did not say all members. */
  readonly findings: readonly Finding[]
  /** Why the directories can know no person by this word. */
  readonly hint?: string
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
    const located = locate(names, [...readers.keys()], directories)
    const { people, more, unknown: unread, findings } = await readPeople(located, readers, signal)
    const groups = new Set([...names].filter((name) => people.get(name)?.some((text) => hasKey(text, wanted)) === true))
    const hidden = [...located].flatMap(([name, at]) => {
      if (at.kind !== 'in' || !more.has(name) || groups.has(name)) return []
      const called = quotedGroup(name, at.group.label)
      return [[name, `${at.directory} does not show all members of ${called}, see the finding people-at-least`] as const]
    })
    const unknown = new Map([...unread, ...hidden])
    const labels = new Map(
      [...located].flatMap(([name, at]) => {
        const isShown = groups.has(name) || unknown.has(name)
        return isShown && at.kind === 'in' && at.group.label !== undefined ? [[name, at.group.label] as const] : []
      }),
    )
    const hint = groups.size > 0 ? undefined : wordHint(wanted, people.values())
    found.set(plan.workspace, { groups, unknown, labels, findings, existing, roles: options.roles, ...defined({ hint }) })
    return count(options)(plan, existing, directories, age, signal)
  }
  return { countPeople, found }
}
