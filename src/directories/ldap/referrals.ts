import { parseDn } from './dn.ts'

/** Each Active Directory domain sends references to these partitions of its own, which contain no groups. */
const ownPartitions: ReadonlySet<string | undefined> = new Set(['cn=configuration', 'dc=domaindnszones', 'dc=forestdnszones'])

/** The references (LDAP URLs, RFC 4516) to other servers that may hold groups. */
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
