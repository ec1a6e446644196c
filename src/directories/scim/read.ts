import { indexGroups } from '../../core/group.ts'
import type { GroupName } from '../../core/mapping.ts'
import type { ClientCredentials } from '../../http/bearerToken.ts'
import { DirectoryError } from '../directoryError.ts'
import type { Ask } from '../overHttp/ask.ts'
import type { DirectoryClient } from '../overHttp/client.ts'
import { type Pages, readPages } from '../overHttp/paging.ts'
import { type DirectoryReader, type DirectoryTokens, type GroupsFound, type HttpEnvironment, overHttp } from '../overHttp/reader.ts'
import { staticToken } from '../overHttp/staticToken.ts'
import { clientTokens } from '../overHttp/token.ts'
import { type ServiceProviderConfig, serviceProviderConfig } from './answers.ts'
import { type GroupQuery, type Named, openList } from './list.ts'
import { byCursor, byIndex, type CursorPosition, type Index } from './pages.ts'
import { explainScim, noFilters, tooManyScimGroups } from './refusal.ts'

export type ScimSettings = {
  /** The address that has `/Groups` below it. */
  readonly url: URL
  readonly credential: ScimCredential
  readonly allowPlaintext: boolean
  /** Certificates (PEM) that are trusted instead of the system's. */
  readonly caFile?: string
  readonly groups: GroupQuery
  readonly limits: Limits
}

/** A client that requests tokens, or a token that another program renews. Functions give secrets, and read them again each time. */
export type ScimCredential =
  | { readonly client: DirectoryClient; readonly server: ClientCredentials['server']; readonly scopes: readonly string[] }
  | { readonly token: () => Promise<string> }

/** `attemptsMax` and `requestsMax` are safety limits: they end the reading of a server that repeats itself or always fails. */
type Limits = { readonly pageSize: number; readonly groupsMax: number; readonly attemptsMax?: number; readonly requestsMax?: number }

/**
 * Reads the groups of a SCIM 2.0 service provider (RFC 7643, RFC 7644), by cursors if its configuration announces them (RFC 9865), otherwise by index.
 * Tried with scim2-server 0.8.3 and scimmy-routers 1.3.2.
 */
export function scim(settings: ScimSettings, around: HttpEnvironment): DirectoryReader {
  const { url, credential, allowPlaintext, caFile, limits } = settings
  return overHttp(
    {
      url,
      address: url,
      caFile,
      allowPlaintext,
      headers: { accept: 'application/scim+json, application/json;q=0.9' },
      tokens: tokensFor(credential, allowPlaintext, around),
      limits: { attemptsMax: 4, requestsMax: 1_000 + limits.groupsMax, ...limits },
      explain: explainScim('client' in credential ? `the token of client "${credential.client.id}"` : 'the token'),
      groups: ({ ask }, signal) => readGroups(ask, settings, signal),
    },
    around,
  )
}

function tokensFor(credential: ScimCredential, allowPlaintext: boolean, around: HttpEnvironment): DirectoryTokens {
  if ('token' in credential) return staticToken(credential.token, around)
  const { client, server, scopes } = credential
  const parameters = scopes.length === 0 ? {} : { scope: scopes.join(' ') }
  return clientTokens({ server, client, allowPlaintext, parameters }, around)
}

async function readGroups(ask: Ask, settings: ScimSettings, signal: AbortSignal): Promise<GroupsFound> {
  const { pagination, filter } = (await configuration(ask, signal)) ?? {}
  if (settings.groups.filter !== undefined && filter?.supported === false) throw noFilters(settings.url)
  // Two: each page but the first begins with the last group of the page before.
  const count = Math.max(2, Math.min(settings.limits.pageSize, pagination?.maxPageSize ?? Number.POSITIVE_INFINITY))
  const { items, missing } = await readList(ask, settings, { count, hasCursors: pagination?.cursor === true }, signal)
  const groups = items.map(({ id, name }) => ({ name: name as GroupName, id, place: `/Groups/${id}` }))
  return { groups: indexGroups(groups), missing }
}

type Paging = { readonly count: number; readonly hasCursors: boolean }

async function readList(ask: Ask, settings: ScimSettings, { count, hasCursors }: Paging, signal: AbortSignal): Promise<Pages<Named>> {
  const { url, groups: query, limits } = settings
  const firstPage = { ...(hasCursors ? { cursor: '' } : { startIndex: '1' }), count: `${count}` }
  const { askPage, first } = await openList(ask, query, firstPage, signal)
  if (!hasCursors && first.nextCursor !== undefined) return readList(ask, settings, { count, hasCursors: true }, signal)
  const checkCount = (found: number) => {
    if (found > limits.groupsMax) throw tooManyScimGroups(found, url, limits.groupsMax)
  }
  checkCount(first.total ?? 0)
  const options = { query, askPage, count, first, checkCount }
  // Each page has one group or more, and there is one request after the last page.
  const walk = { idOf: ({ id }: Named) => id, pagesMax: limits.groupsMax + 2 }
  return hasCursors
    ? readPages<Named, CursorPosition>({ cursor: '', at: 0 }, byCursor(options), walk, signal)
    : readPages<Named, Index>({ at: 0 }, byIndex(options), walk, signal)
}

/** The server's configuration; undefined if it shows none. A server may lack it, and then it is read by index. */
async function configuration(ask: Ask, signal: AbortSignal): Promise<ServiceProviderConfig | undefined> {
  try {
    return (await ask('/ServiceProviderConfig', {}, serviceProviderConfig, signal)).body
  } catch (error) {
    if (error instanceof DirectoryError && showsNone(error)) return undefined
    throw error
  }
}

const showsNone = ({ code, retryable }: DirectoryError): boolean =>
  code === 'missing' || code === 'rights' || code === 'garbled' || (code === 'failing' && !retryable)
