import { z } from 'zod'
import { defined } from '../core/fields.ts'
import {
  type GroupName,
  keyOf,
  type List,
  listOf,
  type Mapping,
  type MappingId,
  type ProjectIdentifier,
  projectIdentifier,
  type Role,
  type Target,
  type WorkspaceName,
} from '../core/mapping.ts'
import type { GroupSync } from '../core/rule.ts'
import { checkedList } from '../http/checkedList.ts'

/**
 * The service's own words: what it sends becomes core types here, and what it is sent is spelled here. Unknown fields are ignored, a
 * known field of the wrong shape is an error that names it, never a shorter list.
 */

// Code generation is off where a content policy forbids it, and is not faster for what is parsed here.
z.config({ jitless: true })

/** Says where the body differs from what was expected: `results[3].role: …`. */
export class UnexpectedBody extends Error {
  override readonly name = 'UnexpectedBody'
}

/** Far above what the service allows (255 for a group); a hostile answer meets this before a terminal does. */
const textMax = 4_096
/** The service's ids go into paths again, so they may not contain what would lead elsewhere. */
const id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'not an identifier')
const text = z.string().nullish()
/** ISO 8601 with any offset. One that cannot be read is no reason to lose the row. */
const timestamp = z
  .string()
  .transform((text) => Date.parse(text))
  .nullish()
  .catch(undefined)

const mappingRow = z.object({
  id,
  idp_group_name: z.string().max(textMax),
  role: z.string().max(textMax),
  project: z.string().max(textMax).nullish(),
  all_projects: z.boolean().nullish(),
  created_at: timestamp,
  updated_at: timestamp,
})

/** A mapping as the service stores it. */
export type StoredMapping = Mapping & Times
export type Times = { readonly createdAtMs?: number; readonly updatedAtMs?: number }

export function mappingFrom(row: unknown, workspace: WorkspaceName, list: List, at = ''): StoredMapping {
  const said = parse(mappingRow, row, at)
  const group = said.idp_group_name as GroupName
  const target = list === 'workspaceRoles' ? ({ kind: 'workspace' } as const) : projectTarget(said, at)
  return {
    id: said.id as MappingId,
    key: keyOf(workspace, target, group),
    group,
    target,
    role: said.role as Role,
    ...timesOf(said),
  }
}

function projectTarget({ project, all_projects }: z.infer<typeof mappingRow>, at: string): Target {
  if (all_projects === true) {
    if (project) throw new UnexpectedBody(`${at}.project: ${JSON.stringify(project)} beside all_projects`)
    return { kind: 'allProjects' }
  }
  if (!project) throw new UnexpectedBody(`${at}.project: missing, and all_projects is not true`)
  // It would pose as a group below another project: only the group of a key has slashes.
  if (project.includes('/')) throw new UnexpectedBody(`${at}.project: ${JSON.stringify(project.slice(0, 40))} is no identifier`)
  return { kind: 'project', project: projectIdentifier(project) }
}

/** @throws {TypeError} where the target belongs to the other list */
export function newMappingBody(list: List, group: GroupName, target: Target, role: Role): object {
  if (listOf(target) !== list) throw new TypeError(`a mapping to ${target.kind} is not one of ${list}`)
  const common = { idp_group_name: group, role }
  switch (target.kind) {
    case 'workspace':
      return common
    case 'project':
      return { ...common, project: target.project, all_projects: false }
    case 'allProjects':
      return { ...common, all_projects: true }
    default:
      return target satisfies never
  }
}

/** Only what changes: what is not sent keeps its value. */
export const mappingPatchBody = (patch: { readonly group?: GroupName; readonly role?: Role }): object => ({
  ...(patch.group === undefined ? {} : { idp_group_name: patch.group }),
  ...(patch.role === undefined ? {} : { role: patch.role }),
})

const groupSyncBody = z.object({
  is_enabled: z.boolean().optional(),
  sync_on_login: z.boolean().optional(),
  auto_remove: z.boolean().optional(),
  sync_offline: z.boolean().optional(),
  group_attribute_key: z.string().optional(),
  default_workspace_role: z.string().nullish(),
})

