import { exactly } from '../../core/bounds.ts'
import { type Doubt, doubt } from '../../core/doubt.ts'
import { type Group, indexGroups } from '../../core/group.ts'
import type { GroupName } from '../../core/mapping.ts'
import { counted } from '../../core/quantity.ts'
import { visible } from '../../core/safeName.ts'
import { z } from '../../yaml/zod.ts'
import { membersRequestsMax } from '../membership.ts'
import type { Ask } from '../overHttp/ask.ts'
import type { Pages } from '../overHttp/paging.ts'
import { type DirectoryReader, type GroupsFound, type HttpEnvironment, overHttp } from '../overHttp/reader.ts'
import { clientTokens, type DirectoryClient } from '../overHttp/token.ts'
import { countPeople, type KeycloakPeople, readGroupMembers } from './members.ts'
import { explain, explainMembers, nothingUnder, type RolesFrom, seesNothing, tooManyGroups } from './refusal.ts'
import { readRoleMembers, rolesAsGroups } from './roles.ts'
import { type Node, pathOf, type Slashes, walkGroups } from './tree.ts'

export type KeycloakSettings = {
  /** Where the admin API is, with its path prefix (`/auth` before Keycloak 17) if it has one. */
  readonly url: URL
  readonly realm: string
  /** Needed if it is not `url` + `/realms/` + `realm`: a Keycloak with a fixed public host name. */
  readonly issuer?: URL
  readonly allowPlaintext?: boolean
  /** Certificates (PEM) that are trusted instead of the system's. */
  readonly caFile?: string
  readonly client: DirectoryClient
  readonly groups: {
    /** Roles are read in the place of groups. The other settings of `groups` are then without effect. */
    readonly roles?: RolesFrom
    /**
     * The form of a group in the claim, as the realm's Group Membership mapper writes it: the full path or the bare name. The path is the mapper's
     * default, and better: two groups of one bare name in different branches cannot be told apart, so their mappings are held as ambiguous.
     */
    readonly name: 'path' | 'name'
    /** `escaped` if Keycloak runs with `--spi-group--jpa--escape-slashes-in-group-path=true`. */
    readonly slashes: Slashes
    /**
     * Only this group and the groups below it: a path, with `/` in a name as `~/`. The whole realm is read, because Keycloak gives a total only for
     * the whole realm.
     */
    readonly under?: string
    /** Whether to count the enabled direct members of each group: one request for each group, more for members on several pages. */
    readonly members: boolean
  }
  /** Absent: members are not read. */
  readonly people?: KeycloakPeople
  readonly limits: Limits
}

/** Settings of the operator. The `Nets` are safety limits: they end the reading of a server that repeats itself or always fails. */
type Limits = { readonly pageSize: number; readonly membersPageSize?: number; readonly groupsMax: number } & Partial<Nets>
type Nets = { readonly depthMax: number; readonly requestsMax: number; readonly attemptsMax: number; readonly concurrency: number }

/**
 * Reads the groups of a Keycloak realm by its admin API (Keycloak 23 or later; measured on 26.7.3). The client's service account needs only the
 * role `view-users` of the client `realm-management`. For roles of the realm it is `view-realm`, for those of a client `view-clients`. The people with
 * such roles need all of these.
 */
export function keycloak(settings: KeycloakSettings, around: HttpEnvironment): DirectoryReader {
  const { url, realm, client, caFile, allowPlaintext, people } = settings
  const { roles } = settings.groups
  const limits = { ...netsFor(settings.limits), ...settings.limits }
  const issuer = settings.issuer ?? below(url, `/realms/${encodeURIComponent(realm)}`)
  return overHttp(
    {
      url: below(url, `/admin/realms/${encodeURIComponent(realm)}`),
      address: url,
      caFile,
      allowPlaintext,
      tokens: clientTokens({ server: { issuer }, client, allowPlaintext: allowPlaintext ?? false }, around),
      limits,
      explain: ({ status }) => explain(status, settings),
      groups: ({ ask }, signal) =>
        roles === undefined ? readRealm(ask, { ...settings, limits }, signal) : rolesAsGroups(ask, roles, limits, settings, signal),
      ...(people && {
        members: ({ ask, deadline }, groups, signal) => {
          const asked = { ...settings, people, limits, deadline }
          return roles === undefined ? readGroupMembers(ask, groups, asked, signal) : readRoleMembers(ask, roles, groups, asked, signal)
        },
        forMembers: {
          limits: { ...limits, requestsMax: membersRequestsMax },
          explain: ({ status }) => explainMembers(status, settings),
          tooLargeCure: 'lower members.pageSize',
        },
      }),
    },
    around,
  )
}

