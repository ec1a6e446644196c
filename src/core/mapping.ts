/** What the service stores: members of an IdP group have a role on a target. */
export type Mapping = {
  readonly id: MappingId
  readonly key: Key
  readonly group: GroupName
  readonly target: Target
  readonly role: Role
}

export type Target =
  | { readonly kind: 'workspace' }
  | { readonly kind: 'project'; readonly project: ProjectIdentifier }
  | { readonly kind: 'allProjects' }

/** The two lists of a workspace. The service keeps, and this program owns, each of them separately. */
export type List = 'workspaceRoles' | 'projectRoles'

type Brand<T, Name extends string> = T & { readonly __brand: Name }
/** As the declaration says it; the settings bind it to a slug. */
export type WorkspaceName = Brand<string, 'WorkspaceName'>
/** Exactly as the identity provider's claim sends it: the service compares with case. */
export type GroupName = Brand<string, 'GroupName'>
/** Upper-case, at most 12 characters, as the service stores it. */
export type ProjectIdentifier = Brand<string, 'ProjectIdentifier'>
/** An opaque slug: the service has custom roles. */
export type Role = Brand<string, 'Role'>
export type MappingId = Brand<string, 'MappingId'>
/** The service's own id of a project (a UUID). It stays when the identifier changes, and is never used for another project. */
export type ProjectId = string & { readonly __brand: 'ProjectId' }

/** The projects of one workspace that the credential's owner sees. */
export type ProjectIndex = ReadonlyMap<ProjectIdentifier, ProjectId>

/** Workspace, target and group in one printable, sortable string: `acme/project/ENG/engineering`. */
export type Key = Brand<string, 'Key'>

export const listOf = (target: Target): List => (target.kind === 'workspace' ? 'workspaceRoles' : 'projectRoles')

/** The group comes last because it alone may contain a slash, so no two keys print alike. */
export function keyOf(workspace: WorkspaceName, target: Target, group: GroupName): Key {
  return `${workspace}/${target.kind === 'project' ? `project/${target.project}` : target.kind}/${group}` as Key
}

/** As a person reads it in a plan: `workspace`, `ENG`, `all projects`. */
export function targetText(target: Target): string {
  switch (target.kind) {
    case 'workspace':
      return 'workspace'
    case 'project':
      return target.project
    case 'allProjects':
      return 'all projects'
    default:
      return target satisfies never
  }
}

/** The service stores identifiers upper-case and compares them so. */
export const projectIdentifier = (text: string): ProjectIdentifier => text.toUpperCase() as ProjectIdentifier
