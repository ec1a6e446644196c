import { keyOf } from '../declared.ts'
import type { Happened } from '../trace.ts'
import type { Listing, Listings, ListKind, SeenRow } from './listing.ts'

/** A write as seen on the wire. The mapping that it changes is known from the last list that its process read. */
export type Write = {
  readonly request: number
  readonly process: number
  readonly workspace: string
  readonly kind: ListKind
  readonly does: 'create' | 'patch' | 'rename' | 'delete'
  readonly before: SeenRow | undefined
  readonly after: Omit<SeenRow, 'id'> | undefined
  readonly listing: Listing | undefined
  readonly atMs: number
  /** The start of its cycle. */
  readonly beganMs: number
}

type Sent = Extract<Happened, { is: 'sent' }>
type Body = { readonly idp_group_name?: string; readonly role?: string; readonly project?: string; readonly all_projects?: boolean }

export function writeOf({ request, process, method, path, body, atMs }: Sent, listings: Listings, beganMs: number): Write {
  const [, workspace = '', list = '', id] =
    /\/workspaces\/([^/]+)\/group-sync\/((?:project|workspace)-mappings)\/(?:([^/]+)\/)?$/.exec(path) ?? []
  const kind = list as ListKind
  const listing = listings.of(process, workspace, kind, beganMs)
  const isIt = (row: SeenRow) => row.id === id
  // If a row comes on two pages, the later page is the newer one.
  const before = listing?.rows.findLast(isIt) ?? listing?.besides.find(isIt)
  const said = (body === '' ? {} : JSON.parse(body)) as Body
  const at = before?.at ?? (kind === 'workspace-mappings' ? 'workspace' : said.all_projects === true ? '*' : (said.project ?? ''))
  const after =
    method === 'DELETE' ? undefined : { group: said.idp_group_name ?? before?.group ?? '', at, role: said.role ?? before?.role ?? '' }
  const does = method === 'POST' ? 'create' : method === 'DELETE' ? 'delete' : said.idp_group_name === undefined ? 'patch' : 'rename'
  return { request, process, workspace, kind, does, before, after, listing, atMs, beganMs }
}

export function writeText({ does, workspace, kind, before, after }: Write): string {
  const made = after === undefined ? '' : ` ${keyOf(after)} = ${after.role}`
  return `${does} ${workspace} ${kind}${made}${before === undefined ? '' : ` (was ${keyOf(before)} = ${before.role})`}`
}

/** The default order in the settings. */
const ranks = ['guest', 'commenter', 'contributor', 'member', 'admin', 'owner']
export const rankOf = (role: string): number => ranks.indexOf(role)
export const isLower = (before: string, after: string): boolean => rankOf(after) < rankOf(before)
