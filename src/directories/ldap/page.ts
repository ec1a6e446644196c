import { BerWriter, Control, PagedResultsControl } from 'ldapts'
import type { LdapEntry } from './ber.ts'
import type { Connection } from './connection.ts'
import type { Listener } from './incoming.ts'
import type { Search } from './settings.ts'

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
