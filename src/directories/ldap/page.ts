import { BerWriter, Control, FilterParser, PagedResultsControl, ResultCodeError } from 'ldapts'
import { OperationalError } from '../../core/operationalError.ts'
import { counted, listedFirst } from '../../core/quantity.ts'
import { type Counted, countValues } from './attribute.ts'
import type { LdapEntry } from './ber.ts'
import type { Connection } from './connection.ts'
import { parseDn } from './dn.ts'
import { baseOf, type Doing, failing, failureOf, LdapFailure, quoted } from './failure.ts'
import type { Listener } from './incoming.ts'
import type { LdapSettings, Search } from './settings.ts'

/** `size` 0: one search without pages. `cookie`: where the last page ended. */
type PageRequest = { readonly size: number; readonly cookie: Buffer | undefined }

export type LdapPage = {
  readonly isEmpty: boolean
  readonly references: readonly string[]
  /** `end`: this was the last page. `unknown`: the answer has no cookie, so it does not say whether more pages follow. */
  readonly more: { readonly is: 'end' } | { readonly is: 'cookie'; readonly cookie: Buffer } | { readonly is: 'unknown' }
}

/**
 * Reads one page of a search (RFC 2696). Each entry goes to `onEntry` when it arrives; an error thrown there ends the connection. `onTooLarge` is called
 * for an entry that is too large; without it such an entry ends the connection, too.
 *
 * The control is our own and critical: the paging of ldapts ends at an empty page, although an empty page may have a cookie.
 * The search has no size limit: with one, ldapts treats result 4 (list cut off) as success.
 */
export async function searchPage(
  { client, incoming }: Connection,
  search: Search,
  page: PageRequest,
  timeoutMs: number,
  onEntry: (entry: LdapEntry) => void,
  onTooLarge?: () => void,
): Promise<LdapPage> {
  let isEmpty = true
  let cookie: Buffer | undefined
  const { base, scope, filter, typesOnly = false } = search
  const attributes = [...search.attributes]
  const options = { scope, filter, attributes, returnAttributeValues: !typesOnly, timeLimit: Math.ceil(timeoutMs / 1000) }
  const listener: Listener = {
    entry(entry) {
      isEmpty = false
      onEntry(entry)
    },
    done(response) {
      cookie = response.controls?.find((control) => control instanceof PagedResultsControl)?.value?.cookie
    },
    tooLarge: onTooLarge,
  }
  const { searchReferences: references } = await incoming.during(attributes, listener, () =>
    client.search(base, options, page.size > 0 ? [new PageControl(page)] : []),
  )
  return { isEmpty, references, more: page.size > 0 ? moreBy(cookie) : { is: 'end' } }
}

const moreBy = (cookie: Buffer | undefined): LdapPage['more'] =>
  cookie === undefined ? { is: 'unknown' } : cookie.length === 0 ? { is: 'end' } : { is: 'cookie', cookie }

/** Replaces `PagedResultsControl`, which ldapts refuses in a search, because it pages by itself. */
class PageControl extends Control {
  readonly #page: PageRequest
  constructor(page: PageRequest) {
    super(PagedResultsControl.type, { critical: true })
    this.#page = page
  }
  override writeControl(writer: BerWriter): void {
    const value = new BerWriter()
    value.startSequence()
    value.writeInt(this.#page.size)
    value.writeBuffer(this.#page.cookie ?? Buffer.alloc(0), 0x04)
    value.endSequence()
    writer.writeBuffer(value.buffer, 0x04)
  }
}

/** Active Directory leaves out entries that the account may not see, so pages can be empty. A server that only sends empty pages is stopped. */
const emptyPagesMax = 1_000

/**
 * Reads page after page until the server says that there are no more.
 *
 * @param readText how much was read before a page that failed, for the message: `500 groups`
 * @throws {LdapFailure}
 */
export async function eachPage(
  connection: Connection,
  doing: Doing,
  readText: () => string,
  readPage: (cookie: Buffer | undefined, number: number) => Promise<LdapPage>,
): Promise<void> {
  let cookie: Buffer | undefined
  let emptyPages = 0
  for (let number = 1; ; number++) {
    try {
      const page = await readPage(cookie, number)
      switch (page.more.is) {
        case 'end':
          return
        case 'unknown':
          throw failing(
            doing,
            'ldap.noCookie',
            'the answer does not say whether more pages follow',
            cureWithoutCookie(doing, number === 1 && page.isEmpty),
          )
        case 'cookie':
          cookie = page.more.cookie
          break
        default:
          page.more satisfies never
      }
      emptyPages = page.isEmpty ? emptyPages + 1 : 0
      if (emptyPages > emptyPagesMax) {
        const cure = `narrow ${baseOf(doing)} to what the account may read`
        throw failing(doing, 'ldap.emptyPages', `more than ${emptyPagesMax} empty pages one after another`, cure)
      }
    } catch (error) {
      const failure = searchFailure(connection, error, doing)
      throw number === 1 ? failure : new LdapFailure(`${failure.message}, on page ${number} after ${readText()}`, failure)
    }
  }
}

/** The failure of a search. If this program ended the connection, that is the cause. */
export function searchFailure(connection: Connection, thrown: unknown, doing: Doing): LdapFailure {
  const error = connection.brokenBy() ?? thrown
  return error instanceof OperationalError && !(error instanceof LdapFailure)
    ? new LdapFailure(`${doing.address}: ${doing.what}: ${error.message}`, { cure: error.cure, cause: error })
    : failureOf(error, doing)
}

/** To a search with pages 389-ds answers success, and no cookie, if the base does not exist. Without pages it would be noSuchObject (32). */
const cureWithoutCookie = (doing: Doing, isNothing: boolean): string =>
  `${isNothing ? `check that ${baseOf(doing)} exists (389-ds answers like this if it does not); ` : ''}if the server cannot page, set pageSize: 0`

/** After a loss ldapts would reconnect without a bind at the next search. The connection refuses that too; this error comes earlier. */
export function requireBound(connection: Connection): void {
  if (!connection.isBound()) throw new Error('Connection closed')
}

/** @throws {LdapFailure} if a part of what was searched is on another server */
export function requireNoneElsewhere(references: readonly string[], doing: Doing): void {
  const foreign = foreignReferences(references)
  const [first] = foreign
  if (first === undefined) return
  throw failing(
    doing,
    'ldap.elsewhere',
    `a part of it is on another server: ${listedFirst([quoted(first)], foreign.length)}`,
    `narrow ${baseOf(doing)}, or set referrals: ignore`,
  )
}

export const tooManyLdapGroups = ({ groupsMax }: Pick<LdapSettings, 'groupsMax'>, doing: Doing): LdapFailure =>
  failing(doing, 'ldap.groupsMax', `more than ${counted(groupsMax, 'group')}`, 'narrow groups.filter, or raise groupsMax')

/** Active Directory sends 1,500 values or more in a part. The maximum ends the reading of a server that sends one value at a time. */
const partsMax = 10_000

const anything = '(objectClass=*)'

type Counting = {
  readonly connection: Connection
  readonly settings: LdapSettings
  /** Gets each further part. */
  readonly look?: (entry: LdapEntry) => void
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
        look?.(entry)
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
