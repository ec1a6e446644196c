import { AndFilter, EqualityFilter, type Filter, FilterParser, OrFilter, PresenceFilter, ResultCodeError } from 'ldapts'
import type { Connection } from './connection.ts'
import { groupAttributes } from './memberSources.ts'
import { searchPage } from './page.ts'
import { eachPerson, type LdapPerson, type MemberForm, type PeopleFound, type PeopleSettings, takePerson } from './people.ts'
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
  const isAbsent = await finds(dn, 'base', FilterParser.parseString(filterText), filterText, source)
  return isAbsent ? undefined : `no value of ${attribute} can be read: let ${accountOf(source.settings)} read ${attribute}`
}

/** A group as people may name it: by its DN or, as Grouper writes them, by its name. */
export type NamedGroup = { readonly dn: string; readonly name?: string }

/** Says how many people name the group in an attribute of their own, and are neither its `members` nor name a group `inside` it, as a sentence. */
export type WhyNamed = (group: NamedGroup, members: ReadonlySet<LdapPerson>, inside: readonly NamedGroup[]) => Promise<string | undefined>

type Naming = Source & { readonly people: PeopleSettings; readonly form: MemberForm; readonly byKey: PeopleFound['byKey'] }

/** If no person names any group, one search for each base is all. */
export function openWhyNamed({ people, form, byKey, ...source }: Naming): WhyNamed {
  const { connection, settings, log } = source
  const bases = [people.base].flat()
  let some: Promise<boolean> | undefined
  const namesAny = async () => {
    const filter = new OrFilter({ filters: groupAttributes.map((attribute) => new PresenceFilter({ attribute })) })
    const filterText = `(|${groupAttributes.map((name) => `(${name}=*)`).join('')})`
    for (const base of bases) if (await finds(base, 'sub', filter, filterText, source)) return true
    return false
  }

  /** The people who name one of these groups. */
  async function namers(groups: readonly NamedGroup[]): Promise<ReadonlySet<LdapPerson>> {
    const values = groups.flatMap(({ dn, name }) => (name === undefined ? [dn] : [dn, name]))
    const pairs = values.flatMap((value) => groupAttributes.map((attribute) => ({ attribute, value })))
    const texts = pairs.map(({ attribute, value }) => `(${attribute}=${escaped(value)})`).join('')
    const naming = new OrFilter({ filters: pairs.map((pair) => new EqualityFilter(pair)) })
    const filter = new AndFilter({ filters: [parsedFilter(people.filter, 'people.filter'), naming] })
    const attributes = form === 'uid' ? ['uid'] : ['1.1']
    const found = new Set<LdapPerson>()
    for (const base of bases) {
      const search: Search = { base, scope: 'sub', filter, filterText: `(&${people.filter}(|${texts}))`, attributes }
      await eachPerson(connection, settings, search, log, (entry) => {
        for (const key of takePerson(entry, people.identity, form)?.keys ?? []) for (const person of byKey.get(key) ?? []) found.add(person)
      })
    }
    return found
  }

  return async (group, members, inside) => {
    some ??= namesAny()
    try {
      if (!(await some)) return undefined
      const others = (await namers([group])).difference(members)
      const left = others.size === 0 || inside.length === 0 ? others : others.difference(await namers(inside))
      return left.size === 0
        ? undefined
        : `${groupAttributes[0]} or a similar attribute of people names it, and ${settings.groups.members} does not list these people`
    } catch (error) {
      if (error instanceof ResultCodeError) return `the server does not say whether people name it (result ${error.code})`
      throw error
    }
  }
}

const escaped = (value: string): string => value.replaceAll(/[()*\\]/g, (character) => `\\${character.charCodeAt(0).toString(16)}`)

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
