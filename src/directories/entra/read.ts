import { indexGroups } from '../../core/group.ts'
import { membersRequestsMax } from '../membership/permitted.ts'
import type { DirectoryApi } from '../overHttp/ask.ts'
import type { DirectoryClient } from '../overHttp/client.ts'
import { type DirectoryReader, type GroupsFound, type HttpEnvironment, overHttp } from '../overHttp/reader.ts'
import { clientTokens } from '../overHttp/token.ts'
import { readAssigned } from './assigned.ts'
import { GroupsPage, groupProperties } from './graphGroup.ts'
import { type ListLimits, readGraphList } from './list.ts'
import { type EntraPeople, readGraphMembers } from './members.ts'
import { type Naming, named } from './names.ts'
import { explainGraph, explainGraphMembers } from './refusal.ts'
import { tokenCure } from './tokenCure.ts'

export type EntraSettings = {
  /** The id of the tenant, or one of its domains. */
  readonly tenant: string
  /** Where Graph is, without its version. */
  readonly graph: URL
  /** Where tokens are issued, without the tenant. */
  readonly login: URL
  /** The name of Graph in requests for tokens. It stays the same if a proxy is at another address. */
  readonly scope: string
  readonly allowPlaintext?: boolean
  /** Certificates (PEM) that are trusted instead of the system's. */
  readonly caFile?: string
  readonly client: DirectoryClient
  readonly groups: Naming & {
    /** `security`: only groups with `securityEnabled`, as in the claim of an application with `SecurityGroup`. */
    readonly types: 'security' | 'all'
    /** Only the groups that are assigned to this application: its application (client) id. */
    readonly assigned?: string
  }
  /** Absent: members are not read. */
  readonly people?: EntraPeople
  readonly limits: Limits
}

/** Settings of the operator. The `Nets` are safety limits: they end the reading of a server that repeats itself or always fails. */
type Limits = { readonly pageSize: number; readonly groupsMax: number; readonly checkTotal: boolean } & Partial<Nets>
type Nets = { readonly pagesMax: number; readonly requestsMax: number; readonly attemptsMax: number }

/**
 * Reads the groups of a tenant of Microsoft Entra ID by Microsoft Graph v1.0 (learn.microsoft.com/graph/api/group-list). The application needs the
 * application permission `GroupMember.Read.All`, for `assigned` also `Application.Read.All`, and for `people` also `User.Read.All`. Not verified against
 * Microsoft's servers.
 */
export function entra(settings: EntraSettings, around: HttpEnvironment): DirectoryReader {
  const { tenant, graph, login, scope, client, caFile, groups, people } = settings
  const allowPlaintext = settings.allowPlaintext ?? false
  const limits = { ...netsFor(settings.limits), ...settings.limits }
  const lists = { ...limits, address: graph.href }
  const explain = explainGraph({ clientId: client.id, assigned: groups.assigned })
  const tokenAddress = below(login, `/${encodeURIComponent(tenant)}/oauth2/v2.0/token`)
  return overHttp(
    {
      url: below(graph, '/v1.0'),
      address: graph,
      caFile,
      allowPlaintext,
      // learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow
      tokens: clientTokens({ server: { tokenAddress }, client, allowPlaintext, parameters: { scope }, cureOf: tokenCure }, around),
      // Without it Graph counts nothing. It is needed on each page, not only on the first (learn.microsoft.com/graph/aad-advanced-queries, …/paging).
      headers: limits.checkTotal ? { consistencylevel: 'eventual' } : {},
      limits,
      explain,
      groups: (api, signal) => readTenant(api, groups, lists, signal),
      ...(people && {
        members: (api, wanted, signal) => readGraphMembers(api, wanted, { people, clientId: client.id, limits: lists }, signal),
        forMembers: {
          headers: {},
          limits: { ...limits, requestsMax: membersRequestsMax },
          explain: explainGraphMembers(client.id, explain),
        },
      }),
    },
    around,
  )
}

/** Pages may be smaller than asked for, or empty. `requestsMax` has room for each page, each batch of assigned groups, and repetitions. */
function netsFor({ groupsMax, pageSize }: Limits): Nets {
  const pagesMax = 1_000 + 4 * Math.ceil(groupsMax / pageSize)
  return { pagesMax, requestsMax: 2 * pagesMax + Math.ceil(groupsMax / 5), attemptsMax: 4 }
}

async function readTenant(
  api: DirectoryApi,
  groups: EntraSettings['groups'],
  limits: ListLimits,
  signal: AbortSignal,
): Promise<GroupsFound> {
  const { assigned, types } = groups
  const isSecurity = types === 'security'
  const query = { $select: groupProperties, ...(isSecurity ? { $filter: 'securityEnabled eq true' } : {}) }
  const rows =
    assigned === undefined
      ? await readGraphList(api, { path: '/groups', query, page: GroupsPage, keep: () => true, what: 'groups' }, limits, signal)
      : await readAssigned(api, assigned, limits, signal)
  const wanted = isSecurity ? rows.items.filter(({ securityEnabled }) => securityEnabled === true) : rows.items
  const { groups: found, notes } = named(wanted, groups)
  return { groups: indexGroups(found), missing: rows.missing, notes }
}

function below(url: URL, path: string): URL {
  return new URL(url.origin + url.pathname.replace(/\/$/, '') + path)
}
