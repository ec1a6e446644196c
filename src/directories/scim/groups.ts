import { visible } from '../../core/safeName.ts'
import { groupList, type ScimGroupRow, type ScimName } from './answers.ts'
import { leftOutBy } from './filtered.ts'
import type { Listing } from './list.ts'

/** Which groups are listed, and with which attributes. */
export type GroupQuery = { readonly name: ScimName; readonly filter?: string | undefined }

/** A group that has an id and a name. */
export type Named = { readonly id: string; readonly name: string }

/**
 * The list of groups without their members, which may be a hundred thousand in a group. `attributes` and `excludedAttributes` together are an error
 * (RFC 7644 §3.9).
 */
export function groupListing({ name, filter }: GroupQuery): Listing<ScimGroupRow, Named> {
  const isLeftOut = filter === undefined ? undefined : leftOutBy(filter, name)
  return {
    path: '/Groups',
    one: 'group',
    many: 'groups',
    answer: groupList(name),
    filter,
    attributes: { attributes: `id,${name}` },
    otherwise: { excludedAttributes: 'members' },
    isObeyed: ({ id, hasMembers }) => id !== undefined && !hasMembers,
    itemsOf(rows) {
      const named = namedGroups(rows, name)
      const other = typeof named === 'string' ? undefined : named.find((group) => isLeftOut?.(group.name) === true)
      return other === undefined ? named : `the group ${visible(other.name)} does not match groups.filter: ${ignoredCure}`
    },
  }
}

const ignoredCure =
  'the server ignores the filter, or a gateway before it removes it, so groups may be read that are not meant; check which filters the server supports, or remove groups.filter'

function namedGroups(groups: readonly ScimGroupRow[], name: ScimName): readonly Named[] | string {
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
