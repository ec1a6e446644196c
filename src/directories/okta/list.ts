import { type Doubt, doubt } from '../../core/doubt.ts'
import { visible } from '../../core/safeName.ts'
import { checkedList } from '../../http/json.ts'
import { areLinksReadable, linkOf } from '../../http/linkHeader.ts'
import { httpDate } from '../../http/rateHeaders.ts'
import { z } from '../../yaml/zod.ts'
import { DirectoryError } from '../directoryError.ts'
import type { DirectoryApi } from '../overHttp/ask.ts'
import { type Page, type Pages, readPages } from '../overHttp/paging.ts'

/** The attribute of a group's profile that has its name. The second and the third are only in groups from Active Directory. */
export type NameAttribute = 'name' | 'samAccountName' | 'windowsDomainQualifiedName'

/** A group as Okta lists it. `name` is absent if the profile does not have the attribute. */
export type Listed = { readonly id: string; readonly type: string; readonly name?: string }

export type GroupList = OktaPages<Listed>

type ListOptions = {
  readonly nameAttribute: NameAttribute
  /** An expression for the parameter `filter`; without one all groups are listed. */
  readonly filter: string | undefined
  readonly pageSize: number
  readonly groupsMax: number
  readonly tooMany: () => DirectoryError
  /** Whether links to next pages must have been seen, if there is more than one group. */
  readonly proveLinks: boolean
}

/** Maximum of one name or id, so that a hostile answer does not fill the memory. */
const charactersMax = 4_096
const text = z.string().max(charactersMax)

const rowsWith = (attribute: NameAttribute): z.ZodType<Listed[]> =>
  checkedList(
    z
      .object({ id: text.min(1), type: text.min(1), profile: z.object({ [attribute]: text.nullish() }) })
      .transform(({ id, type, profile }): Listed => {
        const name = profile[attribute]
        return typeof name === 'string' && name !== '' ? { id, type, name } : { id, type }
      }),
  )

/**
 * Reads a list of groups. `filter` reads the current data. The parameter `search` would read an index that lags behind, and `q` has no pages.
 *
 * @see https://developer.okta.com/docs/api/openapi/okta-management/management/tag/Group/#tag/Group/operation/listGroups
 */
export async function listGroups(api: DirectoryApi, options: ListOptions, signal: AbortSignal): Promise<GroupList> {
  const { filter, pageSize, groupsMax, nameAttribute } = options
  const list = {
    path: '/groups',
    query: filter === undefined ? {} : { filter },
    rows: rowsWith(nameAttribute),
    pageSize,
    rowsMax: groupsMax,
    tooMany() {
      throw options.tooMany()
    },
    what: 'groups',
  }
  const listing = await readLinkedPages(api, list, signal)
  if (!options.proveLinks || listing.missing !== undefined || listing.pages > 1 || listing.items.length < 2) return listing
  const missing = await lostLinks(api, list, signal)
  return missing === undefined ? listing : { ...listing, missing }
}

type OktaList<T extends { readonly id: string }> = {
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly rows: z.ZodType<T[]>
  readonly pageSize: number
  readonly rowsMax: number
  /** Why a longer list is not whole. It may throw an error instead. */
  readonly tooMany: () => Doubt
  /** What the rows are, in sentences: `groups`. */
  readonly what: string
  /** What one row is called in a sentence. Default: its id. */
  readonly called?: string
}

/** `server`: the header `Date` of the first answer. */
export type OktaPages<T> = Pages<T> & { readonly pages: number; readonly server: string | undefined }

/**
 * Reads a list to its end, which is the first answer without a link to a next page.
 *
 * @see https://developer.okta.com/docs/reference/core-okta-api/#link-header
 */
