import type { Group } from '../../core/group.ts'
import { type Doubtful, personKey } from '../../core/people/members.ts'
import { checkedList } from '../../http/json.ts'
import { z } from '../../yaml/zod.ts'
import { byState, notUnderstood, type StateRow } from '../accountState.ts'
import { type Deadline, noDeadline } from '../deadline.ts'
import { DirectoryError } from '../directoryError.ts'
import type { Missing } from '../groupTurns.ts'
import { mapConcurrently } from '../mapConcurrently.ts'
import { type DirectMembers, doubtfulOf, type MembershipsFound, membersMax, readPermitted, tooManyMembers } from '../membership.ts'
import type { Ask } from '../overHttp/ask.ts'
import type { Pages } from '../overHttp/paging.ts'
import { pathPart } from '../overHttp/pathPart.ts'
import { type KeycloakList, openListEnds, readKeycloakList } from './list.ts'
import { type Asked, seesNoUsers } from './refusal.ts'
import { childrenPath, listKeycloakGroups, type Node } from './tree.ts'

export type KeycloakPeople = {
  readonly identity: 'email' | 'username' | 'id'
  /** Whether the members of subgroups are members of the group, too. The claim of Keycloak's own mapper has no group above a person's own. */
  readonly nested: boolean
}

export type MembersAsked = Asked & {
  readonly people: KeycloakPeople
  readonly deadline: Deadline
  /** `membersPageSize`: users in a page. Default: `pageSize`, which is about groups. */
  readonly limits: {
    readonly pageSize: number
    readonly membersPageSize?: number
    readonly groupsMax: number
    readonly concurrency: number
  }
}

/** The members of groups. Without `nested` no subgroups are requested, because a subgroup is not a member of its group. */
export async function readGroupMembers(
  ask: Ask,
  groups: readonly Group[],
  asked: MembersAsked,
  signal: AbortSignal,
): Promise<MembershipsFound> {
  const { nested } = asked.people
  const { direct, check } = openMembers(ask, asked, signal)
  return readPermitted(
    groups.map(({ id }) => id),
    (group, turn) => direct(group, { users: membersPath(group), ...(nested ? { groups: childrenPath(group) } : {}) }, turn),
    { nested, deadline: asked.deadline, check },
    signal,
  )
}

type MembersReader = {
  /** The users of one list, and the groups of another one as groups inside. */
  direct(key: string, paths: { readonly users: string; readonly groups?: string }, signal: AbortSignal): Promise<DirectMembers | Missing>
  /**
   * Call it after the last list. @returns the keys of which it is not known whether their lists are whole. @throws {DirectoryError} if a list has more rows, or if no
   * list had a user, and the account sees no user at all
   */
  check(signal: AbortSignal): Promise<ReadonlyMap<string, Missing>>
}

/** @param signal of the whole reading: what several lists need does not end with one of them */
export function openMembers(ask: Ask, asked: MembersAsked, signal: AbortSignal): MembersReader {
  const { people, limits, url } = asked
  const personOf = (user: KeycloakUser) => ({ id: user.id, key: personKey(user[people.identity] ?? undefined) })
  const { pageSize, membersPageSize = pageSize } = limits
  const peopleAmong = openPeople(ask, membersPageSize)
  const ends = openListEnds(ask, {
    address: url,
    pageSizes: { members: membersPageSize, subgroups: pageSize },
    deadline: asked.deadline,
  })
  let hasSeenUser = false
  return {
    async direct(key, { users: usersPath, groups: groupsPath }, turn) {
      const users = await readUsers(ask, usersPath, { pageSize: membersPageSize, confirmEmpty: true }, turn)
      if (users.missing !== undefined) return { missing: `${url.href}, ${usersPath}: ${users.missing}` }
      hasSeenUser ||= users.items.length > 0
      ends.note('members', { key, path: usersPath, rows: users.items.length })
      const groups = groupsPath === undefined ? { items: [] } : await listKeycloakGroups(ask, groupsPath, limits, turn)
      if (groups.missing !== undefined) return { missing: `${url.href}, ${groupsPath}: ${groups.missing}` }
      if (groupsPath !== undefined) ends.note('subgroups', { key, path: groupsPath, rows: groups.items.length })
      const { persons, doubtful } = await peopleAmong(users.items, signal)
      const sorted = byState(persons, stateOf, personOf)
      const services = doubtful && { members: doubtful.members.map(personOf), why: `${url.href}, ${doubtful.why}` }
      return {
        ...sorted,
        ...doubtfulOf([sorted.doubtful, services]),
        groups: groups.items.map(({ id }) => id),
      }
    },
    async check(signal) {
      const doubtful = await ends.check(signal)
      if (!hasSeenUser && !(await seesUsers(ask, signal))) throw seesNoUsers(asked)
      return doubtful
    },
  }
}

/**
 * The number of enabled direct members by group id, without the accounts of clients. Keycloak has no address for the number (404), so the lists are read. A
 * group whose list cannot be read, or among whose members it is not known who is a person, is left out; the reading stays complete, because no decision
 * needs the number. A group whose list is empty is left out, too: an empty answer proves nothing (keycloak/keycloak#51268), and a second request for each
 * such group would double the requests of many realms. After an error of a list other than `missing` no further list is read. If a gateway cuts the
 * lists, no number is given.
 */
