import { parseDn } from './dn.ts'

/** Every Active Directory domain refers to these partitions of itself; they hold no groups. */
const ownPartitions: ReadonlySet<string | undefined> = new Set(['cn="configuration"', 'dc="domaindnszones"', 'dc="forestdnszones"'])

/** The references (LDAP URLs, RFC 4516) behind which groups may lie. */
export function foreignReferences(references: readonly string[]): readonly string[] {
  return references.filter((reference) => {
    const [leaf, ...above] = parseDn(dnOf(reference)) ?? []
    return !(ownPartitions.has(leaf) && above.length > 0 && above.every((rdn) => rdn.startsWith('dc=')))
  })
}

function dnOf(reference: string): string {
  try {
    return decodeURIComponent(new URL(reference).pathname.slice(1))
  } catch {
    return ''
  }
}