/** `requestsMax` has room for each group's children (one request), its members (two) and repetitions. */
const netsFor = ({ groupsMax }: Limits): Nets => ({ depthMax: 50, requestsMax: 1_000 + 4 * groupsMax, attemptsMax: 4, concurrency: 4 })

/** The total is read before and after: without the right to see groups Keycloak answers 200 `[]`, and rows of a list by offsets can shift meanwhile. */
async function readRealm(ask: Ask, settings: KeycloakSettings & { readonly limits: Nets }, signal: AbortSignal): Promise<GroupsFound> {
  const before = await countGroups(ask, signal)
  if (before > settings.limits.groupsMax) throw tooManyGroups(before, settings, settings.limits.groupsMax)
  const tree = await walkGroups(ask, settings.limits, signal)
  const after = await countGroups(ask, signal)
  if (tree.items.length === 0 && before > 0 && after > 0) throw seesNothing(before, settings)
  const wanted = tree.items.filter((node) => isUnder(node, settings.groups.under))
  const missing = tree.missing ?? miscounted(tree, before, after) ?? otherPath(tree, settings.groups.slashes)
  if (missing === undefined && wanted.length === 0 && tree.items.length > 0) throw nothingUnder(settings, settings.groups.under ?? '')
  const people = settings.groups.members ? await countPeople(ask, wanted, { ...settings.limits, address: settings.url }, signal) : undefined
  return { groups: indexGroups(wanted.map((node) => groupOf(node, settings.groups, people?.get(node.id)))), missing }
}

const Count = z.object({ count: z.int().nonnegative() })
const countGroups = async (ask: Ask, signal: AbortSignal) => (await ask('/groups/count', {}, Count, signal)).body.count

function groupOf(node: Node, { name, slashes }: KeycloakSettings['groups'], people: number | undefined): Group {
  return {
    name: (name === 'path' ? pathOf(node, slashes) : node.name) as GroupName,
    id: node.id,
    place: pathOf(node, 'escaped'),
    ...(people === undefined ? {} : { size: { of: 'people', ...exactly(people) } }),
  }
}

function isUnder(node: Node, under: string | undefined): boolean {
  if (under === undefined) return true
  const path = pathOf(node, 'escaped')
  return path === under || path.startsWith(`${under}/`)
}

function miscounted({ items }: Pages<Node>, before: number, after: number): Doubt | undefined {
  if (before !== after)
    return doubt(
      'keycloak.totalChanged',
      `the realm had ${counted(before, 'group')} before and ${after} after: it changed while it was read`,
    )
  if (items.length !== after)
    return doubt(
      'keycloak.notAll',
      `${items.length} of the realm's ${counted(after, 'group')} ${items.length === 1 ? 'was' : 'were'} found: it changed while it was read, or the account may not see all`,
    )
  return undefined
}

/** Compares Keycloak's paths with ours. Claims contain Keycloak's paths, so with a difference no mapping would match. */
function otherPath({ items }: Pages<Node>, slashes: Slashes): Doubt | undefined {
  const odd = items.find((node) => node.path !== undefined && node.path !== pathOf(node, slashes))
  if (odd === undefined) return undefined
  const otherSlashes = slashes === 'plain' ? 'escaped' : 'plain'
  // A group above may have been renamed meanwhile. Then no setting gives Keycloak's path.
  const cure =
    odd.path === pathOf(odd, otherSlashes)
      ? `try slashes: ${otherSlashes}`
      : 'it changed while it was read, or the two differ only in the Unicode form of a character'
  return doubt(
    'keycloak.otherPath',
    `Keycloak's path is "${visible(odd.path ?? '')}", but by these settings it is "${visible(pathOf(odd, slashes))}": ${cure}`,
  )
}

function below(url: URL, path: string): URL {
  return new URL(url.origin + url.pathname.replace(/\/$/, '') + path)
}
