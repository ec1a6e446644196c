import { count, counted, listedFirst } from '../../core/quantity.ts'
import { visible } from '../../core/safeName.ts'
import { z } from '../../yaml/zod.ts'
import { mapConcurrently } from '../mapConcurrently.ts'
import type { DirectoryApi } from '../overHttp/ask.ts'
import type { Pages } from '../overHttp/paging.ts'
import { type GraphGroup, GroupsPage, graphId, groupProperties } from './graphGroup.ts'
import { graphPage, type ListLimits, readGraphList } from './list.ts'
import { nothingAssigned } from './refusal.ts'

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
export async function readAssigned(
  api: DirectoryApi,
  application: string,
  limits: ListLimits,
  signal: AbortSignal,
): Promise<Pages<GraphGroup>> {
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
  const found = await mapConcurrently(batches, batchesAtOnce, (batch) => readBatch(api, batch, limits, signal))
  const items = found.flatMap((batch) => batch.items)
  const missing = assignments.missing ?? found.find((batch) => batch.missing !== undefined)?.missing ?? notFound(ids, items)
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
  return { items: known, missing: `Graph answered with the group ${visible(foreign.id)}, which was not asked for` }
}

const shownMax = 3

function notFound(ids: readonly string[], items: readonly GraphGroup[]): string | undefined {
  const found = new Set(items.map(({ id }) => id.toLowerCase()))
  const lost = ids.filter((id) => !found.has(id))
  if (lost.length === 0) return undefined
  return `${count(lost.length)} of ${counted(ids.length, 'assigned group')} ${lost.length === 1 ? 'was' : 'were'} not found (${listedFirst(lost.slice(0, shownMax), lost.length)}): they were deleted a moment ago, or the application may not read them`
}
