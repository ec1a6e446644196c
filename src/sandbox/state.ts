import type { Limit } from './throttle.ts'

/**
 * The state of the sandbox as plain data, which may be read and changed while the server runs.
 * Rows have the field names of the API. Times are epoch milliseconds; answers show them as text.
 */
export type State = {
  /** The limit of every key without its own one. */
  limit: Limit
  users: User[]
  keys: ApiKey[]
  applications: Application[]
  tokens: AccessToken[]
  workspaces: Record<string, Workspace>
}

export type User = { id: string; name: string; email: string; utcOffsetMinutes: number }

type ApiKey = {
  value: string
  /** For the log; absent: the name of the owner. */
  name?: string | undefined
  /** A user's name. */
  owner: string
  rights: 'admin' | 'read-only'
  /** Slugs of workspaces; absent: every workspace. */
  workspaces?: string[] | undefined
  expiresAt?: number | undefined
  enabled: boolean
  limit?: Limit | undefined
}

type Application = {
  clientId: string
  clientSecret: string
  installationId: string
  owner: string
  scopes: string[]
  workspaces?: string[] | undefined
  tokenLifetimeS: number
}

type AccessToken = { value: string; clientId: string; scopes: string[]; expiresAt: number }

export type Workspace = {
  id: string
  projects: Project[]
  projectMappings: ProjectMapping[]
  workspaceMappings: WorkspaceMapping[]
  /** Absent until the first read. */
  config?: GroupSyncConfig | undefined
  /** Role slugs that mappings may have; absent: any slug. */
  roles?: { workspace: string[]; project: string[] } | undefined
  stickies: Sticky[]
  pages: Page[]
}

type Row = { id: string; created_at: number; updated_at: number }

export type ProjectMapping = Row & { idp_group_name: string; project: string | null; all_projects: boolean; role: string | null }
export type WorkspaceMapping = Row & { idp_group_name: string; role: string | null }

export type GroupSyncConfig = Row & {
  is_enabled: boolean
  sync_on_login: boolean
  auto_remove: boolean
  sync_offline: boolean
  group_attribute_key: string
  default_workspace_role: string | null
}

export type Project = Row & {
  identifier: string
  name: string
  /** The visibility as in Plane: 0 is secret (only members see it), 2 is public. */
  network: 0 | 2
  archived_at: number | null
  /** A user's name; answers show the user's id. */
  project_lead: string | null
  /** Users' names; absent: every user is a member. */
  members?: string[] | undefined
  states: WorkItemState[]
  workItems: WorkItem[]
}

type WorkItemState = { id: string; name: string; group: string }
/** `state` is a state's name and `assignees` are users' names; answers show their ids. */
export type WorkItem = Row & { sequence_id: number; name: string; priority: string; state: string | null; assignees: string[] }
export type Sticky = Row & { name: string; description_html: string; color: string; owner: string }
export type Page = Row & { name: string; description: string; description_html: string; owned_by: string }

/** The key that a sandbox without a state file has. It is no secret. */
export const publicKey = 'sandbox-key'

/** Shorter keys are in any text by chance. */
const secretCharactersMin = 8

/** The keys, client secrets and tokens that no log may show. */
export function secretsOf({ keys, applications, tokens }: State): readonly string[] {
  const values = [
    ...keys.map(({ value }) => value),
    ...applications.map(({ clientSecret }) => clientSecret),
    ...tokens.map(({ value }) => value),
  ]
  return values.filter((value) => value !== publicKey && value.length >= secretCharactersMin)
}

/** The form of identifiers in the addresses of the service. */
export const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The workspace with a slug. `__proto__` is an unknown slug, like any other. */
export function findWorkspace(state: State, slug: string): Workspace | undefined {
  return Object.hasOwn(state.workspaces, slug) ? state.workspaces[slug] : undefined
}
