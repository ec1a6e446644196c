import { compare } from '../core/compare.ts'
import { type Finding } from '../core/finding.ts'
import { type Group, type GroupIndex, quotedGroup } from '../core/group.ts'
import { type GroupName } from '../core/mapping.ts'
import { type Members, textIn, whyMore } from '../core/people/members.ts'
import type { MembersReading, UnreadGroup } from '../core/people/membersReading.ts'
import type { NamedMembers } from '../core/people/roster.ts'
import { listed, listedFirst, momentText } from '../core/quantity.ts'
import { isComplete, type Reading, valueIfRead, whyIncomplete } from '../core/reading.ts'
import { lackText } from '../core/unknownTo.ts'

/**
 * Reads the members of groups of one directory. A group that could not be read whole is not in the value.
 *
 * @param asOfMs epoch ms by the machine's clock, when the cycle began: accounts that have ended by then are no people's
 */
export type ReadMembers = (groups: readonly Group[], asOfMs: number, signal: AbortSignal) => Promise<MembersReading>

/** Name of each directory → the reader of its members; undefined if its settings ask for none. */
export const memberReaders = (
  directories: ReadonlyMap<string, { readonly members?: ReadMembers }>,
): ReadonlyMap<string, ReadMembers | undefined> => new Map([...directories].map(([name, { members }]) => [name, members]))

/** Where a group is. `nowhere`: all directories of the settings, `asked`, were read whole, and none has it. `unknown`: any other group. */
type Located =
  | { readonly kind: 'in'; readonly directory: string; readonly group: Group }
  | { readonly kind: 'nowhere'; readonly asked: readonly string[] }
  | { readonly kind: 'unknown'; readonly why: string }

/** @param names of all directories in the settings; those that no rule asks were not read */
export function locate(
  groups: ReadonlySet<GroupName>,
  names: readonly string[],
  directories: ReadonlyMap<string, Reading<GroupIndex>>,
): ReadonlyMap<GroupName, Located> {
  const asked = names.filter((name) => directories.get(name)?.status === 'complete').toSorted(compare)
  const missing: Missing = {
    asked,
    incomplete: names.filter((name) => directories.has(name) && directories.get(name)?.status !== 'complete'),
    unasked: names.filter((name) => !directories.has(name)),
  }
  const isProved = missing.incomplete.length === 0 && missing.unasked.length === 0
  const indexes = [...directories].flatMap(([directory, reading]) => {
    const index = valueIfRead(reading)
    return index === undefined ? [] : [{ directory, index }]
  })
  return new Map(
    [...groups].toSorted(compare).map((name): readonly [GroupName, Located] => {
      const [place, ...others] = indexes.flatMap(({ directory, index }) => (index.get(name) ?? []).map((group) => ({ directory, group })))
      if (place === undefined) return [name, isProved ? { kind: 'nowhere', asked } : { kind: 'unknown', why: mayHave(missing, name) }]
      if (others.length > 0) return [name, { kind: 'unknown', why: `several groups are called ${quotedGroup(name)}` }]
      if (place.group.names !== undefined) return [name, { kind: 'unknown', why: `the group ${quotedGroup(name)} has several names` }]
      return [name, { kind: 'in', ...place }]
    }),
  )
}

/** `asked`: directories that were read whole. `unasked`: directories that no rule asks, so that the cycle did not read them. */
type Missing = { readonly asked: readonly string[]; readonly incomplete: readonly string[]; readonly unasked: readonly string[] }

/** A group that no directory has, each of which was asked: `corp and idp do not know the group "x"`. */
export const nowhereText = (asked: readonly string[], name: GroupName, label?: string): string =>
  asked.length === 0
    ? `there is no directory that could know ${quotedGroup(name, label)}`
    : lackText(asked, `the group ${quotedGroup(name, label)}`)

