import { type Doubt, doubt } from '../../core/doubt.ts'
import { type Group, indexGroups } from '../../core/group.ts'
import type { GroupName } from '../../core/mapping.ts'
import { count, counted, listedFirst } from '../../core/quantity.ts'
import type { ReadingNote } from '../../core/reading.ts'
import { visible } from '../../core/safeName.ts'
import { z } from '../../yaml/zod.ts'
import { mapConcurrently } from '../mapConcurrently.ts'
import { membersRequestsMax } from '../membership.ts'
import type { DirectoryApi } from '../overHttp/ask.ts'
import type { Pages } from '../overHttp/paging.ts'
import { type DirectoryReader, type GroupsFound, type HttpEnvironment, overHttp } from '../overHttp/reader.ts'
import { clientTokens, type DirectoryClient } from '../overHttp/token.ts'
import { type GraphGroup, GroupsPage, graphId, graphPage, groupProperties, type ListLimits, readGraphList } from './list.ts'
import { type EntraPeople, readGraphMembers } from './members.ts'
import { explainGraph, explainGraphMembers, nothingAssigned, tokenCure } from './refusal.ts'

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
  const explain = explainGraph({ clientId: client.id, assigned: groups.assigned, checkTotal: limits.checkTotal })
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
  const { groups: namedGroups, notes } = named(wanted, groups)
  return { groups: indexGroups(namedGroups), missing: rows.missing, notes }
}

function below(url: URL, path: string): URL {
  return new URL(url.origin + url.pathname.replace(/\/$/, '') + path)
}

/** learn.microsoft.com/graph/api/resources/approleassignment. A group with several roles of the application has several assignments. */
const Assignment = z.object({ id: z.string().min(1).max(4_096), principalId: graphId, principalType: z.string().max(100) })
const AssignmentsPage = graphPage(Assignment)

/** `in` takes at most 15 values (developer.microsoft.com/graph/known-issues, "Some limitations apply to query parameters"). */
const batchSize = 15
const batchesAtOnce = 4

/**
 * The groups that are assigned to an application of the tenant, each by its id: the assignments have only a display name. Source:
 * learn.microsoft.com/graph/api/serviceprincipal-list-approleassignedto. Users that are assigned are counted, not kept.
 */
async function readAssigned(api: DirectoryApi, application: string, limits: ListLimits, signal: AbortSignal): Promise<Pages<GraphGroup>> {
  const assignments = await readGraphList(
    api,
    {
      path: `/servicePrincipals(appId='${encodeURIComponent(application)}')/appRoleAssignedTo`,
      query: {},
      page: AssignmentsPage,
      keep: ({ principalType }) => principalType === 'Group',
      what: 'assignments',
    },
    limits,
    signal,
  )
  const ids = [...new Set(assignments.items.map(({ principalId }) => principalId.toLowerCase()))].toSorted()
  if (ids.length === 0 && assignments.missing === undefined) throw nothingAssigned(limits.address, application)
  const batches = Array.from({ length: Math.ceil(ids.length / batchSize) }, (_, at) => ids.slice(at * batchSize, (at + 1) * batchSize))
  const answers = await mapConcurrently(batches, batchesAtOnce, (batch) => readBatch(api, batch, limits, signal))
  const items = answers.flatMap((batch) => batch.items)
  const missing = assignments.missing ?? answers.find((batch) => batch.missing !== undefined)?.missing ?? notFound(ids, items)
  return missing === undefined ? { items } : { items, missing }
}

async function readBatch(api: DirectoryApi, ids: readonly string[], limits: ListLimits, signal: AbortSignal): Promise<Pages<GraphGroup>> {
  const asked = new Set(ids)
  const $filter = `id in (${ids.map((id) => `'${id}'`).join()})`
  const list = { path: '/groups', query: { $select: groupProperties, $filter }, page: GroupsPage, keep: () => true, what: 'groups' }
  const { items, missing } = await readGraphList(api, list, limits, signal)
  const foreign = items.find(({ id }) => !asked.has(id.toLowerCase()))
  if (foreign === undefined) return missing === undefined ? { items } : { items, missing }
  const known = items.filter(({ id }) => asked.has(id.toLowerCase()))
  return {
    items: known,
    missing: doubt('entra.notAskedFor', `Graph answered with the group ${visible(foreign.id)}, which was not asked for`),
  }
}

