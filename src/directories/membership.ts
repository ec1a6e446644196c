import { setImmediate } from 'node:timers/promises'
import type { Group } from '../core/group.ts'
import { type Members, type Memberships, type NotCounted, type Person, personTexts } from '../core/people/members.ts'
import { listedFirst } from '../core/quantity.ts'
import { DirectoryError } from './directoryError.ts'
import { mapConcurrently } from './mapConcurrently.ts'
import type { Pages } from './overHttp/paging.ts'
import { pathPart } from './overHttp/pathPart.ts'

/** The direct members of one group. */
export type DirectMembers = {
  /** A person may come twice. */
  readonly people: readonly Person[]
  /** The ids of the groups that are members, as the source takes them. */
  readonly groups: readonly string[]
  readonly notCounted?: Omit<NotCounted, 'groups'>
  /** Why the group may have more members than these. */
  readonly more?: string
}

/** Why the members of a group are not known, or not all. */
type Missing = { readonly missing: string }
/** Reads the direct members of the group with this id. */
export type ReadDirect = (group: string, signal: AbortSignal) => Promise<DirectMembers | Missing>

type MembershipOptions = {
  /** Whether the members of groups inside a group are its members, too. */
  readonly nested: boolean
  /** How many groups are read at the same time. */
  readonly atOnce: number
}

export type MembershipsFound = { readonly memberships: Memberships; readonly missing: string | undefined }

/** Groups that are further away from every wanted group are not read. */
const depthMax = 50

/**
 * The members of each of these groups. With `nested`, each group that is found inside is read once, and may contain a group that contains it. A group of
 * which anything is not known is left out, and `missing` says why.
 */
export async function readMemberships(
  wanted: readonly string[],
  read: ReadDirect,
  { nested, atOnce }: MembershipOptions,
  signal: AbortSignal,
): Promise<MembershipsFound> {
  const known = new Map<string, DirectMembers | Missing>()
  const people = new Map<string, Person>()
  let level = [...new Set(wanted)]
  for (let depth = 1; level.length > 0; depth++) {
    const answers = await mapConcurrently(level, atOnce, async (group) => ({ group, direct: await read(group, signal) }))
    for (const { group, direct } of answers) known.set(group, 'missing' in direct ? direct : withEachOnce(direct, people))
    if (!nested) break
    const inside = answers.flatMap(({ direct }) => ('missing' in direct ? [] : direct.groups))
    level = [...new Set(inside)].filter((group) => !known.has(group))
    if (depth < depthMax) continue
    for (const group of level) known.set(group, { missing: `a group is more than ${depthMax} groups deep inside other groups` })
    break
  }

  const texts = personTexts(people.values())
  const memberships = new Map<string, Members>()
  const missing = new Map<string, string>()
  let size = 0
  for (const group of new Set(wanted)) {
    // A large group inside many others is copied into each of them. Other work of the process has its turn in between.
    if (nested) await setImmediate()
    const members =
      size > membershipsMax ? tooManyMemberships : nested ? allMembers(group, known, texts) : ownMembers(known.get(group), texts)
    if (!('missing' in members)) size += members.people.length
    if ('missing' in members) missing.set(members.missing, group)
    else memberships.set(group, members)
  }
  return { memberships, missing: missing.size === 0 ? undefined : listedFirst([...missing.keys()].slice(0, reasonsMax), missing.size) }
}

const reasonsMax = 3
/** Over all groups of one reading, which bounds its memory. */
const membershipsMax = 10_000_000
const tooManyMemberships = { missing: 'the groups have more than 10 million members altogether' }

/** A person who is in many groups is kept in the memory once. The same id is the same person, also if an attribute changed meanwhile. */
function withEachOnce(direct: DirectMembers, people: Map<string, Person>): DirectMembers {
  return {
    ...direct,
    people: direct.people.map((person) => {
      const known = people.get(person.id)
      if (known === undefined) people.set(person.id, person)
      return known ?? person
    }),
  }
}

type Texts = ReadonlyMap<Person, string>

function ownMembers(direct: DirectMembers | Missing | undefined, texts: Texts): Members | Missing {
  if (direct === undefined) return unread
  if ('missing' in direct) return direct
  return membersOf(new Set(direct.people), { ...none, ...direct.notCounted, groups: direct.groups.length }, direct.more, texts)
}

