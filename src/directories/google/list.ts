import { type Doubt, doubt } from '../../core/doubt.ts'
import { counted } from '../../core/quantity.ts'
import { visible } from '../../core/safeName.ts'
import { checkedList } from '../../http/json.ts'
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
export function sameOrder(up: readonly GoogleGroup[], down: readonly GoogleGroup[]): Doubt | undefined {
  const last = up.at(-1)
  if (last === undefined || last.id === down[0]?.id) return undefined
  return doubt(
    'google.orderIgnored',
    `the list in descending order does not begin with the last group of the ascending order (${visible(last.email)}), as if the order was ignored: a list that was cut would look whole; check that no cache or gateway answers in the place of Google`,
  )
}

/** Why two lists that were read at the same time are not the same groups; undefined if they are. */
export function difference(first: readonly GoogleGroup[], second: readonly GoogleGroup[]): Doubt | undefined {
  const others = new Map(second.map((group) => [group.id, group]))
  const odd = first.find(({ id, email, name }) => others.get(id)?.email !== email || others.get(id)?.name !== name)
  const ids = new Set(first.map(({ id }) => id))
  const changedGroup = odd ?? second.find(({ id }) => !ids.has(id))
  if (changedGroup === undefined) return undefined
  const { email, id } = changedGroup
  return doubt(
    'google.ordersDiffer',
    `the group ${visible(email)} (${visible(id)}) is not the same in both orders of the list (${first.length} and ${counted(second.length, 'group')}): it changed while it was read`,
  )
}

type GoogleList<T extends { readonly id: string }> = {
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** One page. Google leaves out what is empty. */
  readonly page: z.ZodType<{ readonly rows?: readonly T[] | undefined; readonly nextPageToken?: string | undefined }>
  readonly pageSize: number
  readonly rowsMax: number
  /** Why a longer list is not whole. It may throw an error instead. */
  readonly tooMany: () => Doubt
  /** What one row is called in a sentence. Default: its id. */
  readonly called?: string
}

type Cursor = { readonly pageToken?: string }

/** Reads a list to its last page. @throws {DirectoryError} @throws what `tooMany` throws, as soon as there are more rows than `rowsMax` */
export function readTokenPages<T extends { readonly id: string }>(
  ask: Ask,
  { path, query, page: schema, pageSize, rowsMax, tooMany, called }: GoogleList<T>,
  signal: AbortSignal,
): Promise<Pages<T>> {
  // Rows that are called something are people. The text of a refusal could have some of them.
  const shown = called === undefined ? undefined : path
  const used = new Set<string>()
  let size = 0

  async function page(cursor: Cursor, signal: AbortSignal): Promise<Page<T, Cursor>> {
    const asked = { ...query, maxResults: `${pageSize}`, ...cursor }
    const { rows = [], nextPageToken = '' } = (await ask(path, asked, schema, signal, shown)).body
    size += rows.length
    if (size > rowsMax) return { items: [], missing: tooMany() }
    const isFirst = cursor.pageToken === undefined
    if (nextPageToken === '') {
      if (rows.length > 0 || isFirst) return { items: rows }
      const smallerSize = pageSize - 1
      return {
        items: [],
        missing: doubt(
          'google.emptyLastPage',
          `a next page was announced, and it was empty; if that stays so, set pageSize to ${Math.max(1, smallerSize)}`,
        ),
      }
    }
    if (rows.length === 0) return { items: [], missing: doubt('google.emptyPage', 'a page was empty, although a next page was announced') }
    if (used.has(nextPageToken)) return { items: rows, missing: doubt('google.pageAgain', 'a page named a next page that was read before') }
    used.add(nextPageToken)
    return { items: rows, next: { pageToken: nextPageToken } }
  }

  // Each page but an empty first one has a row, so `rowsMax` also bounds the pages.
  const limits = { idOf: ({ id }: T) => id, pagesMax: rowsMax + 1, kind: 'google' as const, ...(called === undefined ? {} : { called }) }
  return readPages<T, Cursor>({}, page, limits, signal)
}
