import { type Doubt, doubt } from '../../core/doubt.ts'
import { type Group, indexGroups } from '../../core/group.ts'
import type { GroupName } from '../../core/mapping.ts'
import { count, counted, listedFirst } from '../../core/quantity.ts'
import type { ReadingNote } from '../../core/reading.ts'
import { visible } from '../../core/safeName.ts'
import { DirectoryError } from '../directoryError.ts'
import { membersRequestsMax } from '../membership.ts'
import type { DirectoryApi } from '../overHttp/ask.ts'
import { type DirectoryReader, type GroupsFound, type HttpEnvironment, overHttp } from '../overHttp/reader.ts'
import { clientTokens, type DirectoryClient, staticToken } from '../overHttp/token.ts'
import { changedMeanwhile, type GroupList, type Listed, listGroups, type NameAttribute } from './list.ts'
import { type OktaPeople, readOktaMembers } from './members.ts'
import { explainOkta } from './refusal.ts'

export type OktaSettings = {
  /** The address of the organization, without a path. */
  readonly url: URL
  /** Certificates (PEM) that are trusted instead of the system's. */
  readonly caFile?: string
  /** A service app with a private key, or an API token. */
  readonly credential: { readonly client: DirectoryClient } | { readonly token: () => Promise<string> }
  readonly groups: { readonly types: readonly GroupType[]; readonly name: NameAttribute }
  /** Absent: members are not read. */
  readonly people?: OktaPeople
  /** The share of the rate limit, from 0 to 1, that is left for other programs. */
  readonly reserve: number
  readonly limits: { readonly pageSize: number; readonly groupsMax: number; readonly attemptsMax?: number }
}

const groupTypes = ['OKTA_GROUP', 'APP_GROUP', 'BUILT_IN'] as const
type GroupType = (typeof groupTypes)[number]

/** Reads the groups of an Okta organization by its management API. It follows Okta's documentation and is not verified against Okta. */
export function okta(settings: OktaSettings, around: HttpEnvironment): DirectoryReader {
  const { url, caFile, credential, people, limits, reserve } = settings
  const { pageSize, groupsMax, attemptsMax = 4 } = limits
  const isClient = 'client' in credential
  const account = isClient ? { clientId: credential.client.id } : {}
  return overHttp(
    {
      url: new URL('/api/v1', url),
      address: url,
      caFile,
      tokens: isClient ? clientTokens(serviceApp(url, credential.client), around) : staticToken(credential.token, around),
      scheme: isClient ? 'Bearer' : 'SSWS',
      // Okta may send smaller pages than it is asked for, and each request may be repeated.
      limits: { attemptsMax, requestsMax: 200 + 4 * Math.ceil(groupsMax / pageSize), reserve },
      explain: explainOkta(account, 'groups'),
      groups: (api, signal) => readOrganization(api, settings, signal),
      ...(people && {
        members: (api, groups, signal) => readOktaMembers(api, groups, { people, address: url, pageSize }, signal),
        forMembers: { limits: { attemptsMax, requestsMax: membersRequestsMax, reserve }, explain: explainOkta(account, 'members') },
      }),
    },
    around,
  )
}

const scopeCheck = 'that the scope okta.groups.read is granted to it (tab Okta API Scopes)'
const keyIdCheck = 'that client.privateKey.keyId is the key id (kid) that Okta shows beside the public key'

/**
 * The organization's own authorization server. It takes only `private_key_jwt` for this scope, and the address of the token endpoint is the audience.
 *
 * @see https://developer.okta.com/docs/guides/implement-oauth-for-okta-serviceapp/main/
 */
const serviceApp = (url: URL, client: DirectoryClient) => ({
  server: { tokenAddress: new URL('/oauth2/v1/token', url) },
  client,
  allowPlaintext: false,
  parameters: { scope: 'okta.groups.read' },
  check: 'privateKey' in client && client.privateKey.keyId === undefined ? `${keyIdCheck}, and ${scopeCheck}` : `and ${scopeCheck}`,
})

async function readOrganization(api: DirectoryApi, settings: OktaSettings, signal: AbortSignal): Promise<GroupsFound> {
  const { types } = settings.groups
  const options = { ...settings.limits, nameAttribute: settings.groups.name, tooMany: () => tooManyGroups(settings) }
  const ofTypes = types.length === groupTypes.length ? undefined : types.map((type) => `type eq "${type}"`).join(' or ')
  const list = await listGroups(api, { ...options, filter: ofTypes, proveLinks: true }, signal)
  function changed(time: string): Promise<GroupList> {
    const filter = `lastUpdated gt "${time}"${ofTypes === undefined ? '' : ` and (${ofTypes})`}`
    return listGroups(api, { ...options, filter, proveLinks: false }, signal)
  }
  const missing = list.missing ?? otherType(list, types) ?? withoutEveryone(list, types) ?? (await changedMeanwhile(list, changed))
  return {
    groups: indexGroups(list.items.flatMap((listed) => groupOf(listed) ?? [])),
    missing,
    notes: nameless(list, settings),
  }
}

/** The place tells groups of one name apart: Okta may import the same name from several applications. */
const groupOf = ({ id, type, name }: Listed): Group | undefined =>
  name === undefined ? undefined : { name: name as GroupName, id, place: `${type} ${id}` }

/** The filter was not applied, so it is unknown what else differs. Without a filter Okta may add a type that it does not document today. */
function otherType({ items }: GroupList, types: readonly string[]): Doubt | undefined {
  if (types.length === groupTypes.length) return undefined
  const odd = items.find(({ type }) => !types.includes(type))
  return (
    odd &&
    doubt(
      'okta.otherType',
      `the group ${visible(odd.id)} is of the type ${visible(odd.type)}, which was not asked for; without a filter, groups.types: [OKTA_GROUP, APP_GROUP, BUILT_IN] has every type`,
    )
  )
}

/**
 * Each organization has the group Everyone, and an administrator of single groups does not see it. So a list without it is only a part.
 *
 * @see https://developer.okta.com/docs/api/openapi/okta-management/management/tag/Group/#tag/Group/operation/listGroups the parameter `limit`
 */
function withoutEveryone({ items }: GroupList, types: readonly string[]): Doubt | undefined {
  if (!types.includes('BUILT_IN') || items.some(({ type }) => type === 'BUILT_IN')) return undefined
  return doubt(
    'okta.noEveryone',
    `the group Everyone, which each organization has, is not among the ${counted(items.length, 'group')}: the account sees only a part; give it a role that sees all groups, or leave BUILT_IN out of groups.types if this part is meant`,
  )
}

function nameless({ items }: GroupList, { groups }: OktaSettings): readonly ReadingNote[] {
  const without = items.filter(({ name }) => name === undefined).map(({ id }) => visible(id))
  if (without.length === 0) return []
  return [
    {
      code: 'group-name-unusable',
      severity: 'info',
      sentence: `the profile has no ${groups.name} in ${count(without.length)} of ${counted(items.length, 'group')} (${listedFirst(without.slice(0, 3), without.length)}): no rule can name such a group`,
      cure:
        groups.name === 'name'
          ? 'give the group a name'
          : 'leave types without this attribute out of groups.types, or use groups.name: name',
    },
  ]
}

const tooManyGroups = ({ url, limits }: OktaSettings) =>
  new DirectoryError('bound', doubt('okta.groupsMax', `${url.href}: there are more groups than groupsMax (${limits.groupsMax})`), {
    cure: 'raise groupsMax, or read fewer types of groups (groups.types)',
  })