export function groupSyncFrom(body: unknown): GroupSync {
  const said = parse(groupSyncBody, body, '')
  const known: GroupSync = defined({
    enabled: said.is_enabled,
    syncOnLogin: said.sync_on_login,
    autoRemove: said.auto_remove,
    offlineSync: said.sync_offline,
    groupAttribute: said.group_attribute_key,
    defaultWorkspaceRole: said.default_workspace_role as Role | null | undefined,
  })
  if (Object.keys(known).length === 0) throw new UnexpectedBody('the body: none of the group-sync settings')
  return known
}

export const groupSyncPatchBody = (after: GroupSync): object =>
  defined({
    is_enabled: after.enabled,
    sync_on_login: after.syncOnLogin,
    auto_remove: after.autoRemove,
    sync_offline: after.offlineSync,
    group_attribute_key: after.groupAttribute,
    default_workspace_role: after.defaultWorkspaceRole,
  })

const projectRow = z.object({ id, identifier: z.string().min(1), name: text, archived_at: text })

/** `id` is what addresses use, `identifier` what mappings name. */
export type Project = {
  readonly id: string
  readonly identifier: ProjectIdentifier
  readonly name: string
  readonly archived: boolean
}

export function projectFrom(row: unknown, at = ''): Project {
  const { id, identifier, name, archived_at } = parse(projectRow, row, at)
  return { id, identifier: projectIdentifier(identifier), name: name ?? identifier, archived: Boolean(archived_at) }
}

const roleRow = z.object({ slug: z.string().min(1), namespace: text })

/** A server that does not know the filter answers with every namespace. */
export function rolesFrom(body: unknown, namespace: string): readonly Role[] {
  const page = pageFrom(body)
  if (page.next !== 'none') throw new UnexpectedBody('roles on more than one page')
  const rows = page.rows.map((row, index) => parse(roleRow, row, `${page.at}[${index}]`))
  return rows.filter((row) => (row.namespace ?? namespace) === namespace).map((row) => row.slug as Role)
}

const userRow = z.object({ id, email: text, display_name: text })

/** Whom a credential belongs to. */
export type User = { readonly id: string; readonly name?: string; readonly email?: string }

export function userFrom(body: unknown): User {
  const { id, email, display_name } = parse(userRow, body, '')
  return { id, ...defined({ name: display_name ?? undefined, email: email ?? undefined }) }
}

/** A relation as its identifier, or with `expand` as an object; Plane expands a null one to `{}` (measured). */
const relation = z.union([
  id.transform((value): Related => ({ id: value })),
  z.object({ id, name: text, display_name: text, group: text }).transform(
    ({ id, name, display_name, group }): Related => ({
      id,
      ...defined({ name: name ?? display_name ?? undefined, group: group ?? undefined }),
    }),
  ),
  z.strictObject({}).transform(() => undefined),
  z.null().transform(() => undefined),
])

/** `name` and `group` only where the relation was expanded. */
export type Related = { readonly id: string; readonly name?: string; readonly group?: string }

const workItemRow = z.object({
  id,
  name: text,
  sequence_id: z.number().int().nullish(),
  priority: text,
  state: relation.optional(),
  assignees: checkedList(relation).nullish(),
  created_at: timestamp,
  updated_at: timestamp,
})

/** Of what was not asked for with `fields` only the id is there. */
export type WorkItem = {
  readonly id: string
  readonly name?: string
  readonly sequence?: number
  readonly priority?: string
  readonly state?: Related
  readonly assignees?: readonly Related[]
} & Times

export function workItemFrom(row: unknown, at = ''): WorkItem {
  const said = parse(workItemRow, row, at)
  const { id, name, sequence_id, priority, state, assignees } = said
  return {
    id,
    ...defined({
      name: name ?? undefined,
      sequence: sequence_id ?? undefined,
      priority: priority ?? undefined,
      state,
      assignees: assignees?.filter((person) => person !== undefined),
    }),
    ...timesOf(said),
  }
}

const stickyRow = z.object({ id: id.optional(), name: text, description_html: text, created_at: timestamp, updated_at: timestamp })

/** What was not asked for with `fields` is absent. */
export type Sticky = { readonly id?: string; readonly name?: string; readonly html?: string } & Times

