import type { Group } from '../../core/group.ts'
import { personKey } from '../../core/people/members.ts'
import type { DirectMembers, MembershipsFound } from '../membership/membership.ts'
import { readPermitted } from '../membership/permitted.ts'
import type { Ask } from '../overHttp/ask.ts'
import { openListEnds } from './listEnds.ts'
import { type Asked, seesNoUsers } from './refusal.ts'
import { childrenPath, listKeycloakGroups } from './tree.ts'
import { type KeycloakUser, membersPath, openPeople, readUsers, seesUsers } from './users.ts'

export type KeycloakPeople = {
  readonly identity: 'email' | 'username' | 'id'
  /** Whether the members of subgroups are members of the group, too. The claim of Keycloak's own mapper has no group above a person's own. */
  readonly nested: boolean
}

export type MembersAsked = Asked & {
  readonly people: KeycloakPeople
  readonly limits: { readonly pageSize: number; readonly groupsMax: number; readonly concurrency: number }
}

/** The members of groups. Without `nested` no subgroups are requested, because a subgroup is not a member of its group. */
export async function readGroupMembers(
  ask: Ask,
  groups: readonly Group[],
  asked: MembersAsked,
  signal: AbortSignal,
): Promise<MembershipsFound> {
  const { nested } = asked.people
  const read = openMembers(ask, asked)
  const found = await readPermitted(
    groups.map(({ id }) => id),
    (group, signal) => read.direct(membersPath(group), nested ? childrenPath(group) : undefined, signal),
    { nested },
    signal,
  )
  await read.check(signal)
  return found
}

type MembersReader = {
  /** The users of one list, and the groups of another one as groups inside. */
  direct(users: string, groups: string | undefined, signal: AbortSignal): Promise<DirectMembers | { readonly missing: string }>
  /** Call it after the last list. @throws {DirectoryError} if a list has more rows, or if no list had a user, and the account sees no user at all */
  check(signal: AbortSignal): Promise<void>
}

export function openMembers(ask: Ask, asked: MembersAsked): MembersReader {
  const { people, limits, url } = asked
  const personOf = (user: KeycloakUser) => ({ id: user.id, key: personKey(user[people.identity] ?? undefined) })
  const peopleAmong = openPeople(ask, limits.pageSize)
  const ends = openListEnds(ask, { address: url, pageSize: limits.pageSize })
  let hasSeenUser = false
  return {
    async direct(usersPath, groupsPath, signal) {
      const users = await readUsers(ask, usersPath, { pageSize: limits.pageSize, confirmEmpty: true }, signal)
      if (users.missing !== undefined) return { missing: `${url.href}, ${usersPath}: ${users.missing}` }
      hasSeenUser ||= users.items.length > 0
      ends.note('members', usersPath, users.items.length)
      const groups = groupsPath === undefined ? { items: [] } : await listKeycloakGroups(ask, groupsPath, limits, signal)
      if (groups.missing !== undefined) return { missing: `${url.href}, ${groupsPath}: ${groups.missing}` }
      if (groupsPath !== undefined) ends.note('subgroups', groupsPath, groups.items.length)
      const persons = await peopleAmong(users.items, signal)
      if ('missing' in persons) return { missing: `${url.href}, ${persons.missing}` }
      const enabled = persons.filter((user) => user.enabled !== false)
      return {
        people: enabled.map(personOf),
        groups: groups.items.map(({ id }) => id),
        notCounted: { disabled: persons.length - enabled.length, foreign: 0, dangling: 0 },
      }
    },
    async check(signal) {
      await ends.check(signal)
      if (!hasSeenUser && !(await seesUsers(ask, signal))) throw seesNoUsers(asked)
    },
  }
}