function mayHave({ asked, incomplete, unasked }: Missing, name: GroupName): string {
  const were = (directories: readonly string[], what: string) =>
    directories.length === 0 ? [] : [`${listed(directories)} ${directories.length === 1 ? 'was' : 'were'} not ${what}`]
  const others = listed([...were(incomplete, 'read whole'), ...were(unasked, 'asked')])
  return asked.length === 0 ? `${others}, and may have ${quotedGroup(name)}` : `${nowhereText(asked, name)}; ${others}, and may have it`
}

/** The members of each group; of an unknown one, why they are not known. */
type PeopleRead = {
  readonly members: ReadonlyMap<GroupName, NamedMembers>
  /** The groups whose people are not known at all → a sentence that says why. */
  readonly unknown: ReadonlyMap<GroupName, string>
  readonly findings: readonly Finding[]
}

/** What the directories say about the people of each group. @param asOfMs as `ReadMembers` takes it */
export async function readPeople(
  located: ReadonlyMap<GroupName, Located>,
  readers: ReadonlyMap<string, ReadMembers | undefined>,
  asOfMs: number,
  signal: AbortSignal,
): Promise<PeopleRead> {
  const inDirectory = [...located].flatMap(([name, at]) => (at.kind === 'in' ? [{ name, ...at }] : []))
  const asked = [...Map.groupBy(inDirectory, ({ directory }) => directory)].flatMap(([directory, groups]) => {
    const read = readers.get(directory)
    return read === undefined ? [] : [{ directory, groups, read }]
  })
  const answers = await Promise.all(
    asked.map(async ({ directory, groups, read }) => {
      const reading: MembersReading = await read(
        groups.map(({ group }) => group),
        asOfMs,
        signal,
      )
      return { directory, groups, reading }
    }),
  )
  const known = new Map(
    answers.flatMap(({ directory, groups, reading }) => {
      const memberships = valueIfRead(reading)
      return groups.flatMap(({ name, group }) => {
        const members = memberships?.get(group.id)
        return members === undefined ? [] : [[name, namedIn(directory, members)] as const]
      })
    }),
  )
  const unknown = new Map<GroupName, string>()
  const members = new Map<GroupName, NamedMembers>()
  for (const [name, at] of located) {
    const ofGroup = known.get(name)
    if (ofGroup !== undefined) {
      members.set(name, ofGroup)
      continue
    }
    const more = whyUnknown(name, at, readers, answers)
    const isNowhere = at.kind === 'nowhere'
    if (!isNowhere) unknown.set(name, more)
    members.set(name, { people: [], more, ...(isNowhere ? { isNowhere } : {}) })
  }
  return { members, unknown, findings: answers.flatMap(peopleFindings) }
}

/** Two directories may give one id to different people. */
function namedIn(directory: string, { people, doubtful, ...rest }: Members): NamedMembers {
  const named = (texts: readonly string[]) => texts.map((text) => textIn(directory, text))
  return {
    ...rest,
    people: named(people),
    ...(doubtful === undefined ? {} : { doubtful: { members: named(doubtful.members), why: doubtful.why } }),
  }
}

/** Why the people of a group are not known. If the answer of its directory was not whole, a finding says more. */
function whyUnknown(
  name: GroupName,
  at: Located,
  readers: ReadonlyMap<string, ReadMembers | undefined>,
  answers: readonly { readonly directory: string; readonly reading: MembersReading }[],
): string {
  if (at.kind === 'nowhere') return nowhereText(at.asked, name)
  if (at.kind === 'unknown') return at.why
  const { directory, group } = at
  const called = quotedGroup(name, group.label)
  if (readers.get(directory) === undefined) return `the settings of ${directory} have no "people", so nothing says who is in ${called}`
  const reading = answers.find((answer) => answer.directory === directory)?.reading
  if (reading !== undefined && isComplete(reading))
    return `${directory} has no list of the members of ${called} (in a file of groups: "members")`
  const pause = reading?.unread?.get(group.id)?.pause
  return `${directory} did not say who is in ${called}${pause === undefined ? '' : `, ${pauseText(pause)}`}, see the finding people-unread`
}

/** What one directory answered about the members of these groups. */
type MembersAnswer = {
  readonly directory: string
  readonly groups: readonly { readonly name: GroupName; readonly group: Group }[]
  readonly reading: MembersReading
}

