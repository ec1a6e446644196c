import { visible } from '../../core/safeName.ts'
import { groupList, type ScimGroupRow, type ScimName } from './answers.ts'
import type { Listing } from './list.ts'

/** Which groups are listed, and with which attributes. */
export type GroupQuery = { readonly name: ScimName; readonly filter?: string | undefined }

/** A group that has an id and a name. */
export type Named = { readonly id: string; readonly name: string }

/**
 * The list of groups without their members, which may be a hundred thousand in a group. `attributes` and `excludedAttributes` together are an error
 * (RFC 7644 §3.9).
 */
export const groupListing = (query: GroupQuery): Listing<ScimGroupRow, Named> => ({
  path: '/Groups',
  one: 'group',
  many: 'groups',
  answer: groupList(query.name),
  filter: query.filter,
  attributes: { attributes: `id,${query.name}` },
  otherwise: { excludedAttributes: 'members' },
  isObeyed: ({ id, hasMembers }) => id !== undefined && !hasMembers,
  itemsOf: (rows) => namedGroups(rows, query),
})

function namedGroups(groups: readonly ScimGroupRow[], { name }: GroupQuery): readonly Named[] | string {
  const named: Named[] = []
  for (const group of groups) {
    if (group.id === undefined) return 'a group has no id, so that groups cannot be told apart'
    if (group.name === undefined) return `the group ${visible(group.id)} has no ${name}${namelessCure[name]}`
    named.push({ id: group.id, name: group.name })
  }
  return named
}

const namelessCure: Readonly<Record<ScimName, string>> = {
  displayName: '; check that the account may read it',
  externalId: '; to leave out such groups set groups.filter: externalId pr',
}
