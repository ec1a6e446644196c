import { counted } from '../../core/quantity.ts'
import { visible } from '../../core/safeName.ts'
import { checkedList } from '../../http/checkedList.ts'
import { z } from '../../yaml/zod.ts'
import type { Ask } from '../overHttp/ask.ts'
import type { Pages } from '../overHttp/paging.ts'
import { readTokenPages } from './pages.ts'
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
const GroupsPage = z
  .object({
    kind: z.string().regex(/^(?:admin#)?directory#groups$/, 'this is not a list of groups of Google'),
    groups: checkedList(GoogleGroup).optional(),
    nextPageToken: z.string().max(charactersMax).optional(),
  })
  .transform(({ groups: rows, nextPageToken }) => ({ rows, nextPageToken }))

/** The order of the list, by the e-mail address. */
export type SortOrder = 'ASCENDING' | 'DESCENDING'

export type GoogleLimits = { readonly pageSize: number; readonly groupsMax: number }

/**
 * Reads the list of groups to its last page. @throws {DirectoryError} @throws what `tooMany` returns, as soon as there are more groups than `groupsMax`
 */
export function readInOrder(
  ask: Ask,
  list: { readonly asked: GroupsOwner; readonly order: SortOrder; readonly limits: GoogleLimits; readonly tooMany: () => Error },
  signal: AbortSignal,
): Promise<Pages<GoogleGroup>> {
  const { asked, order, limits, tooMany } = list
  return readTokenPages(
    ask,
    {
      path: '/admin/directory/v1/groups',
      query: { ...asked, orderBy: 'email', sortOrder: order, fields: 'kind,nextPageToken,groups(id,email,name)' },
      page: GroupsPage,
      pageSize: limits.pageSize,
      rowsMax: limits.groupsMax,
      tooMany() {
        throw tooMany()
      },
    },
    signal,
  )
}

/**
 * Why the two orders prove nothing about each other; undefined if they do. A server or a cache that ignores `sortOrder` sends the same list twice, and a cut
 * would be the same in both.
 */
export function sameOrder(up: readonly GoogleGroup[], down: readonly GoogleGroup[]): string | undefined {
  const last = up.at(-1)
  if (last === undefined || last.id === down[0]?.id) return undefined
  return `the list in descending order does not begin with the last group of the ascending order (${visible(last.email)}), as if the order was ignored: a list that was cut would look whole; check that no cache or gateway answers in the place of Google`
}

/** Why two lists that were read at the same time are not the same groups; undefined if they are. */
export function difference(one: readonly GoogleGroup[], other: readonly GoogleGroup[]): string | undefined {
  const others = new Map(other.map((group) => [group.id, group]))
  const odd = one.find(({ id, email, name }) => others.get(id)?.email !== email || others.get(id)?.name !== name)
  const ids = new Set(one.map(({ id }) => id))
  const found = odd ?? other.find(({ id }) => !ids.has(id))
  if (found === undefined) return undefined
  const { email, id } = found
  return `the group ${visible(email)} (${visible(id)}) is not the same in both orders of the list (${one.length} and ${counted(other.length, 'group')}): it changed while it was read`
}
