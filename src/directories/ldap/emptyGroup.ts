import { FilterParser } from 'ldapts'
import { ldapsearchLine } from './command.ts'
import type { Connection } from './connection.ts'
import { searchPage } from './page.ts'
import { accountOf, type LdapSettings, type Search } from './settings.ts'
import { hasValuesOf } from './values.ts'

/** The usual attributes of members. */
const usual = ['member', 'uniqueMember', 'memberUid']

/**
 * Why a group without a value of the attribute may have members all the same; undefined if it has none. A server sends no value either if the account
 * may not read the attribute. Then it also does not know whether the filter below is true, and does not send the entry (RFC 4511 §4.5.1.7).
 */
export async function whyNotEmpty(
  dn: string,
  attribute: string,
  { connection, settings, log }: { readonly connection: Connection; readonly settings: LdapSettings; readonly log: (line: string) => void },
): Promise<string | undefined> {
  if (isGlobalCatalogue(connection.address))
    return 'a global catalogue has the members of universal groups only: give the address of a domain controller without its port'
  const filterText = `(!(${attribute}=*))`
  const filter = FilterParser.parseString(filterText)
  const search: Search = { base: dn, scope: 'base', filter, filterText, attributes: usual, typesOnly: true }
  log(ldapsearchLine(connection.address, settings, search, 0))
  const others: (string | undefined)[] = []
  await searchPage(connection, search, { size: 0, cookie: undefined }, settings.timeoutMs, ({ attributes }) =>
    others.push(usual.find((name) => attributes.some((one) => hasValuesOf(one, name)))),
  )
  if (others.length === 0) return `no value of ${attribute} can be read: let ${accountOf(settings)} read ${attribute}`
  const [other] = others
  return other === undefined ? undefined : `its members are values of ${other}, and groups.member is ${attribute}`
}

/** The ports of a global catalogue of Active Directory. It sends the other groups without their members. */
export const isGlobalCatalogue = (address: string): boolean => ['3268', '3269'].includes(new URL(address).port)
