import type { Group } from '../../core/group.ts'
import { personKey } from '../../core/people/members.ts'
import { checkedList } from '../../http/json.ts'
import { z } from '../../yaml/zod.ts'
import { byState, notUnderstood, type StateRow } from '../accountState.ts'
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

/** Statuses with which a person can sign in, if need be after a new password or after an unlock. */
const working: ReadonlySet<string> = new Set(['ACTIVE', 'PROVISIONED', 'RECOVERY', 'PASSWORD_EXPIRED', 'LOCKED_OUT'])
/** Without an administrator, accounts of these statuses stay as they are. */
const ended: ReadonlySet<string> = new Set(['STAGED', 'SUSPENDED', 'DEPROVISIONED'])

export const oktaState: StateRow<[status: string]> = {
  of: 'Okta',
  attribute: 'status',
  ended: '`STAGED`, `SUSPENDED`, `DEPROVISIONED`',
  source: 'https://help.okta.com/en-us/Content/Topics/users-groups-profiles/usgp-end-user-states.htm',
  stateOf: (status) => (working.has(status) ? 'works' : ended.has(status) ? 'ended' : notUnderstood('status')),
}

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
    const sorted = byState(
      items,
      ({ status }) => oktaState.stateOf(status),
      ({ id, profile }) => ({ id, key: personKey((people.identity === 'id' ? id : profile[people.identity]) ?? undefined) }),
    )
    return { ...sorted, groups: [] }
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
    deadline: api.deadline,
  }
  const memberships = await readMemberLists(groups, list, signal)
  if (hasNext || longest === undefined) return memberships
  const lost = await lostLinks(api, { ...aboutMembers, path: longest.path }, signal)
  return lost === undefined ? memberships : { memberships: new Map(), missing: `${base}${longest.path}: ${lost}` }
}
