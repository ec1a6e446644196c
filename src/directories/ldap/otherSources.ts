import { FilterParser } from 'ldapts'
import { count } from '../../core/quantity.ts'
import { isType, withoutOptions } from './attribute.ts'
import type { Connection } from './connection.ts'
import { dnKey } from './dn.ts'
import { failing } from './failure.ts'
import { groupAttributes } from './memberSources.ts'
import { searchPage } from './page.ts'
import { eachPerson, type LdapPerson, type MemberForm, type PeopleFound, type PeopleSettings, personKeys } from './people.ts'
import { accountOf, type LdapSettings, ldapsearchLine, parsedFilter, type Search } from './settings.ts'

type Source = { readonly connection: Connection; readonly settings: LdapSettings; readonly log: (line: string) => void }

/**
 * Why a group without a value of the attribute may have one all the same; undefined if it has none. A server sends no value either if the account
 * may not read the attribute. Then it also does not know whether the filter below is true, and does not send the entry (RFC 4511 §4.5.1.7).
 */
export async function whyHidden(dn: string, attribute: string, source: Source): Promise<string | undefined> {
  if (isGlobalCatalogue(source.connection.address))
    return 'a global catalogue has the members of universal groups only: give the address of a domain controller without its port'
  const filterText = `(!(${attribute}=*))`
  const { connection, settings, log } = source
  const search: Search = { base: dn, scope: 'base', filter: FilterParser.parseString(filterText), filterText, attributes: ['1.1'] }
  log(ldapsearchLine(connection.address, settings, search, 0))
  const { isEmpty } = await searchPage(connection, search, { size: 0, cookie: undefined }, settings.timeoutMs, () => undefined)
  return !isEmpty ? undefined : `no value of ${attribute} can be read: let ${accountOf(settings)} read ${attribute}`
}

/**
 * Says why a group may have more members than it lists: people name it in an attribute of their own. Undefined: none of them does who is not a member.
 *
 * @param names of the group, as `nameKey` gives them: its DN, and its name, as Grouper writes it
 * @param inside the DNs of the groups inside, as `dnKey` gives them: servers also show the groups around a group
 */
export type WhyNamed = (
  names: readonly string[],
  members: ReadonlySet<LdapPerson>,
  inside: readonly string[],
) => Promise<string | undefined>

export const nameKey = (name: string): string => dnKey(name) ?? name.trim().toLowerCase()

/** Bounds the memory: some 40 bytes for each. */
const namesMax = 10_000_000

type Naming = Source & { readonly people: PeopleSettings; readonly form: MemberForm; readonly byKey: PeopleFound['byKey'] }

/** The first question reads the attributes of all people. They are not in a filter: some servers compute them, and find nobody by them. */
export function openWhyNamed({ connection, settings, log, people, form, byKey }: Naming): WhyNamed {
  const keys = new Map<string, string>()
  const keyOf = (name: string): string => {
    const key = keys.get(name) ?? nameKey(name)
    keys.set(name, key)
    return key
  }
  let named: Promise<ReadonlyMap<string, ReadonlySet<LdapPerson>>> | undefined

  /** Name of a group → the people who name it. */
  async function readNamed() {
    const namers = new Map<string, Set<LdapPerson>>()
    let total = 0
    const filter = parsedFilter(people.filter, 'people.filter')
    const attributes = [...groupAttributes, ...(form === 'uid' ? ['uid'] : [])]
    for (const base of [people.base].flat()) {
      const search: Search = { base, scope: 'sub', filter, filterText: people.filter, attributes }
      await eachPerson(connection, settings, search, log, (entry, doing) => {
        const persons = personKeys(entry, form)?.flatMap((key) => byKey.get(key) ?? []) ?? []
        for (const attribute of entry.attributes) {
          const type = withoutOptions(attribute.type)
          if (!groupAttributes.some((name) => isType(name, type))) continue
          total += attribute.count
          if (total > namesMax)
            throw failing(doing, 'ldap.namesMax', `people name groups more than ${count(namesMax)} times`, 'narrow people.filter')
          attribute.each((bytes, start, end) => {
            const key = keyOf(bytes.toString('utf8', start, end))
            const ofKey = namers.get(key) ?? new Set()
            for (const person of persons) ofKey.add(person)
            namers.set(key, ofKey)
          })
        }
      })
    }
    return namers
  }

  return async (names, members, inside) => {
    named ??= readNamed()
    const namers = await named
    const isMember = (person: LdapPerson) => members.has(person) || inside.some((group) => namers.get(group)?.has(person) === true)
    const isWhole = names.every((name) => [...(namers.get(name) ?? [])].every(isMember))
    return isWhole
      ? undefined
      : `${groupAttributes[0]} or a similar attribute of people names it, and ${settings.groups.members} does not list these people`
  }
}

/** The ports of a global catalogue of Active Directory. It sends the other groups without their members. */
export const isGlobalCatalogue = (address: string): boolean => ['3268', '3269'].includes(new URL(address).port)
