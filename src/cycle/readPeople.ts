import { compare } from '../core/compare.ts'
import type { Finding } from '../core/finding.ts'
import type { Group, GroupIndex } from '../core/group.ts'
import type { GroupName } from '../core/mapping.ts'
import { type Members, type Memberships, mayHaveMore, textIn } from '../core/people/members.ts'
import { listedFirst } from '../core/quantity.ts'
import { type Reading, valueIfRead, whyIncomplete } from '../core/reading.ts'
import { visible } from '../core/safeName.ts'

/** Reads the members of groups of one directory. A group that could not be read whole is not in the value. */
export type ReadMembers = (groups: readonly Group[], signal: AbortSignal) => Promise<Reading<Memberships>>

/** Name of each directory → the reader of its members; undefined if its settings ask for none. */
export const memberReaders = (
  directories: ReadonlyMap<string, { readonly members?: ReadMembers }>,
): ReadonlyMap<string, ReadMembers | undefined> => new Map([...directories].map(([name, { members }]) => [name, members]))

/** Where a group is. `nowhere`: all directories of the settings were read whole, and none has it. `unknown`: any other group. */
type Located =
  | { readonly kind: 'in'; readonly directory: string; readonly group: Group }
  | { readonly kind: 'nowhere' }
  | { readonly kind: 'unknown' }

/** @param names of all directories in the settings; those that no rule asks were not read */
export function locate(
  groups: ReadonlySet<GroupName>,
  names: readonly string[],
  directories: ReadonlyMap<string, Reading<GroupIndex>>,
): ReadonlyMap<GroupName, Located> {
  const isWhole = names.every((name) => directories.get(name)?.status === 'complete')
  const indexes = [...directories].flatMap(([directory, reading]) => {
    const index = valueIfRead(reading)
    return index === undefined ? [] : [{ directory, index }]
  })
  return new Map(
    [...groups].toSorted(compare).map((name): readonly [GroupName, Located] => {
      const [found, ...others] = indexes.flatMap(({ directory, index }) => (index.get(name) ?? []).map((group) => ({ directory, group })))
      if (found === undefined) return [name, { kind: isWhole ? 'nowhere' : 'unknown' }]
      return [name, others.length > 0 || found.group.names !== undefined ? { kind: 'unknown' } : { kind: 'in', ...found }]
    }),
  )
}

/** `more`: the groups of `people` that may have more people. */
type PeopleRead = {
  readonly people: ReadonlyMap<GroupName, readonly string[]>
  readonly more: ReadonlySet<GroupName>
  readonly findings: readonly Finding[]
}

/** The people of each group whose people are known. A group that is nowhere has none. */
export async function readPeople(
  located: ReadonlyMap<GroupName, Located>,
  readers: ReadonlyMap<string, ReadMembers | undefined>,
  signal: AbortSignal,
): Promise<PeopleRead> {
  const here = [...located].flatMap(([name, at]) => (at.kind === 'in' ? [{ name, ...at }] : []))
  const asked = [...Map.groupBy(here, ({ directory }) => directory)].flatMap(([directory, groups]) => {
    const read = readers.get(directory)
    return read === undefined ? [] : [{ directory, groups, read }]
  })
  const answers = await Promise.all(
    asked.map(async ({ directory, groups, read }) => {
      const reading = await read(
        groups.map(({ group }) => group),
        signal,
      )
      return { directory, groups, reading }
    }),
  )
  const people = new Map<GroupName, readonly string[]>()
  const more = new Set<GroupName>()
  for (const [name, { kind }] of located) if (kind === 'nowhere') people.set(name, [])
  for (const { directory, groups, reading } of answers) {
    const memberships = valueIfRead(reading)
    for (const { name, group } of groups) {
      const members = memberships?.get(group.id)
      if (members === undefined) continue
      const texts = members.people.map((text) => textIn(directory, text))
      people.set(name, texts)
      if (mayHaveMore(members)) more.add(name)
    }
  }
  return {
    people,
    more,
    findings: answers.flatMap(({ directory, groups, reading }) => {
      const namesOf = (is: (members: Members) => boolean) => namesWhere(groups, valueIfRead(reading), is)
      return [
        ...unreadFinding(directory, reading),
        ...insideFinding(
          directory,
          namesOf(({ notCounted }) => (notCounted?.groups ?? 0) > 0),
        ),
        ...moreFinding(directory, namesOf(mayHaveMore)),
      ]
    }),
  }
}

function unreadFinding(directory: string, reading: Reading<Memberships>): readonly Finding[] {
  const why = whyIncomplete(reading)
  if (why === undefined) return []
  const cure = reading.status === 'failed' ? reading.cure : undefined
  const sentence = `the members of some groups were not read, so their changes show no number of people: ${why}`
  return [{ code: 'people-unread', severity: 'warning', place: directory, sentence, ...(cure === undefined ? {} : { cure }) }]
}

const shownMax = 3

/** The names of the groups whose members are known and of this kind, in quotes. */
const namesWhere = (
  groups: readonly { readonly name: GroupName; readonly group: Group }[],
  memberships: Memberships | undefined,
  is: (members: Members) => boolean,
): readonly string[] =>
  groups.flatMap(({ name, group }) => {
    const members = memberships?.get(group.id)
    return members !== undefined && is(members) ? [`"${visible(name)}"`] : []
  })

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
