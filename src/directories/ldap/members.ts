import { FilterParser } from 'ldapts'
import type { Connection } from './connection.ts'
import { type Doing, failing, quoted } from './failure.ts'
import { searchPage } from './page.ts'
import type { LdapSettings, Search } from './settings.ts'
import { type Counted, countValues } from './values.ts'

/** Active Directory sends 1,500 values or more in a part. The maximum ends the reading of a server that sends one value at a time. */
const partsMax = 10_000

const anything = '(objectClass=*)'

/**
 * Counts all values of an attribute that the server sends in parts, by a search for each further part.
 * @returns undefined if the server does not answer with the part that was requested
 * @throws {LdapFailure} if there are more values than the settings allow
 */
export async function countRest(
  place: string,
  first: Counted,
  { connection, settings, doing, log }: { connection: Connection; settings: LdapSettings; doing: Doing; log: (search: Search) => void },
): Promise<number | undefined> {
  let { count, next } = first
  for (let asked = 1; next !== undefined; asked++) {
    requireFew(asked > partsMax ? Infinity : count, place, settings, doing)
    const from: number = next
    const name = settings.groups.members ?? ''
    const attributes = [`${name};range=${from}-*`]
    const search: Search = { base: place, scope: 'base', filter: FilterParser.parseString(anything), filterText: anything, attributes }
    log(search)
    const answered: (Counted | undefined)[] = []
    await searchPage(connection, search, { size: 0, cookie: undefined }, settings.timeoutMs, (entry) => {
      answered.push(countValues(entry.attributes, name, from))
    })
    const [part] = answered
    if (!part) return undefined
    count += part.count
    next = part.next
  }
  requireFew(count, place, settings, doing)
  return count
}

/** Refuses a group with more members than the settings allow. @throws {LdapFailure} */
export function requireFew(count: number, place: string, { membersMax }: LdapSettings, doing: Doing): void {
  if (count > membersMax)
    throw failing(doing, `${quoted(place)} has more than ${membersMax} members`, 'raise membersMax, or leave groups.member out')
}