const shownMax = 3

function notFound(ids: readonly string[], items: readonly GraphGroup[]): Doubt | undefined {
  const presentIds = new Set(items.map(({ id }) => id.toLowerCase()))
  const lost = ids.filter((id) => !presentIds.has(id))
  if (lost.length === 0) return undefined
  return doubt(
    'entra.assignedNotFound',
    `${count(lost.length)} of ${counted(ids.length, 'assigned group')} ${lost.length === 1 ? 'was' : 'were'} not found (${listedFirst(lost.slice(0, shownMax), lost.length)}): they were deleted a moment ago, or the application may not read them`,
  )
}

/**
 * The form of a group in the claim `groups` of a login. Source: learn.microsoft.com/entra/identity-platform/optional-claims, "Configure groups
 * optional claims". `onPremisesName` is its `sam_account_name`, `domainName` its `netbios_domain_and_sam_account_name`, `dnsDomainName` its
 * `dns_domain_and_sam_account_name`.
 */
type NameForm = 'id' | 'displayName' | 'onPremisesName' | 'domainName' | 'dnsDomainName'

/** `cloudDisplayName`: groups without an on-premises name have their display name (`cloud_displayname`). */
type Naming = { readonly name: NameForm; readonly cloudDisplayName: boolean }

/** The groups with a name, and a note about those without one: Entra leaves such a group out of the claim, so no login can send it. */
function named(rows: Iterable<GraphGroup>, naming: Naming): { readonly groups: readonly Group[]; readonly notes: readonly ReadingNote[] } {
  const groups: Group[] = []
  const first: string[] = []
  let nameless = 0
  for (const row of rows) {
    const name = nameOf(row, naming)
    if (name !== undefined) groups.push(groupOf(row, name, naming))
    else if (nameless++ < shownMax) first.push(visible(row.displayName ?? row.id))
  }
  return { groups, notes: nameless === 0 ? [] : [namelessNote(nameless, first, naming)] }
}

function nameOf(row: GraphGroup, { name, cloudDisplayName }: Naming): string | undefined {
  switch (name) {
    case 'id':
      return row.id
    case 'displayName':
      return filled(row.displayName)
    case 'onPremisesName':
    case 'domainName':
    case 'dnsDomainName':
      return onPremisesName(row, name) ?? (cloudDisplayName ? filled(row.displayName) : undefined)
    default:
      return name satisfies never
  }
}

function onPremisesName(row: GraphGroup, form: 'onPremisesName' | 'domainName' | 'dnsDomainName'): string | undefined {
  const account = filled(row.onPremisesSamAccountName)
  if (form === 'onPremisesName' || account === undefined) return account
  const domain = filled(form === 'domainName' ? row.onPremisesNetBiosName : row.onPremisesDomainName)
  return domain === undefined ? undefined : `${domain}\\${account}`
}

const filled = (text: string | null): string | undefined => (text === null || text === '' ? undefined : text)

/** The place is the path in Graph: groups of one name differ in it, and it is not the id, so that the id counts as the group's own. */
function groupOf(row: GraphGroup, name: string, naming: Naming): Group {
  const label = naming.name === 'id' ? filled(row.displayName) : undefined
  return { name: name as GroupName, id: row.id, place: `/groups/${row.id}`, ...(label === undefined ? {} : { label }) }
}

const properties = {
  id: 'id',
  displayName: 'displayName',
  onPremisesName: 'onPremisesSamAccountName',
  domainName: 'onPremisesNetBiosName or onPremisesSamAccountName',
  dnsDomainName: 'onPremisesDomainName or onPremisesSamAccountName',
} as const satisfies Record<NameForm, string>

const namelessNote = (nameless: number, first: readonly string[], { name, cloudDisplayName }: Naming): ReadingNote => ({
  code: 'group-name-unusable',
  severity: 'info',
  sentence: `${counted(nameless, 'group')} (${listedFirst(first, nameless)}) left out: ${properties[name]} has no value there, so no login can send ${nameless === 1 ? 'its name' : 'their names'}`,
  cure:
    name === 'displayName' || cloudDisplayName
      ? 'give the group a display name, or choose groups.name: id'
      : 'choose groups.name: id if the claim carries ids, or groups.cloudDisplayName: true if it carries display names of cloud groups',
})
