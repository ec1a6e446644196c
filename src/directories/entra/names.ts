import type { Group } from '../../core/group.ts'
import type { GroupName } from '../../core/mapping.ts'
import { counted, listedFirst } from '../../core/quantity.ts'
import type { ReadingNote } from '../../core/reading.ts'
import { visible } from '../../core/safeName.ts'
import type { GraphGroup } from './graphGroup.ts'

/**
 * The form of a group in the claim `groups` of a login. Source: learn.microsoft.com/entra/identity-platform/optional-claims, "Configure groups
 * optional claims". `onPremisesName` is its `sam_account_name`, `domainName` its `netbios_domain_and_sam_account_name`, `dnsDomainName` its
 * `dns_domain_and_sam_account_name`.
 */
type NameForm = 'id' | 'displayName' | 'onPremisesName' | 'domainName' | 'dnsDomainName'

/** `cloudDisplayName`: groups without an on-premises name have their display name (`cloud_displayname`). */
export type Naming = { readonly name: NameForm; readonly cloudDisplayName: boolean }

/** The groups with a name, and a note about those without one: Entra leaves such a group out of the claim, so no login can send it. */
export function named(
  rows: Iterable<GraphGroup>,
  naming: Naming,
): { readonly groups: readonly Group[]; readonly notes: readonly ReadingNote[] } {
  const groups: Group[] = []
  const first: string[] = []
  let nameless = 0
  for (const row of rows) {
    const name = nameOf(row, naming)
    if (name !== undefined) groups.push(groupOf(row, name, naming))
    else if (nameless++ < shownMax) first.push(visible(row.displayName ?? row.id))
  }
  return { groups, notes: nameless === 0 ? [] : [namelessNote(nameless, first, naming)] }
}

const shownMax = 3

function nameOf(row: GraphGroup, { name, cloudDisplayName }: Naming): string | undefined {
  switch (name) {
    case 'id':
      return row.id
    case 'displayName':
      return filled(row.displayName)
    case 'onPremisesName':
    case 'domainName':
    case 'dnsDomainName':
      return onPremisesName(row, name) ?? (cloudDisplayName ? filled(row.displayName) : undefined)
    default:
      return name satisfies never
  }
}

function onPremisesName(row: GraphGroup, form: 'onPremisesName' | 'domainName' | 'dnsDomainName'): string | undefined {
  const account = filled(row.onPremisesSamAccountName)
  if (form === 'onPremisesName' || account === undefined) return account
  const domain = filled(form === 'domainName' ? row.onPremisesNetBiosName : row.onPremisesDomainName)
  return domain === undefined ? undefined : `${domain}\\${account}`
}

const filled = (text: string | null): string | undefined => (text === null || text === '' ? undefined : text)

/** The place is the path in Graph: groups of one name differ in it, and it is not the id, so that the id counts as the group's own. */
function groupOf(row: GraphGroup, name: string, naming: Naming): Group {
  const label = naming.name === 'id' ? filled(row.displayName) : undefined
  return { name: name as GroupName, id: row.id, place: `/groups/${row.id}`, ...(label === undefined ? {} : { label }) }
}

const properties = {
  id: 'id',
  displayName: 'displayName',
  onPremisesName: 'onPremisesSamAccountName',
  domainName: 'onPremisesNetBiosName or onPremisesSamAccountName',
  dnsDomainName: 'onPremisesDomainName or onPremisesSamAccountName',
} as const satisfies Record<NameForm, string>

const namelessNote = (nameless: number, first: readonly string[], { name, cloudDisplayName }: Naming): ReadingNote => ({
  code: 'group-name-unusable',
  severity: 'info',
  sentence: `${counted(nameless, 'group')} (${listedFirst(first, nameless)}) left out: ${properties[name]} has no value there, so no login can send ${nameless === 1 ? 'its name' : 'their names'}`,
  cure:
    name === 'displayName' || cloudDisplayName
      ? 'give the group a display name, or choose groups.name: id'
      : 'choose groups.name: id if the claim carries ids, or groups.cloudDisplayName: true if it carries display names of cloud groups',
})
