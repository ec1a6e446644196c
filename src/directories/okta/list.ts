import { checkedList } from '../../http/checkedList.ts'
import { z } from '../../yaml/zod.ts'
import { DirectoryError } from '../directoryError.ts'
import type { DirectoryApi } from '../overHttp/ask.ts'
import { type Page, type Pages, readPages } from '../overHttp/paging.ts'

/** The attribute of a group's profile that has its name. The second and the third are only in groups from Active Directory. */
export type NameAttribute = 'name' | 'samAccountName' | 'windowsDomainQualifiedName'

/** A group as Okta lists it. `name` is absent if the profile does not have the attribute. */
export type Listed = { readonly id: string; readonly type: string; readonly name?: string }

/** A list of groups. `server`: the header `Date` of its first answer. */
export type GroupList = Pages<Listed> & { readonly pages: number; readonly server: string | undefined }

type ListOptions = {
  readonly nameAttribute: NameAttribute
  /** An expression for the parameter `filter`; without one all groups are listed. */
  readonly filter: string | undefined
  readonly pageSize: number
  readonly groupsMax: number
  readonly tooMany: () => DirectoryError
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
 * Reads a list of groups to its end, which is the first answer without a link to a next page. `filter` reads the current data. The parameter `search`
 * would read an index that lags behind, and `q` has no pages.
 *
 * @see https://developer.okta.com/docs/reference/core-okta-api/#link-header
 * @see https://developer.okta.com/docs/api/openapi/okta-management/management/tag/Group/#tag/Group/operation/listGroups
 */
export async function listGroups({ ask, follow }: DirectoryApi, options: ListOptions, signal: AbortSignal): Promise<GroupList> {
  const { filter, pageSize, groupsMax, tooMany } = options
  const rows = rowsWith(options.nameAttribute)
  let size = 0
  let pages = 0
  let server: string | undefined

  async function page(link: string | undefined, signal: AbortSignal): Promise<Page<Listed, string>> {
    const query = { limit: `${pageSize}`, ...(filter === undefined ? {} : { filter }) }
    const {
      body: items,
      headers,
      nextLink,
    } = await (link === undefined ? ask('/groups', query, rows, signal) : ask(follow(link), {}, rows, signal))
    if (pages++ === 0) server = headers['date']
    size += items.length
    if (size > groupsMax) throw tooMany()
    if (nextLink !== undefined)
      return items.length === 0 ? { items, missing: 'a page without groups has a link to a next page' } : { items, next: nextLink }
    if (items.length >= pageSize && headers['link'] === undefined)
      return { items, missing: 'a full page has no header Link: a proxy may have removed it, and with it the link to the next page' }
    return { items }
  }

  // Each page but the last has a group, so `groupsMax` bounds the pages.
  const found = await readPages(undefined, page, { idOf: ({ id }) => id, pagesMax: groupsMax + 1 }, signal)
  return { ...found, pages, server }
}
