import { compare } from '../core/compare.ts'
import type { Finding } from '../core/finding.ts'
import { type Group, type GroupIndex, quotedGroup } from '../core/group.ts'
import type { GroupName } from '../core/mapping.ts'
import { type Memberships, mayHaveMore, textIn } from '../core/people/members.ts'
import { listed } from '../core/quantity.ts'
import { isComplete, type Reading, valueIfRead } from '../core/reading.ts'
import { peopleFindings } from './peopleFindings.ts'

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
  | { readonly kind: 'unknown'; readonly why: string }

/** @param names of all directories in the settings; those that no rule asks were not read */
export function locate(
  groups: ReadonlySet<GroupName>,
  names: readonly string[],
  directories: ReadonlyMap<string, Reading<GroupIndex>>,
): ReadonlyMap<GroupName, Located> {
  const unread = names.filter((name) => directories.get(name)?.status !== 'complete')
  const indexes = [...directories].flatMap(([directory, reading]) => {
    const index = valueIfRead(reading)
    return index === undefined ? [] : [{ directory, index }]
  })
  return new Map(
    [...groups].toSorted(compare).map((name): readonly [GroupName, Located] => {
      const [found, ...others] = indexes.flatMap(({ directory, index }) => (index.get(name) ?? []).map((group) => ({ directory, group })))
      if (found === undefined) return [name, unread.length === 0 ? { kind: 'nowhere' } : { kind: 'unknown', why: mayHave(unread, name) }]
      if (others.length > 0) return [name, { kind: 'unknown', why: `several groups are called ${quotedGroup(name)}` }]
      if (found.group.names !== undefined) return [name, { kind: 'unknown', why: `the group ${quotedGroup(name)} has several names` }]
      return [name, { kind: 'in', ...found }]
    }),
  )
}

const mayHave = (directories: readonly string[], name: GroupName): string =>
  `${listed(directories)} ${directories.length === 1 ? 'was' : 'were'} not read whole, and may have ${quotedGroup(name)}`

/** `more`: the groups of `people` that may have more people. `unknown`: each group that `people` lacks → a sentence that says why. */
type PeopleRead = {
  readonly people: ReadonlyMap<GroupName, readonly string[]>
  readonly more: ReadonlySet<GroupName>
  readonly unknown: ReadonlyMap<GroupName, string>
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
  const unknown = new Map(
    [...located].flatMap(([name, at]) => (people.has(name) ? [] : [[name, whyUnknown(name, at, readers, answers)] as const])),
  )
  return { people, more, unknown, findings: answers.flatMap(peopleFindings) }
}

/** Why the people of a group are not known. If the answer of its directory was not whole, a finding says more. */
function whyUnknown(
  name: GroupName,
  at: Located,
  readers: ReadonlyMap<string, ReadMembers | undefined>,
  answers: readonly { readonly directory: string; readonly reading: Reading<Memberships> }[],
): string {
  if (at.kind === 'nowhere') return `no directory shows ${quotedGroup(name)}`
  if (at.kind === 'unknown') return at.why
  const { directory, group } = at
  const called = quotedGroup(name, group.label)
  if (readers.get(directory) === undefined) return `the settings of ${directory} have no "people", so nothing says who is in ${called}`
  const isWhole = answers.some((answer) => answer.directory === directory && isComplete(answer.reading))
  if (isWhole) return `${directory} has no list of the members of ${called} (in a file of groups: "members")`
  return `${directory} did not say who is in ${called}, see the finding people-unread`
}
