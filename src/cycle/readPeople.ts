import { compare } from '../core/compare.ts'
import type { Finding } from '../core/finding.ts'
import type { Group, GroupIndex } from '../core/group.ts'
import type { GroupName } from '../core/mapping.ts'
import type { Memberships } from '../core/people/members.ts'
import { type Reading, valueIfRead, whyIncomplete } from '../core/reading.ts'

/** Reads the members of groups of one directory. A group that could not be read whole is not in the value. */
export type ReadMembers = (groups: readonly Group[], signal: AbortSignal) => Promise<Reading<Memberships>>

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

/** The people of each group whose people are known. A group that is nowhere has none. */
export async function readPeople(
  located: ReadonlyMap<GroupName, Located>,
  readers: ReadonlyMap<string, ReadMembers | undefined>,
  signal: AbortSignal,
): Promise<{ readonly people: ReadonlyMap<GroupName, readonly string[]>; readonly findings: readonly Finding[] }> {
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
  for (const [name, { kind }] of located) if (kind === 'nowhere') people.set(name, [])
  for (const { groups, reading } of answers) {
    const memberships = valueIfRead(reading)
    for (const { name, group } of groups) {
      const members = memberships?.get(group.id)
      if (members !== undefined) people.set(name, members.people)
    }
  }
  return { people, findings: answers.flatMap(({ directory, reading }) => unreadFinding(directory, reading)) }
}

function unreadFinding(directory: string, reading: Reading<Memberships>): readonly Finding[] {
  const why = whyIncomplete(reading)
  if (why === undefined) return []
  const cure = reading.status === 'failed' ? reading.cure : undefined
  const sentence = `the members of some groups were not read, so their changes show no number of people: ${why}`
  return [{ code: 'people-unread', severity: 'warning', place: directory, sentence, ...(cure === undefined ? {} : { cure }) }]
}