export async function readLinkedPages<T extends { readonly id: string }>(
  { ask, follow }: DirectoryApi,
  { path, query, rows, pageSize, rowsMax, tooMany, what, called }: OktaList<T>,
  signal: AbortSignal,
): Promise<OktaPages<T>> {
  const first = { limit: `${pageSize}`, ...query }
  let size = 0
  let pages = 0
  let server: string | undefined
  // Rows that are called something are people. The text of a refusal could have some of them.
  const shown = called === undefined ? undefined : path

  async function page(link: string | undefined, signal: AbortSignal): Promise<Page<T, string>> {
    const {
      body: items,
      headers,
      nextLink,
    } = await (link === undefined ? ask(path, first, rows, signal, shown) : ask(follow(link), {}, rows, signal, shown))
    if (pages++ === 0) server = headers['date']
    size += items.length
    if (size > rowsMax) return { items: [], missing: tooMany() }
    if (nextLink !== undefined)
      return items.length === 0
        ? { items, missing: doubt('okta.emptyPage', `a page without ${what} has a link to a next page`) }
        : { items, next: nextLink }
    return isLast(items, headers['link']) ? { items } : { items, missing: oddLink }
  }

  // Each page but the last has a row, so `rowsMax` bounds the pages.
  const limits = { idOf: ({ id }: T) => id, pagesMax: rowsMax + 1, kind: 'okta' as const, ...(called === undefined ? {} : { called }) }
  const listing = await readPages(undefined, page, limits, signal)
  return { ...listing, pages, server }
}

/**
 * Why a list without a link to a next page is perhaps not whole. Okta sends its links in several headers of one name, and a gateway may keep only one of them.
 * So a list of two rows or more is asked for its first row: that answer needs a link to a next page. Once is enough for a reading, and it needs none if
 * one of its answers had such a link.
 */
export async function lostLinks<T extends { readonly id: string }>(
  { ask }: Pick<DirectoryApi, 'ask'>,
  { path, query, rows, called }: Pick<OktaList<T>, 'path' | 'query' | 'rows' | 'called'>,
  signal: AbortSignal,
): Promise<Doubt | undefined> {
  try {
    const { body, nextLink } = await ask(path, { limit: '1', ...query }, rows, signal, called === undefined ? undefined : path)
    return body.length === 1 && nextLink === undefined ? noNextLink : undefined
  } catch (error) {
    // The group was deleted after its members were read.
    if (error instanceof DirectoryError && error.code === 'missing') return undefined
    throw error
  }
}

const noNextLink = doubt(
  'okta.lostLinks',
  'a page of one row was asked for, of a list that has more, and its header Link has no link to a next page: a gateway may keep only one of the headers of this name',
)

/**
 * Whether a page without a link to a next page is the last one. Okta also sends the link of the page itself, `self`. Okta may send smaller pages than it is
 * asked for, so also a short page needs it. The documentation does not show the header of an empty list, so such a list may lack it.
 */
const isLast = (items: readonly unknown[], header: string | undefined): boolean =>
  header === undefined ? items.length === 0 : areLinksReadable(header) && linkOf(header, 'self') !== undefined

const oddLink = doubt(
  'okta.noOwnLink',
  'the last page has no header Link with its own address, or one that cannot be read: a proxy may have changed it, and with it the link to the next page',
)

/** The clocks of Okta's servers may differ by this much. */
const clocksDifferMs = 60_000

/**
 * Whether a list of several pages moved while it was read. Okta has no total, and does not say by what its cursor sorts: a rename may move a group from
 * the pages that are still to come to those that were read. So the groups whose profiles have changed since the first page are listed once more; each of
 * them must have been read, and with the same name.
 *
 * @param changedSince lists the groups whose profiles have changed since this time (ISO 8601)
 * @returns why the list is perhaps not whole
 */
export async function changedMeanwhile(
  { items, pages, server }: GroupList,
  changedSince: (time: string) => Promise<GroupList>,
): Promise<Doubt | undefined> {
  if (pages < 2) return undefined
  const beganMs = httpDate(server)
  if (beganMs === undefined)
    return doubt(
      'okta.noDate',
      'the answers have no header Date, so it cannot be asked whether groups have changed while they were read: raise pageSize, so that one page has all groups, or let the gateway before Okta keep the header',
    )
  const changed = await changedSince(new Date(beganMs - clocksDifferMs).toISOString())
  if (changed.missing !== undefined) return changed.missing
  const read = new Map(items.map((group) => [group.id, group]))
  for (const group of changed.items) {
    const why = difference(read.get(group.id), group)
    if (why !== undefined) return doubt('okta.changed', `the group ${visible(group.name ?? group.id)} ${why}`)
  }
  return undefined
}

function difference(read: Listed | undefined, now: Listed): string | undefined {
  if (read === undefined) return 'was made or renamed while the groups were read, and was not among them'
  return read.name === now.name ? undefined : `had another name, ${visible(read.name ?? 'none')}, when it was read a moment before`
}
