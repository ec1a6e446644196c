import { setImmediate } from 'node:timers/promises'
import { doubt } from '../core/doubt.ts'
import type { Group } from '../core/group.ts'
import { defined } from '../core/optionalFields.ts'
import { type Doubtful, type Members, type Memberships, type NotCounted, type Person, personTexts } from '../core/people/members.ts'
import type { UnreadGroup } from '../core/people/membersReading.ts'
import { listedFirst } from '../core/quantity.ts'
import { NoAnswer } from '../http/origin.ts'
import type { Deadline } from './deadline.ts'
import { DirectoryError } from './directoryError.ts'
import { type Explained, type Missing, openGroupTurns } from './groupTurns.ts'
import { mapConcurrently } from './mapConcurrently.ts'
import type { Pages } from './overHttp/paging.ts'
import { pathPart } from './overHttp/pathPart.ts'

/** The direct members of one group. */
export type DirectMembers = {
  /** A person may come twice. */
  readonly people: readonly Person[]
  /** The ids of the groups that are members, as the source takes them. */
  readonly groups: readonly string[]
  /** Members of whom the directory does not say whether they are people who can sign in. */
  readonly doubtful?: Doubtful<Person>
  readonly notCounted?: Omit<NotCounted, 'groups'>
  /** Why any further people may be members. */
  readonly more?: string
}

/** Reads the direct members of the group with this id. */
export type ReadDirect = (group: string, signal: AbortSignal) => Promise<DirectMembers | Missing>

type MembershipOptions = {
  /** Whether the members of groups inside a group are its members, too. */
  readonly nested: boolean
  /** How many groups are read at the same time. */
  readonly atOnce: number
  readonly deadline: Deadline
  /** What errors of `read` say. */
  readonly explained: Explained
  /** Called after the last group was asked: of some of the groups it may say why they are not known after all. */
  readonly check?: ((signal: AbortSignal) => Promise<ReadonlyMap<string, Missing>>) | undefined
}

/** `unread`: each wanted group that `memberships` lacks, and why. */
export type MembershipsFound = {
  readonly memberships: Memberships
  readonly missing: string | undefined
  readonly unread?: ReadonlyMap<string, UnreadGroup>
}

/** Groups that are further away from every wanted group are not read. */
const depthMax = 50

/**
 * The members of each of these groups. With `nested`, each group that is found inside is read once, and may contain a group that contains it. A group that
 * is not known is left out, and `missing` says why. A group inside that is not known only means that there may be more people. The groups are read in the given
 * order.
 *
 * @throws an error of all groups, or of one if each of them failed
 */
export async function readMemberships(
  wanted: readonly string[],
  read: ReadDirect,
  { nested, atOnce, deadline, explained, check }: MembershipOptions,
  signal: AbortSignal,
): Promise<MembershipsFound> {
  const turns = openGroupTurns(explained, deadline, signal)
  const known = new Map<string, DirectMembers | Missing>()
  const people = new Map<string, Person>()
  let level = [...new Set(wanted)]
  for (let depth = 1; level.length > 0; depth++) {
    let waiting = level.length
    const answers = await mapConcurrently(level, atOnce, async (group) => {
      waiting--
      // Groups inside are read after these.
      return { group, direct: await turns.take(nested ? Math.max(1, waiting) : waiting, (until) => read(group, until)) }
    })
    for (const { group, direct } of answers) known.set(group, 'missing' in direct ? direct : withEachOnce(direct, people))
    if (!nested) break
    const inside = answers.flatMap(({ direct }) => ('missing' in direct ? [] : direct.groups))
    level = [...new Set(inside)].filter((group) => !known.has(group))
    if (depth < depthMax) continue
    for (const group of level) known.set(group, { missing: `a group is more than ${depthMax} groups deep inside other groups` })
    break
  }

  const groups = [...new Set(wanted)]
  const worst = turns.worst()
  if (worst !== undefined && (worst.ofAll || groups.every((group) => hasFailed(known.get(group))))) throw worst.error
  if (check !== undefined) for (const [group, why] of await check(signal)) known.set(group, why)

  const texts = personTexts(people.values())
  const memberships = new Map<string, Members>()
  const unread = new Map<string, UnreadGroup>()
  let size = 0
  for (const group of groups) {
    // A large group inside many others is copied into each of them. Other work of the process has its turn in between.
    if (nested) await setImmediate()
    const members =
      size > membershipsMax ? tooManyMemberships : nested ? allMembers(group, known, texts) : ownMembers(known.get(group), texts)
    if (!('missing' in members)) size += members.people.length
    if ('missing' in members) {
      const { missing: why, ...more } = members
      unread.set(group, { why, ...more })
    } else memberships.set(group, members)
  }
  const inside = [...known.values()].flatMap((direct) => ('missing' in direct ? [direct.missing] : []))
  const reasons = [...new Set([...[...unread.values()].map(({ why }) => why), ...inside])]
  return {
    memberships,
    missing: reasons.length === 0 ? undefined : listedFirst(reasons.slice(0, reasonsMax), reasons.length),
    ...(unread.size === 0 ? {} : { unread }),
  }
}

