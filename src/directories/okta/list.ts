import { checkedList } from '../../http/checkedList.ts'
import { z } from '../../yaml/zod.ts'
import type { DirectoryError } from '../directoryError.ts'
import type { DirectoryApi } from '../overHttp/ask.ts'
import { lostLinks, type OktaPages, readLinkedPages } from './pages.ts'

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
  const found = await readLinkedPages(api, list, signal)
  if (!options.proveLinks || found.missing !== undefined || found.pages > 1 || found.items.length < 2) return found
  const missing = await lostLinks(api, list, signal)
  return missing === undefined ? found : { ...found, missing }
}
