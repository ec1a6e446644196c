import type { Filter } from 'ldapts'
import { isLoopback } from '../../http/addressRanges.ts'
import type { ClientCertificate } from '../../http/connections.ts'
import { nameAttributes } from './attribute.ts'
import { LdapFailure, quoted } from './failure.ts'
import { filterCure, filterFrom } from './filter.ts'
import { sourceAttributes } from './memberSources.ts'

/** One LDAP directory. Messages use the names of these settings in the file. */
export type LdapSettings = {
  /** `ldap://host[:port]` or `ldaps://host[:port]`, tried in order. The whole reading comes from the first that accepts the account. */
  readonly addresses: readonly string[]
  /** Whether a connection to `ldap://` is upgraded to TLS before the bind. */
  readonly startTls?: boolean
  /** Certificates (PEM) that are trusted instead of the system's. */
  readonly ca?: string
  /** The file of `ca`, for messages and logged commands. */
  readonly caFile?: string
  /** The name that the certificate must have, if it is not the host of the address. */
  readonly serverName?: string
  /** Allow `ldap://` without StartTLS to another machine. */
  readonly allowPlaintext?: boolean
  readonly bind: PasswordBind | ExternalBind | 'anonymous'
  readonly groups: {
    readonly base: string | readonly string[]
    readonly scope: 'sub' | 'one' | 'base'
    readonly filter: string
    /**
     * The attribute with the group's name, or a template of attributes: `AD\{sAMAccountName}`. If an entry has several names, it is unknown which one logins
     * send, so the group is held under each of them.
     */
    readonly name: string
    /**
     * The attribute whose values are counted as people (the setting `groups.member`). Absent: people are not counted. No number is known of a
     * group without values, of one that has another group of this directory as a member, and of a primary group of Active Directory.
     */
    readonly members?: string
    /** The attribute that identifies a group also after a rename. Absent: the first of `stableIds` that the server has, or else the DN. */
    readonly id?: string
  }
  /** Whose members are read, and how a person is known. Absent: members are not read. It needs `groups.members`. */
  readonly people?: {
    readonly base: string | readonly string[]
    /** Which entries below `base` are people. */
    readonly filter: string
    /** The attribute by which a person is the same in all groups and directories. */
    readonly identity: string
    /** Whether the members of groups inside a group are its members, too. */
    readonly nested: boolean
  }
  /** Entries of one page. 0: one unpaged search, for servers that cannot page. */
  readonly pageSize: number
  /** Timeout for the connection with bind and proof of identity, and for each page. */
  readonly timeoutMs: number
  readonly groupsMax: number
  /** Maximum members of one group. */
  readonly membersMax: number
  /** The effect of a reference to another server. References to Active Directory's own partitions are always ignored. */
  readonly referrals: 'fail' | 'ignore'
}

/**
 * How it is proved that the server treats the connection as the account of the bind. Absent: by the first of them that the server offers, except `none`.
 */
type Proved = { readonly proof?: 'whoAmI' | 'tokenGroups' | 'anonymousSeesLess' | 'none' }
type PasswordBind = Proved & { readonly dn: string; readonly password: () => Promise<string> }
/** SASL EXTERNAL (RFC 4513 §5.2.3): the certificate in TLS is the proof of the account. */
export type ExternalBind = Proved & {
  readonly dn: string
  readonly external: ClientCertificate
  /** The file of the certificate, for messages and logged commands, and that of its key, for logged commands. */
  readonly certificateFile: string
  readonly keyFile?: string
}

export const externalBindOf = ({ bind }: Pick<LdapSettings, 'bind'>): ExternalBind | undefined =>
  bind !== 'anonymous' && 'external' in bind ? bind : undefined

/** The account's name, for messages. */
export const accountOf = ({ bind }: LdapSettings): string => (bind === 'anonymous' ? 'anonymous' : bind.dn)

/** Operational attributes that survive a rename: RFC 4530, Active Directory, 389-ds. */
export const stableIds = ['entryUUID', 'objectGUID', 'nsUniqueId'] as const

/**
 * Groups of Active Directory that most accounts are in by their `primaryGroupID`, without being a value of `member`: Domain Users, Guests,
 * Computers, Controllers and Read-only Controllers (https://learn.microsoft.com/windows-server/identity/ad-ds/manage/understand-security-identifiers).
 */
export const primaryGroupRids: ReadonlySet<number> = new Set([513, 514, 515, 516, 521])

