import type { Group } from '../../core/group.ts'
import { personKey } from '../../core/people/members.ts'
import { checkedList } from '../../http/json.ts'
import { z } from '../../yaml/zod.ts'
import { type DirectMembers, type MembershipsFound, membersMax, readMemberLists, tooManyMembers } from '../membership.ts'
import type { DirectoryApi } from '../overHttp/ask.ts'
import { lostLinks, type OktaPages, readLinkedPages } from './list.ts'

/** Groups of Okta contain no groups. */
export type OktaPeople = { readonly identity: 'email' | 'login' | 'id' }

const text = z.string().max(4_096)
const User = z.object({
  id: text.min(1),
  status: text.min(1),
  profile: z.object({ email: text.nullish(), login: text.nullish() }),
})
type User = Readonly<z.infer<typeof User>>

/**
 * Whether an account of this status can sign in, if need be after its owner has chosen a password or was unlocked. Without an administrator, accounts
 * of the other statuses stay as they are.
 *
 * @see https://help.okta.com/en-us/Content/Topics/users-groups-profiles/usgp-end-user-states.htm
 */
const canSignIn: ReadonlyMap<string, boolean> = new Map([
  ['ACTIVE', true],
  ['PROVISIONED', true],
  ['RECOVERY', true],
  ['PASSWORD_EXPIRED', true],
  ['LOCKED_OUT', true],
  ['STAGED', false],
  ['SUSPENDED', false],
  ['DEPROVISIONED', false],
])

const aboutMembers = {
  query: {},
  rows: checkedList(User),
  rowsMax: membersMax,
  tooMany: () => tooManyMembers,
  what: 'members',
  called: 'a member',
}

type Asked = { readonly people: OktaPeople; readonly address: URL; readonly pageSize: number }

/** @see https://developer.okta.com/docs/api/openapi/okta-management/management/tag/Group/#tag/Group/operation/listGroupUsers */
export async function readOktaMembers(
  api: DirectoryApi,
  groups: readonly Group[],
  { people, address, pageSize }: Asked,
  signal: AbortSignal,
): Promise<MembershipsFound> {
  function membersOf(items: readonly User[]): DirectMembers {
    const active = items.filter(({ status }) => canSignIn.get(status) === true)
    const unclear = items.filter(({ status }) => !canSignIn.has(status))
    const personOf = ({ id, profile }: User) => ({
      id,
      key: personKey((people.identity === 'id' ? id : profile[people.identity]) ?? undefined),
    })
    return {
      people: active.map(personOf),
      ...(unclear.length === 0 ? {} : { doubtful: { members: unclear.map(personOf), why: unknownStatus } }),
      groups: [],
      notCounted: { disabled: items.length - active.length - unclear.length },
    }
  }

  let hasNext = false
  let longest: { readonly path: string; readonly size: number } | undefined
  async function rows(path: string, signal: AbortSignal): Promise<OktaPages<User>> {
    const listing = await readLinkedPages(api, { ...aboutMembers, path, pageSize }, signal)
    hasNext ||= listing.pages > 1
    if (listing.items.length > (longest?.size ?? 1)) longest = { path, size: listing.items.length }
    return listing
  }

  const base = `${address.origin}/api/v1`
  const list = {
    address: base,
    path: (group: string) => `/groups/${group}/users`,
    rows,
    membersOf,
    nested: false,
  }
  const memberships = await readMemberLists(groups, list, signal)
  if (hasNext || longest === undefined) return memberships
  const lost = await lostLinks(api, { ...aboutMembers, path: longest.path }, signal)
  return lost === undefined ? memberships : { memberships: new Map(), missing: `${base}${longest.path}: ${lost}` }
}

const unknownStatus = 'some members have a status that this version does not know'