export function stickyFrom(body: unknown): Sticky {
  const said = parse(stickyRow, body, '')
  return { ...defined({ id: said.id, name: said.name ?? undefined, html: said.description_html ?? undefined }), ...timesOf(said) }
}

const wikiPageRow = stickyRow.extend({ description: z.unknown() })

/** `text` where the service sends plain text; Plane's editor keeps `html`. What was not asked for with `fields` is absent. */
export type WikiPage = Sticky & { readonly text?: string }

export function wikiPageFrom(body: unknown): WikiPage {
  const { description } = parse(wikiPageRow, body, '')
  return { ...stickyFrom(body), ...(typeof description === 'string' ? { text: description } : {}) }
}

/** One page of a list, in whichever envelope; a bare array is the only page. */
export type ListPage = {
  readonly rows: readonly unknown[]
  /** How a person finds a row of this page in the body. */
  readonly at: string
  readonly next: { readonly cursor: string } | 'none' | 'unknown'
  /** Items over all pages, where the service says so. */
  readonly total?: number
  /** Items on this page, where the service says so. */
  readonly count?: number
}

const whole = z.number().int().nonnegative().nullish()
/** `prev_cursor` of the first page is empty in the specification and `N:-1:1` in Plane: it is not read. */
const envelope = z.object({
  results: z.array(z.unknown()),
  next_cursor: z.string().nullish(),
  next_page_results: z.boolean().nullish(),
  next: text,
  count: whole,
  total_results: whole,
})
const envelopeOfV2 = z.object({ data: z.array(z.unknown()), next: z.string().nullish(), total_count: whole })
/** What v2 does not send, and what would say that more follows. */
const unsettled = z.unknown().optional()
const foreignOfV2 = z.object({ has_more: unsettled, next_cursor: unsettled, next_page_results: unsettled, total_results: unsettled })

export function pageFrom(body: unknown): ListPage {
  if (Array.isArray(body)) return { rows: body, at: '', next: 'none' }
  if (typeof body === 'object' && body !== null && 'data' in body) {
    const said = parse(envelopeOfV2, body, '')
    const total = said.total_count ?? undefined
    const continues = Boolean(said.next) || Object.values(parse(foreignOfV2, body, '')).some(Boolean)
    // How v2 is paged on is not settled: better a list known to be cut than a guess, and one that says nothing of the rest may be cut.
    const last = !continues && (said.next === null || total !== undefined)
    return { rows: said.data, at: 'data', next: last ? 'none' : 'unknown', ...defined({ total }) }
  }
  const said = parse(envelope, body, '')
  const numbers = defined({ total: said.total_results ?? undefined, count: said.count ?? undefined })
  const next = nextOf(said)
  return { rows: said.results, at: 'results', next, ...numbers }
}

/** Plane sends a cursor on the last page, too: without the flag beside it, it says nothing. An envelope with neither flag nor total may be cut. */
function nextOf({ next_page_results, next_cursor, next, total_results }: z.infer<typeof envelope>): ListPage['next'] {
  if (next_page_results === true && next_cursor) return { cursor: next_cursor }
  const countable = typeof total_results === 'number' && next_page_results !== true && !next_cursor
  const last = next_page_results === false || countable
  return last && !next ? 'none' : 'unknown'
}

/** The server computes the offset from `per_page`, so a cursor without it skips rows, and its first part is the page size (measured). */
export const pageQuery = (perPage: number, cursor?: string): Record<string, string> => ({
  per_page: String(perPage),
  ...(cursor === undefined ? {} : { cursor }),
})

function parse<T>(schema: z.ZodType<T>, value: unknown, at: string): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const path = (issue?.path ?? []).map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('')
  throw new UnexpectedBody(`${`${at}${path}`.replace(/^\./, '') || 'the body'}: ${issue?.message ?? 'unexpected'}`)
}

type SaidTimes = { readonly created_at?: number | null | undefined; readonly updated_at?: number | null | undefined }
const timesOf = ({ created_at, updated_at }: SaidTimes): Times => ({
  ...(created_at ? { createdAtMs: created_at } : {}),
  ...(updated_at ? { updatedAtMs: updated_at } : {}),
})
