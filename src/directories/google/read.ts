import { type Doubt, doubt } from '../../core/doubt.ts'
import { type Group, indexGroups } from '../../core/group.ts'
import type { GroupName } from '../../core/mapping.ts'
import { visible } from '../../core/safeName.ts'
import { mapConcurrently } from '../mapConcurrently.ts'
import { membersRequestsMax } from '../membership.ts'
import type { Ask } from '../overHttp/ask.ts'
import { type DirectoryReader, type DirectoryTokens, type GroupsFound, type HttpEnvironment, overHttp } from '../overHttp/reader.ts'
import { staticToken } from '../overHttp/token.ts'
import { difference, type GoogleGroup, type GoogleLimits, readInOrder, type SortOrder, sameOrder } from './list.ts'
import { type GooglePeople, readGoogleMembers } from './members.ts'
import { aboveGroupsMax, explainGoogle, type GroupsOwner } from './refusal.ts'
import { federatedTokens, keyTokens } from './tokens.ts'

export type GoogleSettings = {
  /** Where the Directory API is. */
  readonly url: URL
  /** Where a signed JWT is exchanged for a token. */
  readonly tokenUrl: URL
  /** Where the token of a workload is exchanged, and where a workload gets the token of a service account. */
  readonly stsUrl: URL
  readonly iamUrl: URL
  readonly asked: GroupsOwner
  readonly account: GoogleAccount
  readonly allowPlaintext?: boolean
  /** Certificates (PEM) that are trusted instead of the system's. */
  readonly caFile?: string
  /** The form of a group in the claim: Google's SAML apps send the name, several other programs the e-mail address. */
  readonly name: 'name' | 'email'
  /** Absent: members are not read. */
  readonly people?: GooglePeople
  readonly limits: GoogleLimits & Partial<Nets>
}

/** The account that reads. Functions give secrets, and read them again each time. `subject`: the user in whose name it reads. */
export type GoogleAccount =
  | { readonly key: () => Promise<string>; readonly subject?: string }
  | {
      readonly workloadIdentity: {
        readonly provider: string
        readonly serviceAccount: string
        readonly jwt: () => Promise<string>
      }
      readonly subject?: string
    }
  | { readonly token: () => Promise<string> }

/** Safety limits: they end the reading of a server that always fails. */
type Nets = { readonly requestsMax: number; readonly attemptsMax: number }

/**
 * Reads the groups of a Google Workspace by the Directory API of the Admin SDK. The account needs the scope `admin.directory.group.readonly`, and an
 * admin role with the privilege to read groups.
 */
export function google(settings: GoogleSettings, around: HttpEnvironment): DirectoryReader {
  const { url, asked, caFile, allowPlaintext, people } = settings
  const limits = { ...netsFor(settings.limits), ...settings.limits }
  return overHttp(
    {
      url,
      address: url,
      caFile,
      allowPlaintext,
      tokens: tokensOf(settings, around),
      limits,
      explain: explainGoogle(asked),
      groups: ({ ask }, signal) => readGroups(ask, settings, signal),
      ...(people && {
        members: (api, groups, signal) => readGoogleMembers(api, groups, { people, address: url, pageSize: limits.pageSize }, signal),
        forMembers: { limits: { ...limits, requestsMax: membersRequestsMax }, explain: explainGoogle('members') },
      }),
    },
    around,
  )
}

/** Google asks for up to five repetitions after a limit is reached: https://developers.google.com/workspace/admin/directory/v1/limits */
const netsFor = ({ groupsMax, pageSize }: GoogleLimits): Nets => ({
  requestsMax: 1_000 + 4 * Math.ceil(groupsMax / pageSize),
  attemptsMax: 6,
})

function tokensOf(settings: GoogleSettings, around: HttpEnvironment): DirectoryTokens {
  const { account, tokenUrl, stsUrl, iamUrl, allowPlaintext = false } = settings
  if ('token' in account) return staticToken(account.token, around)
  if ('key' in account) return keyTokens({ ...account, tokenUrl, allowPlaintext }, around)
  const { workloadIdentity, ...subject } = account
  return federatedTokens({ ...workloadIdentity, ...subject, tokenUrl, stsUrl, iamUrl, allowPlaintext }, around)
}

const orders: readonly SortOrder[] = ['ASCENDING', 'DESCENDING']

/**
 * Google gives no total, and its servers may not yet agree on a change. So the list is read in both orders at the same time. A group that moved over
 * the place where one reading was, a page that was cut off, or a server that lags behind makes a difference between them.
 */
async function readGroups(ask: Ask, settings: GoogleSettings, signal: AbortSignal): Promise<GroupsFound> {
  const { url, asked, limits, name } = settings
  const tooMany = () => aboveGroupsMax(url, limits.groupsMax)
  const lists = await mapConcurrently(orders, orders.length, (order) => readInOrder(ask, { asked, order, limits, tooMany }, signal))
  const [up = { items: [] }, down = { items: [] }] = lists
  const missing =
    up.missing ??
    down.missing ??
    difference(up.items, down.items) ??
    sameOrder(up.items, down.items) ??
    (name === 'name' ? nameless(up.items) : undefined)
  return { groups: indexGroups(up.items.map((group) => groupOf(group, name))), missing }
}

const groupOf = ({ id, email, name = '' }: GoogleGroup, form: GoogleSettings['name']): Group => ({
  name: (form === 'name' ? name : email) as GroupName,
  id,
  place: email,
})

function nameless(groups: readonly GoogleGroup[]): Doubt | undefined {
  const group = groups.find(({ name }) => name === undefined)
  return group === undefined
    ? undefined
    : doubt('google.nameless', `the group ${visible(group.email)} came without its name: give it one, or set groups.name: email`)
}