/** The id of a person or group of Active Directory. It ends with a number of 32 bits that is unique in the domain (MS-DTYP 2.4.2.2). */
export const sidAttribute = 'objectSid'

/** The attribute by which a group of POSIX is the primary group of people (RFC 2307). */
export const gidAttribute = 'gidNumber'

/** The parameters of one search. */
export type Search = {
  readonly base: string
  readonly scope: LdapSettings['groups']['scope']
  readonly filter: Filter
  readonly filterText: string
  readonly attributes: readonly string[]
  /** Whether only the names of the attributes are wanted, without their values. */
  readonly typesOnly?: boolean
}

/** The searches of one reading, one for each base. @throws {LdapFailure} if a setting is wrong in a way that shows without a server */
export function searchesOf(settings: LdapSettings): readonly Search[] {
  requireAddresses(settings)
  const { base, scope, filter: filterText, name, members, id } = settings.groups
  const filter = parsedFilter(filterText, 'groups.filter')
  const attributes = [
    ...nameAttributes(name),
    ...(members === undefined ? [] : [members, sidAttribute, gidAttribute, 'objectClass', ...sourceAttributes(members)]),
    ...(id === undefined ? stableIds : [id]),
  ]
  return [base].flat().map((base) => ({ base, scope, filter, filterText, attributes }))
}

/** @throws {LdapFailure} */
export function requireAddresses(settings: LdapSettings): void {
  if (settings.addresses.length === 0) throw new LdapFailure('no address is given', { cure: 'name at least one server in addresses' })
  for (const address of settings.addresses) checkAddress(address, settings)
}

function checkAddress(address: string, settings: LdapSettings): void {
  const { startTls, allowPlaintext } = settings
  const url = URL.parse(address)
  if (!url || !['ldap:', 'ldaps:'].includes(url.protocol) || !url.hostname || !/^\/?$/.test(url.pathname) || url.search || url.username) {
    throw new LdapFailure(`${quoted(address)} is not the address of an LDAP server`, { cure: 'write ldaps://host or ldaps://host:port' })
  }
  if (url.protocol === 'ldap:' && !startTls && externalBindOf(settings) !== undefined) {
    throw new LdapFailure(`${address} has no TLS, in which the certificate of bind.external would be shown`, {
      cure: 'use ldaps:// or startTls: true',
    })
  }
  if (url.protocol === 'ldap:' && !startTls && !allowPlaintext && !isLoopback(url.hostname)) {
    throw new LdapFailure(`${address} would send the password and receive the groups in plain text`, {
      cure: 'use ldaps:// or startTls: true; or set allowPlaintext: true',
    })
  }
}

/** @param setting its name, for messages. @throws {LdapFailure} */
export function parsedFilter(text: string, setting: string): Filter {
  const filter = filterFrom(text)
  if (!('fault' in filter)) return filter
  throw new LdapFailure(`${setting} ${quoted(text)} is not an LDAP filter: ${filter.fault}`, { cure: filterCure })
}

type Session = Pick<LdapSettings, 'startTls' | 'caFile' | 'bind'>

/**
 * The search as a command line that can be pasted into a shell. It asks for the password (`-W`) instead of carrying it. The key of a certificate must
 * be in a file.
 */
export function ldapsearchLine(address: string, session: Session, search: Omit<Search, 'filter'>, pageSize: number): string {
  const external = externalBindOf(session)
  const simple = session.bind === 'anonymous' ? [] : ['-D', shellWord(session.bind.dn), '-W']
  const words = [
    ...(session.caFile === undefined ? [] : [`LDAPTLS_CACERT=${shellWord(session.caFile)}`]),
    ...(external === undefined
      ? ['ldapsearch -LLL -x']
      : [
          `LDAPTLS_CERT=${shellWord(external.certificateFile)}`,
          `LDAPTLS_KEY=${shellWord(external.keyFile ?? 'FILE')}`,
          'ldapsearch -LLL -Q -Y EXTERNAL',
        ]),
    ...(session.startTls && address.startsWith('ldap:') ? ['-ZZ'] : []),
    ...['-H', address].map(shellWord),
    ...(external === undefined ? simple : []),
    ...['-b', search.base, '-s', search.scope].map(shellWord),
    ...(search.typesOnly === true ? ['-A'] : []),
    ...(pageSize > 0 ? ['-E', `pr=${pageSize}/noprompt`] : []),
    ...[search.filterText, ...search.attributes].map(shellWord),
  ]
  return words.join(' ')
}

const shellWord = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)
