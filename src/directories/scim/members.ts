import type { Group } from '../../core/group.ts'
import { byState } from '../accountState.ts'
import { DirectoryError } from '../directoryError.ts'
import { mapConcurrently } from '../mapConcurrently.ts'
import { type DirectMembers, doubtfulOf, type MembershipsFound, type ReadDirect, readPermitted } from '../membership.ts'
import type { Ask, DirectoryApi } from '../overHttp/ask.ts'
import { anyResource, groupMembers, groupSchema, type ScimMember } from './answers.ts'
import { ifShown } from './list.ts'
import { membersNeverShown } from './refusal.ts'
import { askForResource, lookupsAtOnce, openUsers, resourcePath, type ScimPeople } from './users.ts'

type MembersAsked = { readonly url: URL; readonly people: ScimPeople; readonly pageSize: number }

/**
 * The members of groups (RFC 7643 §4.2). A group without `members` has none, or the server does not show them: that is known if another group has
 * members, or by the schema.
 */
export async function readScimMembers(
  { ask, deadline }: Pick<DirectoryApi, 'ask' | 'deadline'>,
  groups: readonly Group[],
  asked: MembersAsked,
  signal: AbortSignal,
): Promise<MembershipsFound> {
  const { url, people } = asked
  const users = openUsers(ask, asked)
  let areShown = false
  const seen = { user: false, dangling: false }

  /** Several groups share users and lookups, so none of these ends with the turn of one group. */
  const direct: ReadDirect = async (group, turn) => {
    const requested = { kind: 'Groups', id: group, isShown: true } as const
    const where = `${url.href.replace(/\/$/, '')}${resourcePath(requested)}`
    try {
      const { members } = await askForResource(ask, url, requested, { attributes: 'id,members', schema: groupMembers }, turn)
      areShown ||= members !== undefined && members !== null
      return await sorted(members ?? [], where)
    } catch (error) {
      // The answer is too large, has too many values, or is another resource.
      if (error instanceof DirectoryError && error.code === 'otherResource') return { missing: error.message }
      if (error instanceof DirectoryError && error.code === 'bound' && !error.concernsAll)
        return { missing: `${error.message}; ${boundCure}` }
      throw error
    }
  }

  /** Devices, applications and other types are neither people nor groups: they are not counted. */
  async function sorted(members: readonly ScimMember[], where: string): Promise<DirectMembers | { readonly missing: string }> {
    const named = members.map((member) => ({ id: idOf(member), kind: kindOf(member) }))
    if (named.some(({ id }) => id === undefined)) return { missing: `${where}: a member has no id` }
    // RFC 7643 §3.1 gives no two resources one id, but a server may number its users and its groups each from 1.
    const ids = (kind: Kind) => [...new Set(named.flatMap((member) => (member.kind === kind ? (member.id ?? []) : [])))]
    const known = ids('user')
    const typed = new Set([...known, ...ids('group'), ...ids('other')])
    const unclear = ids('unclear').filter((id) => !typed.has(id))
    const { users: usersById, missing } = await users.find([...known, ...unclear], signal)
    const absent = [...known, ...unclear].filter((id) => !usersById.has(id))
    const inside = await groupsAmong(unclear.filter((id) => !usersById.has(id)))
    const persons = [...known, ...unclear].flatMap((id) => usersById.get(id) ?? [])
    const lost = absent.filter((id) => !inside.includes(id))
    seen.user ||= persons.length > 0
    seen.dangling ||= missing === undefined && lost.length > 0
    const why = missing ?? `${where}: the server answers that some members do not exist`
    const mayBeGroup = people.nested && lost.some((id) => !known.includes(id))
    const sorted = byState(
      persons,
      ({ account }) => account,
      (person) => person,
    )
    return {
      ...sorted,
      groups: [...ids('group'), ...inside],
      ...doubtfulOf([sorted.doubtful, mayBeGroup ? undefined : { members: lost.map((id) => ({ id, key: '' })), why }]),
      ...(mayBeGroup ? { more: why } : {}),
    }
  }

  /** Those of the members without a type that are groups. The others do not exist any more. */
  async function groupsAmong(ids: readonly string[]): Promise<readonly string[]> {
    const inside = await mapConcurrently(ids, lookupsAtOnce, async (id) => ((await isGroup(id)) ? [id] : []))
    return inside.flat()
  }

  const looked = new Map<string, Promise<boolean>>()
  function isGroup(id: string): Promise<boolean> {
    const look = async () => {
      try {
        const requested = { kind: 'Groups', id, isShown: false } as const
        await askForResource(ask, url, requested, { attributes: 'id', schema: anyResource }, signal)
        return true
      } catch (error) {
        if (error instanceof DirectoryError && error.code === 'missing') return false
        throw error
      }
    }
    const known = looked.get(id) ?? look()
    looked.set(id, known)
    return known
  }

  const membershipsFound = await readPermitted(
    groups.map(({ id }) => id),
    direct,
    { nested: people.nested, deadline },
    signal,
  )
  // Without an address for users a server answers 404 to each.
  if (seen.dangling && !seen.user)
    return {
      memberships: new Map(),
      missing: `${url.href}: no member was found below /Users, so it is unknown who the members are; check that url has /Users below it, too`,
    }
  if (areShown || membershipsFound.memberships.size === 0) return membershipsFound
  const returned = await membersReturned(ask, signal)
  if (returned === 'never') throw membersNeverShown(url)
  if (returned !== undefined) return membershipsFound
  const missing = 'no group has members in its answer, and no schema says that the server shows them'
  return { memberships: new Map(), missing: `${url.href}: ${missing}` }
}

const boundCure = 'its people cannot be counted, so approve its changes for any number of people (ID:any)'

const idOf = ({ value, $ref }: ScimMember): string | undefined => value || decoded($ref?.split('/').at(-1)) || undefined

function decoded(segment: string | undefined): string | undefined {
  try {
    return segment === undefined ? undefined : decodeURIComponent(segment)
  } catch {
    return segment
  }
}

type Kind = 'user' | 'group' | 'unclear' | 'other'

/** `type` is `User` or `Group`. A server may leave it out; then `$ref` tells it. */
function kindOf({ type, $ref }: ScimMember): Kind {
  const name = type?.toLowerCase() ?? /\/(User|Group)s\/[^/]*$/i.exec($ref ?? '')?.[1]?.toLowerCase()
  if (name === undefined || name === '') return 'unclear'
  // RFC drafts and vendors also know devices and applications. Any other word may stand for a person.
  if (name === 'user' || name === 'group') return name
  return name === 'device' || name === 'application' ? 'other' : 'unclear'
}

/** When the server returns the members of a group, by its schema (RFC 7643 §7); undefined if it does not say it. */
async function membersReturned(ask: Ask, signal: AbortSignal): Promise<string | undefined> {
  const schema = await ifShown(() => ask('/Schemas/urn:ietf:params:scim:schemas:core:2.0:Group', {}, groupSchema, signal))
  return schema?.attributes.find(({ name }) => name.toLowerCase() === 'members')?.returned?.toLowerCase()
}
