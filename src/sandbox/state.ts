import type { Limit } from './throttle.ts'

/**
 * Everything that the sandbox knows, as plain data: read it or change it while the server runs.
 * Rows carry the API's own field names; times are epoch milliseconds until they leave through an answer.
 */
export type State = {
  /** Of every key without one of its own; the operator of a real service may change it too. */
  limit: Limit
  users: User[]
  keys: ApiKey[]
  applications: Application[]
  tokens: AccessToken[]
  workspaces: Record<string, Workspace>
}

export type User = { id: string; name: string; email: string; utcOffsetMinutes: number }

export type ApiKey = {
  value: string
  /** A user's name. */
  owner: string
  rights: 'admin' | 'read-only'
  /** Slugs; absent: every workspace. */
  workspaces?: string[] | undefined
  expiresAt?: number | undefined
  enabled: boolean
  limit?: Limit | undefined
}

export type Application = {
  clientId: string
  clientSecret: string
  installationId: string
  owner: string
  scopes: string[]
  workspaces?: string[] | undefined
  tokenLifetimeS: number
}

export type AccessToken = { value: string; clientId: string; scopes: string[]; expiresAt: number }

export type Workspace = {
  id: string
  projects: Project[]
  projectMappings: ProjectMapping[]
  workspaceMappings: WorkspaceMapping[]
  /** Absent until somebody reads it for the first time. */
  config?: GroupSyncConfig | undefined
  /** Role slugs that mappings may name; absent: any slug is taken. */
  roles?: { workspace: string[]; project: string[] } | undefined
  stickies: Sticky[]
  pages: Page[]
}

type Row = { id: string; created_at: number; updated_at: number }

export type ProjectMapping = Row & { idp_group_name: string; project: string | null; all_projects: boolean; role: string }
export type WorkspaceMapping = Row & { idp_group_name: string; role: string }

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
  /** As the service has it: 0 secret (seen by its members), 2 public. */
  network: 0 | 2
  archived_at: number | null
  /** A user's name, shown as an identifier. */
  project_lead: string | null
  /** Users' names; absent: everyone. */
  members?: string[] | undefined
  states: WorkItemState[]
  workItems: WorkItem[]
}

export type WorkItemState = { id: string; name: string; group: string }
/** `state` is a state's name and `assignees` are users' names, both shown as identifiers. */
export type WorkItem = Row & { sequence_id: number; name: string; priority: string; state: string | null; assignees: string[] }
export type Sticky = Row & { name: string; description_html: string; color: string; owner: string }
export type Page = Row & { name: string; description: string; description_html: string; owned_by: string }

/** Looks a workspace up by its own name only, so that `__proto__` is an unknown slug like any other. */
export function findWorkspace(state: State, slug: string): Workspace | undefined {
  return Object.hasOwn(state.workspaces, slug) ? state.workspaces[slug] : undefined
}
