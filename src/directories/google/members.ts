import type { Group } from '../../core/group.ts'
import { personKey } from '../../core/people/members.ts'
import { checkedList } from '../../http/json.ts'
import { z } from '../../yaml/zod.ts'
import { type AccountState, byState, type StateRow } from '../accountState.ts'
import { type DirectMembers, type MembershipsFound, membersMax, readMemberLists, tooManyMembers } from '../membership.ts'
import type { DirectoryApi } from '../overHttp/ask.ts'
import { readTokenPages } from './list.ts'

export type GooglePeople = { readonly identity: 'email' | 'id'; readonly nested: boolean }

const text = z.string().max(4_096)
/** https://developers.google.com/workspace/admin/directory/reference/rest/v1/members#Member */
const Member = z.object({ id: text.min(1), email: text.optional(), type: text, status: text.optional() })
type Member = Readonly<z.infer<typeof Member>>

/** https://developers.google.com/workspace/admin/directory/reference/rest/v1/members/list */
const MembersPage = z
  .object({
    kind: z.string().regex(/^(?:admin#)?directory#members$/, 'this is not a list of members of Google'),
    members: checkedList(Member).optional(),
    nextPageToken: text.optional(),
  })
  .transform(({ members: rows, nextPageToken }) => ({ rows, nextPageToken }))

const aboutMembers = {
  query: { fields: 'kind,nextPageToken,members(id,email,type,status)' },
  page: MembersPage,
  rowsMax: membersMax,
  tooMany: () => tooManyMembers,
  called: 'a member',
}

type Asked = { readonly people: GooglePeople; readonly address: URL; readonly pageSize: number }

/**
 * The members of groups. With `nested`, the groups inside a group are read one by one. `includeDerivedMembership` would spare that: its documentation
 * is one sentence, and administrators saw it leave out members without a sign (GAM-team/GAM#1210, taers232c/GAMADV-XTD3#82).
 */
export function readGoogleMembers(
  { ask, deadline }: Pick<DirectoryApi, 'ask' | 'deadline'>,
  groups: readonly Group[],
  { people, address, pageSize }: Asked,
  signal: AbortSignal,
): Promise<MembershipsFound> {
  function membersOf(items: readonly Member[]): DirectMembers {
    const ofType = Map.groupBy(items, ({ type }) => type)
    const users = ofType.get('USER') ?? []
    const sorted = byState(
      [...users, ...(ofType.get('EXTERNAL') ?? [])],
      ({ type, status }) => (type === 'USER' ? googleState.stateOf(status) : external),
      ({ id, email }) => ({ id, key: personKey(people.identity === 'id' ? id : email) }),
    )
    const more = whyMore(items)
    return {
      ...sorted,
      ...(more === undefined ? {} : { more }),
      groups: (ofType.get('GROUP') ?? []).map(({ id }) => id),
    }
  }

  const list = {
    address: address.href,
    path: (group: string) => `/admin/directory/v1/groups/${group}/members`,
    rows: (path: string, signal: AbortSignal) => readTokenPages(ask, { ...aboutMembers, path, pageSize }, signal),
    membersOf,
    nested: people.nested,
    deadline,
  }
  return readMemberLists(groups, list, signal)
}

/**
 * The list of members has `status` in the place of `suspended` and `archived` of the user, which need another scope. The documentation names no value
 * of it. These are those that an administrator sees in the Admin console.
 */
export const googleState: StateRow<[status: string | undefined]> = {
  of: 'Google',
  attribute: 'status',
  ended: '`SUSPENDED`, `ARCHIVED`',
  source: 'https://developers.google.com/workspace/admin/directory/reference/rest/v1/members',
  stateOf: (status) => (status === 'ACTIVE' ? 'works' : status === 'SUSPENDED' || status === 'ARCHIVED' ? 'ended' : guest),
}
const guest: AccountState = {
  unclear: 'Google does not say of a member whether it can sign in; it is perhaps a person outside of this Google Workspace',
}

const external: AccountState = { unclear: 'another directory has some of its members (EXTERNAL)' }

/** Why further people may be in the group. */
function whyMore(members: readonly Member[]): string | undefined {
  const has = (isSo: (member: Member) => boolean) => members.some(isSo)
  if (has(({ type }) => type === 'CUSTOMER')) return 'all users of the customer are members, and these are not counted'
  if (has(({ type }) => !['USER', 'GROUP', 'EXTERNAL'].includes(type))) return 'a member has a type that this version does not know'
  return undefined
}