const hasFailed = (direct: DirectMembers | Missing | undefined): boolean =>
  direct !== undefined && 'missing' in direct && direct.notAsked !== true

const reasonsMax = 3
/** Over all groups of one reading, which bounds its memory. */
const membershipsMax = 10_000_000
const tooManyMemberships = { missing: 'the groups have more than 10 million members altogether' }

/** A person who is in many groups is kept in the memory once. The same id is the same person, also if an attribute changed meanwhile. */
function withEachOnce(direct: DirectMembers, people: Map<string, Person>): DirectMembers {
  const once = (person: Person): Person => {
    const known = people.get(person.id)
    if (known === undefined) people.set(person.id, person)
    return known ?? person
  }
  return {
    ...direct,
    people: direct.people.map(once),
    ...(direct.doubtful === undefined ? {} : { doubtful: { ...direct.doubtful, members: direct.doubtful.members.map(once) } }),
  }
}

type Texts = ReadonlyMap<Person, string>

function ownMembers(direct: DirectMembers | Missing | undefined, texts: Texts): Members | Missing {
  if (direct === undefined) return unread
  return 'missing' in direct ? direct : membersOf([direct], direct.groups.length, undefined, texts)
}

/** The members of a group and of all groups inside it. */
function allMembers(root: string, known: ReadonlyMap<string, DirectMembers | Missing>, texts: Texts): Members | Missing {
  const own = known.get(root) ?? unread
  if ('missing' in own) return own
  const direct: DirectMembers[] = []
  let more: string | undefined
  const visited = new Set([root])
  for (const group of visited) {
    const inside = known.get(group) ?? unread
    if ('missing' in inside) more ??= inside.missing
    else {
      direct.push(inside)
      for (const id of inside.groups) visited.add(id)
    }
  }
  return membersOf(direct, 0, more, texts)
}

const unread = { missing: 'a group inside was not read' }

/** The members of several lists as those of one group. @param groups how many groups inside are not counted; `more`: why there may be further people */
function membersOf(lists: readonly DirectMembers[], groups: number, more: string | undefined, texts: Texts): Members {
  const people = new Set(lists.flatMap((list) => [...list.people]))
  const doubtful = lists.flatMap((list) => list.doubtful ?? [])
  const doubted = new Set(doubtful.flatMap(({ members }) => [...members]).filter((person) => !people.has(person)))
  const textOf = (person: Person) => texts.get(person) as string
  const disabled = lists.reduce((sum, { notCounted }) => sum + (notCounted?.disabled ?? 0), 0)
  return {
    people: Array.from(people, textOf),
    ...defined({
      doubtful: doubted.size === 0 ? undefined : { members: Array.from(doubted, textOf), why: doubtful[0]?.why ?? '' },
      notCounted: disabled + groups === 0 ? undefined : { disabled, groups },
      more: more ?? lists.find((list) => list.more !== undefined)?.more,
    }),
  }
}

/** How many groups are read at the same time. */
const atOnce = 8

/** The largest group whose members are read. Of a larger one the number of people is unknown. */
export const membersMax = 100_000
export const tooManyMembers = doubt('members.max', 'there are more than 100,000 members')

/** Requests of one reading of members, over all groups. It ends the reading of a server that repeats itself or always fails. */
export const membersRequestsMax = 100_000

/** How groups are read over HTTP. */
type PermittedOptions = Pick<MembershipOptions, 'nested' | 'deadline' | 'check'>

