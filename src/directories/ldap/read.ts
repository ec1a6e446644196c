import type { GroupIndex } from '../../core/group.ts'
import type { Reading } from '../../core/reading.ts'
import { type FoundGroups, readBase } from './base.ts'
import { LdapFailure, quoted } from './failure.ts'
import { firstThatWorks } from './firstServer.ts'
import { accountOf, type LdapSettings, searchesOf } from './settings.ts'

export type Capabilities = {
  readonly now: () => number
  /** Debug lines: each search as an `ldapsearch` command, addresses that were passed over. Never a secret. */
  readonly log?: (line: string) => void
  /** Called after each page, and waited for. */
  readonly onPage?: (page: { readonly number: number; readonly groups: number }) => void | Promise<void>
}

/**
 * All groups of an LDAP directory, by name, over one connection that is proved to be the account's own from the first page to the last.
 *
 * *complete*: every base was read to its last page. It may hold nothing: an account without rights gets success and no entries.
 * *partial*: read to the end, but some entries could not be taken as groups (no name, several names) or counted; `missing` names them.
 * *failed*: anything else, with place and cure. What had been read by then is dropped.
 */
export async function readLdap(settings: LdapSettings, capabilities: Capabilities, signal: AbortSignal): Promise<Reading<GroupIndex>> {
  const { now, log = () => undefined } = capabilities
  const startedMs = now()
  const times = () => ({ atMs: now(), tookMs: now() - startedMs })
  const found: FoundGroups = { index: new Map(), size: 0, left: [] }
  try {
    const searches = searchesOf(settings)
    const connection = await firstThatWorks(settings, log, signal)
    try {
      for (const search of searches) await readBase({ connection, settings, search, found, log, onPage: capabilities.onPage })
      await connection.close()
    } finally {
      connection.destroy()
    }
  } catch (error) {
    const { message, cure } = error instanceof LdapFailure ? error : new LdapFailure(String(error))
    return { status: 'failed', why: message, ...(cure === undefined ? {} : { cure }), ...times() }
  }
  const value = found.index
  if (value.size === 0) log(`no group below ${quoted([settings.groups.base].flat().join(' · '))}: ${likelyCauseOfNothing(settings)}`)
  return found.left.length > 0
    ? { status: 'partial', value, missing: leftOut(found.left), ...times() }
    : { status: 'complete', value, ...times() }
}

/** For whoever shows a reading that succeeded with nothing in it. */
export const likelyCauseOfNothing = (settings: LdapSettings): string =>
  `${accountOf(settings)} may lack the right to read groups there (many servers then answer success), or ${quoted(settings.groups.filter)} matches nothing`

const leftOut = (left: readonly string[]): string =>
  `${left.slice(0, 3).join('; ')}${left.length > 3 ? `; and ${left.length - 3} more` : ''}`
