import { visible } from '../../core/safeName.ts'
import { checkedList } from '../../http/checkedList.ts'
import { z } from '../../yaml/zod.ts'
import type { Ask } from '../overHttp/ask.ts'
import { type Page, type Pages, readPages } from '../overHttp/paging.ts'
import type { GroupsOwner } from './refusal.ts'

/** Maximum of one name, id or page token, so that a hostile answer does not fill the memory. */
const charactersMax = 4_096

/** https://developers.google.com/workspace/admin/directory/reference/rest/v1/groups#Group */
const GoogleGroup = z.object({
  id: z.string().min(1).max(charactersMax),
  email: z.string().min(1).max(charactersMax),
  name: z.string().max(charactersMax).optional(),
})
export type GoogleGroup = Readonly<z.output<typeof GoogleGroup>>

/**
 * https://developers.google.com/workspace/admin/directory/reference/rest/v1/groups/list. Google leaves out what is empty, so without `kind` a `{}` of
 * another server would look like the end of the list.
 */
const GroupsPage = z.object({
  kind: z.string().regex(/^(?:admin#)?directory#groups$/, 'this is not a list of groups of Google'),
  groups: checkedList(GoogleGroup).optional(),
  nextPageToken: z.string().max(charactersMax).optional(),
})

/** The order of the list, by the e-mail address. */
export type SortOrder = 'ASCENDING' | 'DESCENDING'

export type GoogleLimits = { readonly pageSize: number; readonly groupsMax: number }

type Cursor = { readonly pageToken?: string }

/**
 * Reads the list of groups to its last page. @throws {DirectoryError} @throws what `tooMany` returns, as soon as there are more groups than `groupsMax`
 */
export async function readInOrder(
  ask: Ask,
  list: { readonly asked: GroupsOwner; readonly order: SortOrder; readonly limits: GoogleLimits; readonly tooMany: () => Error },
  signal: AbortSignal,
): Promise<Pages<GoogleGroup>> {
  const { asked, order, limits, tooMany } = list
  const query = {
    ...asked,
    maxResults: `${limits.pageSize}`,
    orderBy: 'email',
    sortOrder: order,
    fields: 'kind,nextPageToken,groups(id,email,name)',
  }
  const used = new Set<string>()
  let size = 0

  async function page(cursor: Cursor, signal: AbortSignal): Promise<Page<GoogleGroup, Cursor>> {
    const { groups = [], nextPageToken = '' } = (await ask('/admin/directory/v1/groups', { ...query, ...cursor }, GroupsPage, signal)).body
    size += groups.length
    if (size > limits.groupsMax) throw tooMany()
    const isFirst = cursor.pageToken === undefined
    if (nextPageToken === '') {
      if (groups.length > 0 || isFirst) return { items: groups }
      const one = limits.pageSize - 1
      return { items: [], missing: `a next page was announced, and it was empty; if that stays so, set pageSize to ${Math.max(1, one)}` }
    }
    if (groups.length === 0) return { items: [], missing: 'a page was empty, although a next page was announced' }
    if (used.has(nextPageToken)) return { items: groups, missing: 'a page named a next page that was read before' }
    used.add(nextPageToken)
    return { items: groups, next: { pageToken: nextPageToken } }
  }

  const idOf = ({ id }: GoogleGroup) => id
  // Each page but an empty first one has a group, so `groupsMax` also bounds the pages.
  return readPages<GoogleGroup, Cursor>({}, page, { idOf, pagesMax: limits.groupsMax + 1 }, signal)
}

/** Why two lists that were read at the same time are not the same groups; undefined if they are. */
export function difference(one: readonly GoogleGroup[], other: readonly GoogleGroup[]): string | undefined {
  const others = new Map(other.map((group) => [group.id, group]))
  const odd = one.find(({ id, email, name }) => others.get(id)?.email !== email || others.get(id)?.name !== name)
  const ids = new Set(one.map(({ id }) => id))
  const found = odd ?? other.find(({ id }) => !ids.has(id))
  if (found === undefined) return undefined
  const { email, id } = found
  return `the group ${visible(email)} (${visible(id)}) is not the same in both orders of the list (${one.length} and ${other.length} groups): it changed while it was read`
}