/**
 * The members of each of these groups, as `readMemberships` gives them. A group that is not there any more (404), that the account may not read (403), or whose
 * answer is wrong, too large or late is left out, and the others are read. If the account may not read any of them, the reading fails, because that failure has a
 * cure.
 */
export async function readPermitted(
  wanted: readonly string[],
  read: ReadDirect,
  options: PermittedOptions,
  signal: AbortSignal,
): Promise<MembershipsFound> {
  const refusals: DirectoryError[] = []
  let gone: DirectoryError | undefined
  const explained: Explained = (error) => {
    const failure = explainedOverHttp(error)
    if (failure === undefined || !(error instanceof DirectoryError)) return failure
    if (failure.of === 'refusal') refusals.push(error)
    if (failure.of === 'gone') gone ??= error
    // Their cures are said once, for all groups.
    return failure.of === 'refusal' || failure.of === 'gone' ? { ...failure, cure: undefined } : failure
  }
  const found = await readMemberships(wanted, read, { ...options, atOnce, explained }, signal)
  const [refusal] = refusals
  if (refusal === undefined && gone === undefined) return found
  return {
    ...found,
    missing: [found.missing, refusal?.cureOfOne ?? refusal?.cure, gone?.cure].filter((text) => text !== undefined).join('; '),
  }
}

/** Whether an error over HTTP is about the one list that was asked for, or about all. */
export const explainedOverHttp: Explained = (error) => {
  if (!(error instanceof DirectoryError)) return undefined
  const { message: why, cure } = error
  return { of: ofWhat(error), why, cure }
}

function ofWhat({ code, concernsAll, cause }: DirectoryError): 'group' | 'gone' | 'refusal' | 'all' {
  if (concernsAll) return 'all'
  switch (code) {
    case 'rights':
      return 'refusal'
    case 'missing':
      return 'gone'
    case 'otherResource':
    case 'failing':
    case 'garbled':
    case 'bound':
    case 'foreign':
      return 'group'
    case 'unreachable':
      // The connection exists, and the answer is late or was cut.
      return cause instanceof NoAnswer && cause.sent && (cause.code === 'deadline' || cause.code === 'cut') ? 'group' : 'all'
    case 'aborted':
    case 'credentials':
    case 'insecure':
    case 'throttled':
      return 'all'
    default:
      return code satisfies never
  }
}

/** Members who may be people, for several reasons; the first one is said. */
export function doubtfulOf(parts: readonly (Doubtful<Person> | undefined)[]): Pick<DirectMembers, 'doubtful'> {
  const [first, ...others] = parts.filter((part) => part !== undefined && part.members.length > 0) as readonly Doubtful<Person>[]
  if (first === undefined) return {}
  return { doubtful: { members: [...first.members, ...others.flatMap(({ members }) => [...members])], why: first.why } }
}

/** How the members of a group are listed by an API that has one list for each group. */
type MemberList<Row> = {
  /** The address below which the paths are, as sentences show it. */
  readonly address: string
  readonly path: (group: string) => string
  readonly rows: (path: string, signal: AbortSignal) => Promise<Pages<Row>>
  /** `missing`: why these rows are not the members of the group. `more`: why it may have others beside them. */
  readonly unclear?: (rows: readonly Row[], group: string, signal: AbortSignal) => Promise<Missing | { readonly more: string } | undefined>
  readonly membersOf: (rows: readonly Row[], where: string) => DirectMembers
  /** Whether the groups inside a group are read, too. */
  readonly nested: boolean
  readonly deadline: Deadline
}

/** The members of groups, each of which has one list. A group whose list is not whole is left out. */
export function readMemberLists<Row>(groups: readonly Group[], list: MemberList<Row>, signal: AbortSignal): Promise<MembershipsFound> {
  const { address, unclear = async () => undefined } = list
  const direct: ReadDirect = async (group, signal) => {
    const path = list.path(pathPart(group))
    const where = `${address.replace(/\/$/, '')}${path}`
    const { items, missing } = await list.rows(path, signal)
    const why = missing === undefined ? await unclear(items, group, signal) : { missing }
    if (why === undefined) return list.membersOf(items, where)
    return 'missing' in why ? { missing: `${where}: ${why.missing}` } : { ...list.membersOf(items, where), more: `${where}: ${why.more}` }
  }
  const ids = groups.map(({ id }) => id)
  return readPermitted(ids, direct, list, signal)
}