/** What a person must know about the numbers of people: members that were not read, that are not counted, or that the directory does not show. */
function peopleFindings({ directory, groups, reading }: MembersAnswer): readonly Finding[] {
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
    ...moreFinding(
      directory,
      groups.flatMap(({ name, group }) => {
        const members = memberships?.get(group.id)
        const why = members && whyMore(members)
        return why === undefined ? [] : [{ name: quotedGroup(name, group.label), why }]
      }),
    ),
  ]
}

/** `unread since 2026-11-03 02:14 UTC, and asked for again at about 2026-11-03 02:54 UTC` */
const pauseText = ({ sinceMs, againMs }: NonNullable<UnreadGroup['pause']>): string =>
  `unread since ${momentText(sinceMs)}, and asked for again at about ${momentText(againMs)}`

/** The first failure and the first new attempt of all groups that have a pause. */
function pauseOf(unread: readonly UnreadGroup[]): UnreadGroup['pause'] {
  const pauses = unread.flatMap(({ pause }) => pause ?? [])
  const least = (moments: readonly number[]) => moments.reduce((first, ms) => Math.min(first, ms), Number.POSITIVE_INFINITY)
  if (pauses.length === 0) return undefined
  return { sinceMs: least(pauses.map(({ sinceMs }) => sinceMs)), againMs: least(pauses.map(({ againMs }) => againMs)) }
}

function unreadFinding(directory: string, reading: MembersReading, names: readonly string[]): readonly Finding[] {
  const why = whyIncomplete(reading)
  if (why === undefined) return []
  const unread = [...(reading.unread?.values() ?? [])]
  const pause = pauseOf(unread)
  const cure = (reading.status === 'failed' ? reading.cure : unread.find((group) => group.cure !== undefined)?.cure) ?? unreadCure
  const groups = names.length === 0 ? '' : ` (${firstNames(names)})`
  return [
    {
      code: 'people-unread',
      severity: 'warning',
      place: directory,
      sentence: `the members of some groups were not read, so their changes show no number of people, and others may show only bounds: ${why}${groups}${pause === undefined ? '' : `; ${pauseText(pause)}`}`,
      cure: pause === undefined ? cure : `${cure}; ${askAtOnce}`,
    },
  ]
}

const unreadCure = 'remove this cause; the rights that members need are in docs/directories.md, for each kind of directory'
/** For a daemon, which leaves such groups alone for a while. */
const askAtOnce = 'to ask for them at once: plane-group-sync reconcile'
const shownMax = 3
const reasonsMax = 10

const firstNames = (names: readonly string[]): string => listedFirst(names.slice(0, shownMax), names.length)

/** Groups that contain other groups, if the settings do not count the members of those. */
function insideFinding(directory: string, names: readonly string[]): readonly Finding[] {
  if (names.length === 0) return []
  return [
    {
      code: 'people-inside',
      severity: 'info',
      place: directory,
      sentence: `there are groups inside ${firstNames(names)}, and the members of those are not counted`,
      cure: `if the identity provider's claim has them as members, set directories.${directory}.people.nested to true`,
    },
  ]
}

/** Groups that may have more people than are counted. Each reason comes with the first groups that have it. */
function moreFinding(directory: string, groups: readonly { readonly name: string; readonly why: string }[]): readonly Finding[] {
  const reasons = [...Map.groupBy(groups, ({ why }) => why)].map(
    ([why, ofReason]) => `${firstNames(ofReason.map(({ name }) => name))}: ${why}`,
  )
  if (reasons.length === 0) return []
  return [
    {
      code: 'people-at-least',
      severity: 'info',
      place: directory,
      sentence: `some groups may have more people than a plan counts (${reasons.slice(0, reasonsMax).join('; ')}${reasons.length > reasonsMax ? '; …' : ''})`,
      cure: 'look in the directory who is in these groups, and approve their changes for as many people as they may concern. If members no longer exist, remove them; if the account of this directory does not see them, let it',
    },
  ]
}
