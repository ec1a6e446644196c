import { setImmediate } from 'node:timers/promises'
import { type Members, type Memberships, type NotCounted, type Person, personTexts } from '../../core/people/members.ts'
import { listedFirst } from '../../core/quantity.ts'
import { mapConcurrently } from '../mapConcurrently.ts'

/** The direct members of one group. */
export type DirectMembers = {
  /** A person may come twice. */
  readonly people: readonly Person[]
  /** The ids of the groups that are members, as the source takes them. */
  readonly groups: readonly string[]
  readonly notCounted?: Omit<NotCounted, 'groups'>
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
  return membersOf(new Set(direct.people), { ...none, ...direct.notCounted, groups: direct.groups.length }, texts)
}

/** The members of a group and of all groups inside it. */
function allMembers(root: string, known: ReadonlyMap<string, DirectMembers | Missing>, texts: Texts): Members | Missing {
  const people = new Set<Person>()
  let notCounted = none
  const visited = new Set([root])
  for (const group of visited) {
    const direct = known.get(group) ?? unread
    if ('missing' in direct) return direct
    for (const person of direct.people) people.add(person)
    for (const inside of direct.groups) visited.add(inside)
    if (direct.notCounted !== undefined) notCounted = sumOf(notCounted, direct.notCounted)
  }
  return membersOf(people, notCounted, texts)
}

const unread = { missing: 'a group inside was not read' }
const none: NotCounted = { disabled: 0, foreign: 0, dangling: 0, groups: 0 }

const sumOf = (sum: NotCounted, { disabled, foreign, dangling }: Omit<NotCounted, 'groups'>): NotCounted => ({
  ...sum,
  disabled: sum.disabled + disabled,
  foreign: sum.foreign + foreign,
  dangling: sum.dangling + dangling,
})

function membersOf(people: ReadonlySet<Person>, notCounted: NotCounted, texts: Texts): Members {
  const isEmpty = Object.values(notCounted).every((number) => number === 0)
  return { people: Array.from(people, (person) => texts.get(person) as string), ...(isEmpty ? {} : { notCounted }) }
}
