import type { Finding } from '../core/finding.ts'
import { type Group, quotedGroup } from '../core/group.ts'
import type { GroupName } from '../core/mapping.ts'
import { type Members, type Memberships, mayHaveMore } from '../core/people/members.ts'
import { listedFirst } from '../core/quantity.ts'
import { type Reading, valueIfRead, whyIncomplete } from '../core/reading.ts'

/** What one directory answered about the members of these groups. */
type MembersAnswer = {
  readonly directory: string
  readonly groups: readonly { readonly name: GroupName; readonly group: Group }[]
  readonly reading: Reading<Memberships>
}

/** What a person must know about the numbers of people: members that were not read, that are not counted, or that the directory does not show. */
export function peopleFindings({ directory, groups, reading }: MembersAnswer): readonly Finding[] {
  const memberships = valueIfRead(reading)
  const quotedWhere = (is: (members: Members | undefined) => boolean): readonly string[] =>
    groups.flatMap(({ name, group }) => (is(memberships?.get(group.id)) ? [quotedGroup(name, group.label)] : []))
  const namesWhere = (is: (members: Members) => boolean) => quotedWhere((members) => members !== undefined && is(members))
  return [
    ...unreadFinding(
      directory,
      reading,
      quotedWhere((members) => members === undefined),
    ),
    ...insideFinding(
      directory,
      namesWhere(({ notCounted }) => (notCounted?.groups ?? 0) > 0),
    ),
    ...moreFinding(directory, namesWhere(mayHaveMore)),
  ]
}

function unreadFinding(directory: string, reading: Reading<Memberships>, names: readonly string[]): readonly Finding[] {
  const why = whyIncomplete(reading)
  if (why === undefined) return []
  const groups = names.length === 0 ? '' : ` (${listed(names)})`
  return [
    {
      code: 'people-unread',
      severity: 'warning',
      place: directory,
      sentence: `the members of some groups were not read, so their changes show no number of people: ${why}${groups}`,
      cure: (reading.status === 'failed' ? reading.cure : undefined) ?? unreadCure,
    },
  ]
}

const unreadCure = 'remove this cause; the rights that members need are in docs/directories.md, for each kind of directory'
const shownMax = 3

const listed = (names: readonly string[]): string => listedFirst(names.slice(0, shownMax), names.length)

/** Groups that contain other groups, if the settings do not count the members of those. */
function insideFinding(directory: string, names: readonly string[]): readonly Finding[] {
  if (names.length === 0) return []
  return [
    {
      code: 'people-inside',
      severity: 'info',
      place: directory,
      sentence: `there are groups inside ${listed(names)}, and the members of those are not counted`,
      cure: `if the identity provider's claim has them as members, set directories.${directory}.people.nested to true`,
    },
  ]
}

function moreFinding(directory: string, names: readonly string[]): readonly Finding[] {
  if (names.length === 0) return []
  return [
    {
      code: 'people-at-least',
      severity: 'info',
      place: directory,
      sentence: `some members of ${listed(names)} are not known (another directory has them, or this one says that they do not exist), so there may be more people than a plan counts`,
      cure: 'remove members that no longer exist, or let the account of this directory see them',
    },
  ]
}
