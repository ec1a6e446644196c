import type { Group } from '../../core/group.ts'
import { personKey } from '../../core/people/members.ts'
import { z } from '../../yaml/zod.ts'
import { byState, type StateRow } from '../accountState.ts'
import { type DirectMembers, type MembershipsFound, membersMax, readMemberLists, tooManyMembers } from '../membership.ts'
import type { DirectoryApi } from '../overHttp/ask.ts'
import { pathPart } from '../overHttp/pathPart.ts'
import { graphId, graphPage, type ListLimits, readGraphList } from './list.ts'
import { usersNotShown } from './refusal.ts'

/** `nested`: Graph itself resolves groups inside groups (`transitiveMembers`). */
export type EntraPeople = { readonly identity: 'mail' | 'userPrincipalName' | 'id'; readonly nested: boolean }

const text = z.string().max(4_096).nullish()

/**
 * A member as Graph lists it. The type comes with each row, because the list is one of directory objects. Properties that the application may not read
 * are null, with the answer 200 (learn.microsoft.com/graph/permissions-overview, "Limited information returned for inaccessible member objects").
 */
const GraphMember = z.object({
  '@odata.type': z.string().max(200),
  id: graphId,
  accountEnabled: z.boolean().nullish(),
  mail: text,
  userPrincipalName: text,
  visibility: text,
})
type GraphMember = Readonly<z.infer<typeof GraphMember>>

export const entraState: StateRow<[isEnabled: boolean]> = {
  of: 'Entra ID',
  attribute: 'accountEnabled',
  ended: '`false`',
  source: 'https://learn.microsoft.com/graph/api/resources/user',
  stateOf: (isEnabled) => (isEnabled ? 'works' : 'ended'),
}

const aboutMembers = {
  query: { $select: 'id,mail,userPrincipalName,accountEnabled,visibility' },
  page: graphPage(GraphMember),
  keep: () => true,
  what: 'members',
  called: 'a member',
  atMost: { rows: membersMax, why: tooManyMembers },
}
const Visibility = z.object({ id: graphId.optional(), visibility: text })

type Asked = { readonly people: EntraPeople; readonly clientId: string; readonly limits: ListLimits }

/**
 * The members of groups (learn.microsoft.com/graph/api/group-list-members, …/group-list-transitivemembers). The list is neither cast to users nor
 * counted: both need `ConsistencyLevel: eventual`, and then an index answers that lags behind changes. A cast list also hides the groups inside a group.
 */
export function readGraphMembers(
  api: DirectoryApi,
  groups: readonly Group[],
  { people, clientId, limits }: Asked,
  signal: AbortSignal,
): Promise<MembershipsFound> {
  const uncounted = { ...limits, checkTotal: false }

  async function unclear(items: readonly GraphMember[], group: string, signal: AbortSignal): ReturnType<typeof whyNotEmpty> {
    if (items.length === 0) return whyNotEmpty(group, signal)
    return people.nested && items.some(hidesMembers) ? { more: hiddenMembers } : undefined
  }

  /** The documentation does not say what Graph answers about a group that hides its members. So an empty answer is no proof for such a group. */
  async function whyNotEmpty(
    group: string,
    signal: AbortSignal,
  ): Promise<{ readonly missing: string } | { readonly more: string } | undefined> {
    const { body } = await api.ask(`/groups/${pathPart(group)}`, { $select: 'id,visibility' }, Visibility, signal)
    if (body.id?.toLowerCase() !== group.toLowerCase()) return { missing: otherGroup }
    return body.visibility === hidden ? { more: hiddenMembers } : undefined
  }

  function membersOf(items: readonly GraphMember[], where: string): DirectMembers {
    const users = items.filter((item) => isOfType(item, 'user'))
    if (users.length > 0 && !users.some(isShown)) throw usersNotShown(where, clientId)
    const sorted = byState(
      users,
      (user) => (isShown(user) ? entraState.stateOf(user.accountEnabled === true) : notShown),
      (user) => ({ id: user.id, key: personKey(user[people.identity] ?? undefined) }),
    )
    return {
      // Guests are people, too. Devices, service principals, contacts and agents are neither people nor groups.
      ...sorted,
      groups: people.nested ? [] : items.filter(isGroup).map(({ id }) => id),
    }
  }

  const list = {
    address: `${limits.address.replace(/\/$/, '')}/v1.0`,
    path: (group: string) => `/groups/${group}/${people.nested ? 'transitiveMembers' : 'members'}`,
    rows: (path: string, signal: AbortSignal) => readGraphList(api, { ...aboutMembers, path }, uncounted, signal),
    unclear,
    membersOf,
    // `transitiveMembers` has all members, so no group inside is read.
    nested: false,
    deadline: api.deadline,
  }
  return readMemberLists(groups, list, signal)
}

const isShown = ({ accountEnabled }: GraphMember): boolean => typeof accountEnabled === 'boolean'
const notShown = { unclear: 'Graph does not show of some members whether they can sign in (accountEnabled)' }
const hidden = 'HiddenMembership'
const hiddenMembers =
  'the group, or one inside it, hides its members (HiddenMembership), so an answer without them proves nothing; the application permission Member.Read.Hidden lets Graph show the members of such a group'
const otherGroup =
  'the group has no members, and about the group itself Graph answered 200, but not with the requested group; check the answers of a gateway before Graph'
/** A name of a type may be without `#` and in another case: a gateway may write it anew. Otherwise its users would be no people. */
const isOfType = (item: GraphMember, type: 'user' | 'group'): boolean =>
  item['@odata.type'].replace(/^#/, '').toLowerCase() === `microsoft.graph.${type}`
const isGroup = (item: GraphMember): boolean => isOfType(item, 'group')
const hidesMembers = (item: GraphMember): boolean => isGroup(item) && item.visibility === hidden
