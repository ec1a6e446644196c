import { counted } from '../../core/quantity.ts'
import { ldapsearchLine } from './command.ts'
import type { Connection } from './connection.ts'
import { type Doing, failing, quoted } from './failure.ts'
import { searchPage } from './page.ts'
import { eachPage, requireBound, requireNoneElsewhere } from './paging.ts'
import { type LdapPerson, type MemberForm, personAttributes, takePerson } from './person.ts'
import { accountOf, type LdapSettings, parsedFilter, type Search } from './settings.ts'

/** The people of a directory, as groups name them. */
export type PeopleFound = {
  /** By `memberKey`. Several entries may have one key: then it is unknown which of them a group means, and all of them count. */
  readonly byKey: ReadonlyMap<string, readonly LdapPerson[]>
  /** The SID of a group → the people who are in it by their `primaryGroupID`. */
  readonly byPrimaryGroup: ReadonlyMap<string, readonly LdapPerson[]>
  /** `gidKey` of a group → the people who are in it by their `gidNumber`. */
  readonly byGid: ReadonlyMap<string, readonly LdapPerson[]>
  /** Whether a person has a `gidNumber`, or may have one, that the account may not read. */
  readonly hidesGid: boolean
}

export type PeopleSettings = NonNullable<LdapSettings['people']>

/** Bounds the memory: some 250 bytes for each. */
const peopleMax = 1_000_000

/**
 * Reads all people below all bases. It fails if a base has none, or if none of them has the identity: an account that may not read people gets
 * success and no entries from many servers, and a number of people would then be too small.
 *
 * @throws {LdapFailure}
 */
export async function findPeople(
  connection: Connection,
  settings: LdapSettings,
  people: PeopleSettings,
  form: MemberForm,
  log: (line: string) => void,
  max = peopleMax,
): Promise<PeopleFound> {
  const byKey = new Map<string, LdapPerson[]>()
  const byPrimaryGroup = new Map<string, LdapPerson[]>()
  const byGid = new Map<string, LdapPerson[]>()
  let hidesGid = false
  let taken = 0
  const filter = parsedFilter(people.filter, 'people.filter')
  const attributes = personAttributes(people.identity, form)
  for (const base of [people.base].flat()) {
    const search: Search = { base, scope: 'sub', filter, filterText: people.filter, attributes }
    const doing = doingOf(connection, settings, base)
    let found = 0
    let identities = 0
    /** The DN of the first entry of each page. */
    const firsts = new Set<string>()
    log(ldapsearchLine(connection.address, settings, search, settings.pageSize))
    await eachPage(
      connection,
      doing,
      () => counted(found, 'person', 'people'),
      async (cookie) => {
        requireBound(connection)
        let first: string | undefined
        const page = await searchPage(connection, search, { size: settings.pageSize, cookie }, settings.timeoutMs, (entry) => {
          first ??= entry.dn
          const one = takePerson(entry, people.identity, form)
          if (one === undefined) return
          found++
          if (one.hasIdentity) identities++
          taken += Math.max(1, one.keys.length)
          for (const key of one.keys) addTo(byKey, key, one.person)
          if (one.primaryGroup !== undefined) addTo(byPrimaryGroup, one.primaryGroup, one.person)
          if (one.gid === 'hidden') hidesGid = true
          else if (one.gid !== '') addTo(byGid, one.gid, one.person)
        })
        if (settings.referrals === 'fail') requireNoneElsewhere(page.references, doing)
        if (first !== undefined && firsts.has(first)) throw repeated(doing)
        if (first !== undefined) firsts.add(first)
        if (taken > max) throw failing(doing, `more than ${counted(max, 'person', 'people')}`, 'narrow people.filter')
        return page
      },
    )
    requireSeen(found, identities, people, doing)
  }
  return { byKey, byPrimaryGroup, byGid, hidesGid }
}

/** A server that repeats a page may do so for ever, and entries that are no people do not count towards `max`. */
const repeated = (doing: Doing) =>
  failing(
    doing,
    'the server repeats a page, or the list changed while it was read',
    'wait for the next reading, and if it is so at each one, set pageSize: 0',
  )

function addTo(people: Map<string, LdapPerson[]>, key: string, person: LdapPerson): void {
  const same = people.get(key)
  if (same) same.push(person)
  else people.set(key, [person])
}

function requireSeen(found: number, identities: number, { identity, filter }: PeopleSettings, doing: Doing): void {
  if (found === 0)
    throw failing(
      doing,
      'the search succeeded and found no people',
      `let ${doing.account} read people there (many servers answer success without the right to read), or correct people.base or people.filter ${quoted(filter)}`,
    )
  if (identities === 0)
    throw failing(
      doing,
      `none of ${counted(found, 'person', 'people')} has a value of ${identity}`,
      `let ${doing.account} read ${identity}, or name an attribute in people.identity that people have`,
    )
}

const doingOf = (connection: Connection, settings: LdapSettings, base: string): Doing => ({
  step: 'search',
  address: connection.address,
  what: `people below ${quoted(base)}`,
  account: accountOf(settings),
  timeoutMs: settings.timeoutMs,
  of: 'people',
  isPaged: settings.pageSize > 0,
})
