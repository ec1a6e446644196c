import { type Filter, FilterParser } from 'ldapts'
import { messageOf } from '../../core/errorText.ts'
import { isLoopback } from '../../http/loopback.ts'
import { LdapFailure, quoted } from './failure.ts'

/** One LDAP directory. Messages name these settings as the operator writes them. */
export type LdapSettings = {
  /** `ldap://host[:port]` or `ldaps://host[:port]`, tried in order; the first that accepts the account answers the whole reading. */
  readonly addresses: readonly string[]
  /** Upgrade `ldap://` addresses before anything else is said. */
  readonly startTls?: boolean
  /** Certificates (PEM) that are trusted instead of the system's. */
  readonly ca?: string
  /** Where `ca` was read from; only for messages and logged commands. */
  readonly caFile?: string
  /** The name that the certificate must carry, where it is not the address's host. */
  readonly serverName?: string
  /** Allow `ldap://` without StartTLS to another machine. */
  readonly allowPlaintext?: boolean
  readonly bind: { readonly dn: string; readonly password: () => Promise<string> } | 'anonymous'
  readonly groups: {
    readonly base: string | readonly string[]
    readonly scope: 'sub' | 'one' | 'base'
    readonly filter: string
    /** The attribute whose only value is the group's name. */
    readonly name: string
    /** The attribute whose values are counted as people (the operator's `groups.member`); absent: nobody is counted. */
    readonly members?: string
    /** The attribute that identifies a group for good; absent: whichever of `stableIds` the server has, or the DN. */
    readonly id?: string
  }
  /** Entries a page; 0: one unpaged search, for servers that cannot page. */
  readonly pageSize: number
  /** For connecting with bind and proof, and again for each page. */
  readonly timeoutMs: number
  readonly groupsMax: number
  /** Of one group. */
  readonly membersMax: number
  /** What a reference to another server means; those to Active Directory's own partitions never count. */
  readonly referrals: 'fail' | 'ignore'
}

/** For messages. */
export const accountOf = ({ bind }: LdapSettings): string => (bind === 'anonymous' ? 'anonymous' : bind.dn)

/** Operational attributes that survive a rename: RFC 4530, Active Directory, 389-ds. */
export const stableIds = ['entryUUID', 'objectGUID', 'nsUniqueId'] as const

/** What one search asks of the server. */
export type Search = {
  readonly base: string
  readonly scope: LdapSettings['groups']['scope']
  readonly filter: Filter
  readonly filterText: string
  readonly attributes: readonly string[]
}

/** The searches that make one reading, a base each. Whatever can be refused without asking a server is refused here, as `LdapFailure`. */
export function searchesOf(settings: LdapSettings): readonly Search[] {
  if (settings.addresses.length === 0) throw new LdapFailure('no address is given', { cure: 'name at least one server in addresses' })
  for (const address of settings.addresses) checkAddress(address, settings)
  const { base, scope, filter: filterText, name, members, id } = settings.groups
  const filter = parsedFilter(filterText)
  const attributes = [name, ...(members === undefined ? [] : [members]), ...(id === undefined ? stableIds : [id])]
  return [base].flat().map((base) => ({ base, scope, filter, filterText, attributes }))
}

function checkAddress(address: string, { startTls, allowPlaintext }: LdapSettings): void {
  const url = URL.parse(address)
  if (!url || !['ldap:', 'ldaps:'].includes(url.protocol) || !url.hostname || !/^\/?$/.test(url.pathname) || url.search || url.username) {
    throw new LdapFailure(`${quoted(address)} is not the address of an LDAP server`, { cure: 'write ldaps://host or ldaps://host:port' })
  }
  if (url.protocol === 'ldap:' && !startTls && !allowPlaintext && !isLoopback(url.hostname)) {
    throw new LdapFailure(`${address} would send the password and receive the groups in plain text`, {
      cure: 'use ldaps:// or startTls: true; or say allowPlaintext: true',
    })
  }
}

function parsedFilter(text: string): Filter {
  try {
    // ldapts takes `(&(cn=a)` for `(&(cn=a))`.
    if (text.split('(').length !== text.split(')').length) throw new Error('a parenthesis is missing')
    return FilterParser.parseString(text)
  } catch (error) {
    throw new LdapFailure(`groups.filter ${quoted(text)} is not an LDAP filter: ${messageOf(error)}`, {
      cure: 'write it as RFC 4515 says, with ( ) * \\ inside values as \\28 \\29 \\2a \\5c',
    })
  }
}
