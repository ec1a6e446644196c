import { errorChain, messageOf } from '../../core/errorText.ts'
import type { GroupIndex } from '../../core/group.ts'
import type { Reading } from '../../core/reading.ts'
import type { CallSink } from './connection.ts'
import { indexCrowded } from './entry.ts'
import { LdapFailure, quoted } from './failure.ts'
import { firstThatWorks } from './firstServer.ts'
import { type FoundGroups, missingFrom, notesOn, nothingFound } from './found.ts'
import { MessageTooLarge } from './incoming.ts'
import { openSeenEntries, readBase } from './search.ts'
import { accountOf, type LdapSettings, searchesOf } from './settings.ts'

export type Capabilities = CallSink & {
  /** Gets debug lines: each search as an `ldapsearch` command, and skipped addresses. They contain no secret. */
  readonly log?: (line: string) => void
  /** Called after each page. The reading waits for it. */
  readonly onPage?: (page: { readonly number: number; readonly groups: number }) => void | Promise<void>
}

/**
 * Reads all groups of an LDAP directory, by name, over one connection whose account is proved and does not change.
 *
 * *complete*: every base was read to its last page. It may be empty: an account without rights gets success and no entries.
 * *partial*: every base was read, but the account sees entries without a name, which may be any groups; `missing` names them.
 * *failed*: any other result, with place and cure. Groups that were read before are dropped.
 */
export async function readLdap(settings: LdapSettings, capabilities: Capabilities, signal: AbortSignal): Promise<Reading<GroupIndex>> {
  const { now, log = () => undefined } = capabilities
  const startedMs = now()
  const times = () => ({ atMs: now(), tookMs: now() - startedMs })
  let foundGroups: FoundGroups
  try {
    foundGroups = await findGroups(settings, capabilities, signal)
  } catch (error) {
    const { message, cure } = error instanceof LdapFailure ? error : new LdapFailure(String(error))
    return { status: 'failed', why: message, ...(cure === undefined ? {} : { cure }), ...times() }
  }
  const value = foundGroups.index
  if (value.size === 0) log(`no group below ${quoted([settings.groups.base].flat().join(' · '))}: ${likelyCauseOfNothing(settings)}`)
  indexCrowded(foundGroups.index, foundGroups.crowded, settings.groups.name)
  const notes = notesOn(foundGroups, settings)
  const answered = { value, ...(notes.length === 0 ? {} : { notes }), ...times() }
  const missing = missingFrom(foundGroups, settings)
  return missing === undefined ? { status: 'complete', ...answered } : { status: 'partial', missing, ...answered }
}

/** Reads without members if an entry is too large with them, since a person who may add members must not make the whole reading fail. */
async function findGroups(settings: LdapSettings, capabilities: Capabilities, signal: AbortSignal): Promise<FoundGroups> {
  try {
    return await searchAll(settings, capabilities, signal)
  } catch (error) {
    const { members, ...groups } = settings.groups
    if (members === undefined || !errorChain(error).some((cause) => cause instanceof MessageTooLarge)) throw error
    capabilities.log?.(`${messageOf(error)}; reading again without members`)
    const foundGroups = await searchAll({ ...settings, groups }, capabilities, signal)
    return { ...foundGroups, tooLarge: true }
  }
}

async function searchAll(
  settings: LdapSettings,
  { log = () => undefined, onPage, ...calls }: Capabilities,
  signal: AbortSignal,
): Promise<FoundGroups> {
  const foundGroups = nothingFound()
  const searches = searchesOf(settings)
  const seenOf = openSeenEntries()
  const connection = await firstThatWorks(settings, { log, ...calls }, signal)
  try {
    for (const search of searches) await readBase({ connection, settings, search, foundGroups, seen: seenOf(), log, onPage })
    await connection.close()
  } finally {
    connection.destroy()
  }
  return foundGroups
}

/** Why a reading that succeeded may be empty, for messages. */
const likelyCauseOfNothing = (settings: LdapSettings): string =>
  `${accountOf(settings)} may lack the right to read groups there (many servers then answer success), the base may not exist (389-ds then answers success), or ${quoted(settings.groups.filter)} matches nothing`
