import { type Doubt, doubt } from '../../core/doubt.ts'
import { counted } from '../../core/quantity.ts'
import { checkedList } from '../../http/json.ts'
import { z } from '../../yaml/zod.ts'
import { DirectoryError } from '../directoryError.ts'
import { mapConcurrently } from '../mapConcurrently.ts'
import type { Ask } from '../overHttp/ask.ts'
import type { Pages } from '../overHttp/paging.ts'
import { pathPart } from '../overHttp/pathPart.ts'
import { readKeycloakList } from './list.ts'

/** A group as the admin API lists it, with its parent group. `path` comes from Keycloak. */
export type Node = Listed & { readonly parent?: Node }

/** How a path writes a slash that belongs to a group's name. */
export type Slashes = 'plain' | 'escaped'

/** Maximum of one name or id, so that a hostile answer does not fill the memory. */
const charactersMax = 4_096

const Listed = z.object({
  id: z.string().min(1).max(charactersMax),
  name: z.string().max(charactersMax),
  path: z
    .string()
    .max(16 * charactersMax)
    .optional(),
  subGroupCount: z.int().nonnegative().optional(),
})
type Listed = Readonly<z.infer<typeof Listed>>
const Rows = checkedList(Listed)

type TreeLimits = { readonly pageSize: number; readonly groupsMax: number; readonly depthMax: number; readonly concurrency: number }

/**
 * All groups of the realm, level by level. `subGroups` of a list is always empty, so there is a request for the children of each group that
 * has some. Each request has `first` and `max`: without them `/children` stops at ten, without a sign. Source: measured on Keycloak 26.7.3.
 */
export async function walkGroups(ask: Ask, limits: TreeLimits, signal: AbortSignal): Promise<Pages<Node>> {
  const { groupsMax, depthMax, concurrency } = limits
  const nodes = new Map<string, Node>()
  let level = await readList(ask, undefined, limits, signal)
  for (let depth = 1; ; depth++) {
    for (const node of level.items) {
      if (nodes.has(node.id))
        return {
          items: [...nodes.values()],
          missing: doubt('keycloak.groupTwice', `the group ${node.id} was found twice: it was moved while the tree was read`),
        }
      nodes.set(node.id, node)
    }
    const missing = nodes.size > groupsMax ? tooMany(groupsMax) : level.missing
    if (missing !== undefined) return { items: [...nodes.values()], missing }
    const parents = level.items.filter((node) => node.subGroupCount !== 0)
    if (parents.length === 0) return { items: [...nodes.values()] }
    if (depth === depthMax)
      return { items: [...nodes.values()], missing: doubt('keycloak.deep', `there are groups more than ${depthMax} deep`) }
    let size = nodes.size
    const lists = await mapConcurrently(parents, concurrency, async (parent): Promise<Pages<Node>> => {
      if (size > groupsMax) return { items: [], missing: tooMany(groupsMax) }
      const list = await readList(ask, parent, limits, signal)
      size += list.items.length
      return list
    })
    const cut = lists.find((list) => list.missing !== undefined)?.missing
    level = { items: lists.flatMap((list) => list.items), ...(cut === undefined ? {} : { missing: cut }) }
  }
}

const tooMany = (groupsMax: number): Doubt =>
  doubt('keycloak.groupsMax', `there are more than ${counted(groupsMax, 'group')}: raise groupsMax`)

async function readList(ask: Ask, parent: Node | undefined, limits: TreeLimits, signal: AbortSignal): Promise<Pages<Node>> {
  const path = parent === undefined ? '/groups' : childrenPath(parent.id)
  try {
    const { items, missing } = await listKeycloakGroups(ask, path, limits, signal)
    const nodes = parent === undefined ? items : items.map((row) => Object.assign(row, { parent }))
    return missing === undefined ? { items: nodes } : { items: nodes, missing }
  } catch (error) {
    if (parent === undefined || !(error instanceof DirectoryError) || error.code !== 'missing') throw error
    return {
      items: [],
      missing: doubt('keycloak.groupVanished', `the group ${pathOf(parent, 'escaped')} vanished while the tree was read`),
    }
  }
}

export const childrenPath = (group: string): string => `/groups/${pathPart(group)}/children`

/** The groups of one list, all pages. */
export function listKeycloakGroups(
  ask: Ask,
  path: string,
  { pageSize, groupsMax }: { readonly pageSize: number; readonly groupsMax: number },
  signal: AbortSignal,
): Promise<Pages<Listed>> {
  return readKeycloakList(ask, { path, rows: Rows, pageSize, rowsMax: groupsMax, confirmEmpty: true }, signal)
}

type Named = { readonly name: string; readonly parent?: Named }

/**
 * The path of a group, as in the claim of a Group Membership mapper with "full group path". Only `/` is escaped, to `~/`; a lone `~` stays.
 * Source: measured on Keycloak 26.7.3 with `escape-slashes-in-group-path` on and off.
 */
export function pathOf(node: Named, slashes: Slashes): string {
  const name = slashes === 'escaped' ? node.name.replaceAll('/', '~/') : node.name
  return `${node.parent === undefined ? '' : pathOf(node.parent, slashes)}/${name}`
}