export async function countPeople(
  ask: Ask,
  groups: readonly Node[],
  { address, pageSize, membersPageSize = pageSize, concurrency }: MembersAsked['limits'] & { readonly address: URL },
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const people = new Map<string, number>()
  const ends = openListEnds(ask, { address, pageSizes: { members: membersPageSize, subgroups: pageSize }, deadline: noDeadline })
  const peopleAmong = openPeople(ask, membersPageSize)
  let hopeless = false

  async function count({ id }: Node): Promise<void> {
    if (hopeless) return
    try {
      const members = await readUsers(ask, membersPath(id), { pageSize: membersPageSize, confirmEmpty: false }, signal)
      if (members.missing !== undefined || members.items.length === 0) return
      ends.note('members', { key: id, path: membersPath(id), rows: members.items.length })
      const among = await unlessRefused(peopleAmong(members.items, signal))
      if (among !== undefined && among.doubtful === undefined)
        people.set(id, among.persons.filter((user) => stateOf(user) !== 'ended').length)
    } catch (error) {
      if (!(error instanceof DirectoryError) || error.code === 'aborted') throw error
      hopeless ||= error.code !== 'missing'
    }
  }

  await mapConcurrently(groups, concurrency, count)
  const areWhole = hopeless || (await unlessRefused(ends.check(signal).then((doubtful) => doubtful.size === 0)))
  return areWhole === true ? people : new Map()
}

/** @returns undefined for an error of the directory, except the end of the whole reading */
async function unlessRefused<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (!(error instanceof DirectoryError) || error.code === 'aborted') throw error
    return undefined
  }
}

const text = z.string().max(4_096)
const KeycloakUser = z.object({ id: text.min(1), enabled: z.unknown().optional(), username: text.nullish(), email: text.nullish() })
type KeycloakUser = Readonly<z.infer<typeof KeycloakUser>>
const Users = checkedList(KeycloakUser)

export const keycloakState: StateRow<[enabled: unknown]> = {
  of: 'Keycloak',
  attribute: 'enabled',
  ended: '`false`',
  source: 'https://www.keycloak.org/docs-api/latest/rest-api/index.html#UserRepresentation',
  stateOf: (enabled) => (enabled === true ? 'works' : enabled === false ? 'ended' : notUnderstood('enabled')),
}
const stateOf = ({ enabled }: KeycloakUser) => keycloakState.stateOf(enabled)

/**
 * The users of one list, such as the members of a group, all pages.
 */
async function readUsers(
  ask: Ask,
  path: string,
  { search, ...how }: Pick<KeycloakList<KeycloakUser>, 'pageSize' | 'confirmEmpty' | 'confirmEnd'> & { readonly search?: string },
  signal: AbortSignal,
): Promise<Pages<KeycloakUser>> {
  const query: Readonly<Record<string, string>> = search === undefined ? {} : { search }
  const list = { ...how, path, query, rows: Users, rowsMax: membersMax, called: 'a member' }
  const users = await readKeycloakList(ask, list, signal)
  return users.items.length > membersMax ? { items: [], missing: tooManyMembers } : users
}

/** Whether the account sees a user at all. With the role query-users Keycloak answers 200 `[]` to each list of users (measured on 26.7.3). */
async function seesUsers(ask: Ask, signal: AbortSignal): Promise<boolean> {
  const look = async () =>
    (await ask('/users', { first: '0', max: '1', briefRepresentation: 'true' }, Users, signal, '/users')).body.length > 0
  return (await look()) || look()
}

export const membersPath = (group: string): string => `/groups/${pathPart(group)}/members`

/** The name of the account of a client begins with this. No list and no user of the admin API has another mark of it, and a person may have such a name. */
const serviceAccount = 'service-account-'
const isNamedAsService = ({ username }: KeycloakUser): boolean => username?.startsWith(serviceAccount) === true

/** Leaves out the accounts of clients, which are neither people nor groups. `doubtful`: enabled users who may be such accounts. */
type People = (
  users: readonly KeycloakUser[],
  signal: AbortSignal,
) => Promise<{ readonly persons: readonly KeycloakUser[]; readonly doubtful?: Doubtful<KeycloakUser> }>

/**
 * Tells people from accounts of clients: a search in the users of the realm finds people only, and the members of a group are both (measured on Keycloak
 * 26.7.3). The search is made once, and only if a user has the name of such an account.
 */
function openPeople(ask: Ask, pageSize: number): People {
  let searched: Promise<Pages<KeycloakUser>> | undefined
  return async (users, signal) => {
    if (!users.some(isNamedAsService)) return { persons: users }
    searched ??= readUsers(ask, '/users', { pageSize, confirmEmpty: true, confirmEnd: true, search: serviceAccount }, signal)
    const { items, missing } = await searched
    const persons = (isPerson: (user: KeycloakUser) => boolean) => users.filter((user) => !isNamedAsService(user) || isPerson(user))
    if (missing !== undefined) {
      const members = users.filter((user) => isNamedAsService(user) && user.enabled !== false)
      const why = `/users: ${missing}, so it is not known which users are accounts of clients`
      return { persons: persons(() => false), ...(members.length === 0 ? {} : { doubtful: { members, why } }) }
    }
    const people = new Set(items.map(({ id }) => id))
    return { persons: persons(({ id }) => people.has(id)) }
  }
}