/** The members of a group and of all groups inside it. */
function allMembers(root: string, known: ReadonlyMap<string, DirectMembers | Missing>, texts: Texts): Members | Missing {
  const people = new Set<Person>()
  let notCounted = none
  let more: string | undefined
  const visited = new Set([root])
  for (const group of visited) {
    const direct = known.get(group) ?? unread
    if ('missing' in direct) return direct
    for (const person of direct.people) people.add(person)
    for (const inside of direct.groups) visited.add(inside)
    more ??= direct.more
    if (direct.notCounted !== undefined) notCounted = sumOf(notCounted, direct.notCounted)
  }
  return membersOf(people, notCounted, more, texts)
}

const unread = { missing: 'a group inside was not read' }
const none: NotCounted = { disabled: 0, foreign: 0, dangling: 0, groups: 0 }

const sumOf = (sum: NotCounted, { disabled, foreign, dangling }: Omit<NotCounted, 'groups'>): NotCounted => ({
  ...sum,
  disabled: sum.disabled + disabled,
  foreign: sum.foreign + foreign,
  dangling: sum.dangling + dangling,
})

function membersOf(people: ReadonlySet<Person>, notCounted: NotCounted, more: string | undefined, texts: Texts): Members {
  const isEmpty = Object.values(notCounted).every((number) => number === 0)
  return {
    people: Array.from(people, (person) => texts.get(person) as string),
    ...(isEmpty ? {} : { notCounted }),
    ...(more === undefined ? {} : { more }),
  }
}

/** How many groups are read at the same time. */
const atOnce = 8

/** After so many refusals, and without any group that was read, the account has no right to read members. */
const refusalsMax = atOnce

/** The largest group whose members are read. Of a larger one the number of people is unknown. */
export const membersMax = 100_000
export const tooManyMembers = 'there are more than 100,000 members'

/** Requests of one reading of members, over all groups. It ends the reading of a server that repeats itself or always fails. */
export const membersRequestsMax = 100_000

/**
 * The members of each of these groups, as `readMemberships` gives them. A group that is not there any more (404), or that the account may not read (403),
 * is left out, and the others are read. If the account may not read any of them, the reading fails, because that failure has a cure.
 *
 * @param nested whether `read` is also asked for the groups inside a group
 */
export async function readPermitted(
  wanted: readonly string[],
  read: ReadDirect,
  { nested }: { readonly nested: boolean },
  signal: AbortSignal,
): Promise<MembershipsFound> {
  const refusals: DirectoryError[] = []
  let isAllowed = false

  const readOne: ReadDirect = async (group, signal) => {
    try {
      const members = await read(group, signal)
      isAllowed = true
      return members
    } catch (error) {
      if (!(error instanceof DirectoryError) || (error.code !== 'missing' && error.code !== 'rights')) throw error
      if (error.code === 'rights') refusals.push(error)
      if (!isAllowed && refusals.length >= refusalsMax) throw error
      return { missing: error.message }
    }
  }

  const membershipsFound = await readMemberships(wanted, readOne, { nested, atOnce }, signal)
  const [refusal] = refusals
  if (refusal === undefined) return membershipsFound
  if (!isAllowed) throw refusal
  return {
    memberships: membershipsFound.memberships,
    missing: [membershipsFound.missing, refusal.cure].filter((text) => text !== undefined).join('; '),
  }
}

/** How the members of a group are listed by an API that has one list for each group. */
type MemberList<Row> = {
  /** The address below which the paths are, as sentences show it. */
  readonly address: string
  readonly path: (group: string) => string
  readonly rows: (path: string, signal: AbortSignal) => Promise<Pages<Row>>
  /** Why these rows do not tell how many people the group has. */
  readonly unclear?: (rows: readonly Row[], group: string, signal: AbortSignal) => Promise<string | undefined> | string | undefined
  readonly membersOf: (rows: readonly Row[], where: string) => DirectMembers
  /** Whether the groups inside a group are read, too. */
  readonly nested: boolean
}

/** The members of groups, each of which has one list. A group whose list is not whole or not clear is left out. */
export function readMemberLists<Row>(groups: readonly Group[], list: MemberList<Row>, signal: AbortSignal): Promise<MembershipsFound> {
  const { address, unclear = () => undefined } = list
  const direct: ReadDirect = async (group, signal) => {
    const path = list.path(pathPart(group))
    const where = `${address.replace(/\/$/, '')}${path}`
    const { items, missing } = await list.rows(path, signal)
    const why = missing ?? (await unclear(items, group, signal))
    return why === undefined ? list.membersOf(items, where) : { missing: `${where}: ${why}` }
  }
  const ids = groups.map(({ id }) => id)
  return readPermitted(ids, direct, { nested: list.nested }, signal)
}
