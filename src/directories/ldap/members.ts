import { FilterParser, ResultCodeError } from 'ldapts'
import type { LdapEntry } from './ber.ts'
import type { Connection } from './connection.ts'
import { searchPage } from './page.ts'
import type { LdapSettings, Search } from './settings.ts'
import { type Counted, countValues } from './values.ts'

/** Active Directory sends 1,500 values or more in a part. The maximum ends the reading of a server that sends one value at a time. */
const partsMax = 10_000

const anything = '(objectClass=*)'

type Counting = {
  readonly connection: Connection
  readonly settings: LdapSettings
  /** Gets each further part. */
  readonly look: (entry: LdapEntry) => void
  readonly log: (search: Search) => void
}

/**
 * Counts all values of an attribute that the server sends in parts, by a search for each further part.
 * @returns undefined if the server does not answer with the part that was requested, or if there are more values than the settings count
 */
export async function countRest(place: string, first: Counted, { connection, settings, look, log }: Counting): Promise<number | undefined> {
  const name = settings.groups.members ?? ''
  let { count, next } = first
  for (let asked = 1; next !== undefined; asked++) {
    if (asked > partsMax || count > settings.membersMax) return undefined
    const from: number = next
    const attributes = [`${name};range=${from}-*`]
    const search: Search = { base: place, scope: 'base', filter: FilterParser.parseString(anything), filterText: anything, attributes }
    log(search)
    const parts: ReturnType<typeof countValues>[] = []
    try {
      await searchPage(connection, search, { size: 0, cookie: undefined }, settings.timeoutMs, (entry) => {
        look(entry)
        parts.push(countValues(entry.attributes, name, from))
      })
    } catch (error) {
      if (error instanceof ResultCodeError) return undefined
      throw error
    }
    const [part, ...others] = parts
    if (part === undefined || others.length > 0 || typeof part === 'string') return undefined
    count += part.count
    next = part.next
  }
  return count > settings.membersMax ? undefined : count
}
