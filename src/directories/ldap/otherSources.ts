import { EqualityFilter, type Filter, FilterParser, OrFilter, PresenceFilter, ResultCodeError } from 'ldapts'
import { hasValuesOf, isType, valuesOf } from './attribute.ts'
import type { LdapEntry } from './ber.ts'
import type { Connection } from './connection.ts'
import { quoted } from './failure.ts'
import { searchPage } from './page.ts'
import { accountOf, gidAttribute, type LdapSettings, ldapsearchLine, memberAttributes, type Search } from './settings.ts'

/**
 * By what else than `groups.member` a server makes members. A number of people is only claimed if each of these was looked at: docs/directories.md has
 * the table.
 */

/** Attributes of people that name their groups. */
const ofPeople = ['memberOf', 'isMemberOf', 'groupMembership'] as const

type Attributes = LdapEntry['attributes']

const valued = (attributes: Attributes, names: readonly string[], member: string): string | undefined =>
  names.find((name) => !isType(name, member) && attributes.some((one) => hasValuesOf(one, name) && one.count > one.emptyCount))

/** Whether the values of `member` need not be all members. */
export const hasOtherSources = (attributes: Attributes, member: string): boolean =>
  memberAttributes.searching.some((name) => isType(name, member)) ||
  valued(attributes, [gidAttribute, ...memberAttributes.naming, ...memberAttributes.searching], member) !== undefined

/** `gid`: people with this `gidNumber` are members. `unread`: why there may be members whom nothing here reads. */
type OtherSources = { readonly gid?: string; readonly unread?: string; readonly mayHide?: readonly string[] }

/** @param attributes of a group, with those of `sourceAttributes` and `objectClass` @param member the setting `groups.member` */
export function otherSourcesOf(attributes: Attributes, member: string, account: string): OtherSources {
  const texts = (name: string) => valuesOf(attributes, name).map((value) => value.toString('latin1'))
  const classes = texts('objectClass').map((name) => name.toLowerCase())
  const other = valued(attributes, memberAttributes.naming, member)
  if (other !== undefined) return { unread: `its members are values of ${other}, and groups.member is ${member}` }
  const search = valued(attributes, memberAttributes.searching, member)
  if (search !== undefined) return { unread: `${search} says by a search who is a member, and this program does not make that search` }
  if (classes.length === 0) return { unread: `no value of objectClass can be read: let ${account} read objectClass` }
  if (classes.some((name) => name.startsWith('ns') && name.endsWith('roledefinition')))
    return { unread: 'it is a role, and the server does not list who has a role' }
  const [gid] = texts(gidAttribute)
  if (gid === undefined && classes.includes('posixgroup'))
    return { unread: `no value of ${gidAttribute} can be read: let ${account} read ${gidAttribute}` }
  return { ...(gid === undefined ? {} : { gid }), ...(classes.includes('groupofurls') ? { mayHide: ['memberURL'] } : {}) }
}

type Source = { readonly connection: Connection; readonly settings: LdapSettings; readonly log: (line: string) => void }

/**
 * Why a group without a value of the attribute may have one all the same; undefined if it has none. A server sends no value either if the account
 * may not read the attribute. Then it also does not know whether the filter below is true, and does not send the entry (RFC 4511 §4.5.1.7).
 */
export async function whyHidden(dn: string, attribute: string, source: Source): Promise<string | undefined> {
  if (isGlobalCatalogue(source.connection.address))
    return 'a global catalogue has the members of universal groups only: give the address of a domain controller without its port'
  const filterText = `(!(${attribute}=*))`
  const isAbsent = await finds(dn, 'base', FilterParser.parseString(filterText), filterText, source)
  return isAbsent ? undefined : `no value of ${attribute} can be read: let ${accountOf(source.settings)} read ${attribute}`
}

/** Says why a group that names no member may have members: people can name the group. Undefined: none of them does. */
export type WhyNamed = (group: string) => Promise<string | undefined>

/** If no person names any group, one search for each base is all. */
export function openWhyNamed(bases: readonly string[], source: Source): WhyNamed {
  const anyFinds = async (make: (name: string) => Filter, filterText: string) => {
    const filter = new OrFilter({ filters: ofPeople.map(make) })
    for (const base of bases) if (await finds(base, 'sub', filter, filterText, source)) return true
    return false
  }
  let some: Promise<boolean> | undefined
  return async (group) => {
    some ??= anyFinds((attribute) => new PresenceFilter({ attribute }), `(|${ofPeople.map((name) => `(${name}=*)`).join('')})`)
    try {
      if (!(await some)) return undefined
      const value = group.replaceAll(/[()*\\]/g, (character) => `\\${character.charCodeAt(0).toString(16)}`)
      const texts = ofPeople.map((name) => `(${name}=${value})`).join('')
      const isNamed = await anyFinds((attribute) => new EqualityFilter({ attribute, value: group }), `(|${texts})`)
      return isNamed ? `it names no member, and ${ofPeople[0]} or a similar attribute of people names the group` : undefined
    } catch (error) {
      if (error instanceof ResultCodeError) return `the server does not say whether people name ${quoted(group)} (result ${error.code})`
      throw error
    }
  }
}

async function finds(base: string, scope: Search['scope'], filter: Filter, filterText: string, source: Source): Promise<boolean> {
  const { connection, settings, log } = source
  const search: Search = { base, scope, filter, filterText, attributes: ['1.1'] }
  const size = scope === 'base' ? 0 : Math.min(1, settings.pageSize)
  log(ldapsearchLine(connection.address, settings, search, size))
  const { isEmpty } = await searchPage(connection, search, { size, cookie: undefined }, settings.timeoutMs, () => undefined)
  return !isEmpty
}

/** The ports of a global catalogue of Active Directory. It sends the other groups without their members. */
export const isGlobalCatalogue = (address: string): boolean => ['3268', '3269'].includes(new URL(address).port)
