import { indexGroups } from '../../core/group.ts'
import type { GroupName } from '../../core/mapping.ts'
import type { ClientCredentials } from '../../http/bearerToken.ts'
import { membersRequestsMax } from '../membership.ts'
import type { Ask } from '../overHttp/ask.ts'
import { type DirectoryReader, type DirectoryTokens, type GroupsFound, type HttpEnvironment, overHttp } from '../overHttp/reader.ts'
import { clientTokens, type DirectoryClient, staticToken } from '../overHttp/token.ts'
import { type GroupQuery, groupListing } from './groups.ts'
import { pagingOf, readWholeList } from './list.ts'
import { readScimMembers } from './members.ts'
import { explainScim, explainScimMembers, noFilters, tooManyScimGroups } from './refusal.ts'
import type { ScimPeople } from './users.ts'

export type ScimSettings = {
  /** The address that has `/Groups` below it. */
  readonly url: URL
  readonly credential: ScimCredential
  readonly allowPlaintext: boolean
  /** Certificates (PEM) that are trusted instead of the system's. */
  readonly caFile?: string
  readonly groups: GroupQuery
  /** Absent: members are not read. */
  readonly people?: ScimPeople
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
  const { url, credential, allowPlaintext, caFile, people } = settings
  const limits = { attemptsMax: 4, requestsMax: 1_000 + settings.limits.groupsMax, ...settings.limits }
  const refused = 'client' in credential ? `the token of client "${credential.client.id}"` : 'the token'
  return overHttp(
    {
      url,
      address: url,
      caFile,
      allowPlaintext,
      headers: { accept: 'application/scim+json, application/json;q=0.9' },
      tokens: tokensFor(credential, allowPlaintext, around),
      limits,
      explain: explainScim(refused),
      groups: ({ ask }, signal) => readGroups(ask, settings, signal),
      ...(people && {
        members: ({ ask }, groups, signal) => readScimMembers(ask, groups, { url, people, pageSize: limits.pageSize }, signal),
        forMembers: { limits: { ...limits, requestsMax: membersRequestsMax }, explain: explainScimMembers(refused) },
      }),
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
  const { url, groups: query, limits } = settings
  const paging = await pagingOf(ask, limits.pageSize, signal)
  if (query.filter !== undefined && !paging.hasFilters) throw noFilters(url)
  const checkCount = (found: number) => {
    if (found > limits.groupsMax) throw tooManyScimGroups(found, url, limits.groupsMax)
  }
  const { items, missing } = await readWholeList(ask, groupListing(query), paging, { itemsMax: limits.groupsMax, checkCount }, signal)
  const groups = items.map(({ id, name }) => ({ name: name as GroupName, id, place: `/Groups/${id}` }))
  return { groups: indexGroups(groups), missing }
}
