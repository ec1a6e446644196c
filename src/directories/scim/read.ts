import { type Doubt, doubt } from '../../core/doubt.ts'
import { indexGroups } from '../../core/group.ts'
import type { GroupName } from '../../core/mapping.ts'
import { visible } from '../../core/safeName.ts'
import type { ClientCredentials } from '../../http/bearerToken.ts'
import { parseJson } from '../../http/json.ts'
import { membersRequestsMax } from '../membership.ts'
import type { Ask } from '../overHttp/ask.ts'
import { type DirectoryReader, type DirectoryTokens, type GroupsFound, type HttpEnvironment, overHttp } from '../overHttp/reader.ts'
import { clientTokens, type DirectoryClient, staticToken } from '../overHttp/token.ts'
import { groupList, type ScimGroupRow, type ScimName } from './answers.ts'
import { filterTokens } from './filter.ts'
import { type Listing, pagingOf, readWholeList } from './list.ts'
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
type Limits = {
  readonly pageSize: number
  readonly membersPageSize?: number
  readonly groupsMax: number
  readonly attemptsMax?: number
  readonly requestsMax?: number
}

/**
 * Reads the groups of a SCIM 2.0 service provider (RFC 7643, RFC 7644), by cursors if its configuration announces them (RFC 9865), otherwise by index.
 * Tried with scim2-server 0.8.3, scimmy-routers 1.3.2 and django-scim2 0.23.0.
 */
export function scim(settings: ScimSettings, around: HttpEnvironment): DirectoryReader {
  const { url, credential, allowPlaintext, caFile, people } = settings
  const limits = { attemptsMax: 4, requestsMax: 1_000 + settings.limits.groupsMax, ...settings.limits }
  const { pageSize, membersPageSize = pageSize } = limits
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
      ...(pageSize > 0
        ? {}
        : { tooLargeCure: 'set groups.filter, so that fewer groups match; or set pageSize to a number, if the server can page' }),
      groups: ({ ask }, signal) => readGroups(ask, settings, signal),
      ...(people && {
        members: (api, groups, signal) => readScimMembers(api, groups, { url, people, pageSize: membersPageSize }, signal),
        forMembers: {
          limits: { ...limits, requestsMax: membersRequestsMax },
          explain: explainScimMembers(refused),
          tooLargeCure: membersPageSize === 0 ? 'set members.pageSize to a number, if the server can page' : 'lower members.pageSize',
        },
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
  const checkCount = (count: number) => {
    if (count > limits.groupsMax) throw tooManyScimGroups(count, url, limits.groupsMax)
  }
  const { items, missing } = await readWholeList(ask, groupListing(query), paging, { itemsMax: limits.groupsMax, checkCount }, signal)
  const groups = items.map(({ id, name }) => ({ name: name as GroupName, id, place: `/Groups/${id}` }))
  return { groups: indexGroups(groups), missing }
}

/** Which groups are listed, and with which attributes. */
type GroupQuery = { readonly name: ScimName; readonly filter?: string | undefined }

/** A group that has an id and a name. */
export type Named = { readonly id: string; readonly name: string }

/**
 * The list of groups without their members, which may be a hundred thousand in a group. `attributes` and `excludedAttributes` together are an error
 * (RFC 7644 §3.9).
 */
export function groupListing({ name, filter }: GroupQuery): Listing<ScimGroupRow, Named> {
  const isLeftOut = filter === undefined ? undefined : leftOutBy(filter, name)
  return {
    path: '/Groups',
    one: 'group',
    many: 'groups',
    answer: groupList(name),
    filter,
    attributes: { attributes: `id,${name}` },
    otherwise: { excludedAttributes: 'members' },
    isObeyed: ({ id, hasMembers }) => id !== undefined && !hasMembers,
    itemsOf(rows) {
      const named = namedGroups(rows, name)
      const leftOut = typeof named === 'string' ? undefined : named.find((group) => isLeftOut?.(group.name) === true)
      if (leftOut === undefined) return named
      return doubt('scim.filterIgnored', `the group ${visible(leftOut.name)} does not match groups.filter: ${ignoredCure}`)
    },
  }
}

const ignoredCure =
  'the server ignores the filter, or a gateway before it removes it, so groups may be read that are not meant; check which filters the server supports, or remove groups.filter'

function namedGroups(groups: readonly ScimGroupRow[], name: ScimName): readonly Named[] | Doubt {
  const named: Named[] = []
  for (const group of groups) {
    if (group.id === undefined) return doubt('scim.noId', 'a group has no id, so that groups cannot be told apart')
    if (group.name === undefined) return doubt('scim.nameless', `the group ${visible(group.id)} has no ${name}${namelessCure[name]}`)
    named.push({ id: group.id, name: group.name })
  }
  return named
}

const namelessCure: Readonly<Record<ScimName, string>> = {
  displayName: '; check that the account may read it, or to leave out such groups set groups.filter: displayName pr',
  externalId: '; to leave out such groups set groups.filter: externalId pr',
}

/**
 * Whether a filter surely leaves out a group with this name; undefined if the names say nothing about the filter. Some servers ignore a filter without an
 * error, and then send all groups. Only comparisons of the attribute with the name are judged, without parentheses. Servers compare in their own way, so
 * case, accents and blanks at the edges make no difference.
 *
 * @param filter a SCIM filter (`filterFault`)
 * @param attribute the attribute that has the name
 */
export function leftOutBy(filter: string, attribute: string): ((name: string) => boolean) | undefined {
  const tokens = filterTokens(filter)
  if (tokens.some((token) => /^[()[\]]$/.test(token))) return undefined
  // `and` comes before `or` (RFC 7644 §3.4.2.2).
  const alternatives = split(tokens, 'or').map((alternative) =>
    split(alternative, 'and').flatMap((comparison) => mismatchOf(comparison, attribute) ?? []),
  )
  if (alternatives.some((mismatches) => mismatches.length === 0)) return undefined
  return (name) => alternatives.every((mismatches) => mismatches.some((isMismatch) => isMismatch(folded(name))))
}

/** The parts of a list between these words. */
function split(tokens: readonly string[], word: string): readonly (readonly string[])[] {
  const parts: string[][] = [[]]
  for (const token of tokens) {
    if (token.toLowerCase() === word) parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts
}

type Mismatch = (name: string) => boolean

/** What tells that a name does not match a comparison; undefined for a comparison of another attribute, or by another operator. */
function mismatchOf([named = '', operator = '', value = '', ...more]: readonly string[], attribute: string): Mismatch | undefined {
  const isName = named.split(':').at(-1)?.toLowerCase() === attribute.toLowerCase()
  if (!isName || !value.startsWith('"') || more.length > 0) return undefined
  // A text in a filter is one of JSON (RFC 7644 §3.4.2.2).
  const wanted = folded(String(parseJson({ body: value })))
  switch (operator.toLowerCase()) {
    case 'eq':
      return (name) => name !== wanted
    case 'co':
      return (name) => !name.includes(wanted)
    case 'sw':
      return (name) => !name.startsWith(wanted)
    case 'ew':
      return (name) => !name.endsWith(wanted)
    default:
      return undefined
  }
}

const folded = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toUpperCase().trim()
