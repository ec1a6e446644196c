import { literal, string, union } from './codec.ts'

/** A row that the service stores: members of an IdP group have a role on a target. `role`: null if the service has none for this mapping. */
export type Mapping = {
  readonly id: MappingId
  readonly key: Key
  readonly group: GroupName
  readonly target: Target
  readonly role: Role | null
}

export type Target =
  | { readonly kind: 'workspace' }
  | { readonly kind: 'project'; readonly project: ProjectIdentifier }
  | { readonly kind: 'allProjects' }

export const storedTarget = union<Target, 'kind'>('the target', 'kind', {
  workspace: { kind: literal('workspace') },
  project: { kind: literal('project'), project: string() },
  allProjects: { kind: literal('allProjects') },
})

/** The two lists of mappings of a workspace. The service stores them separately, and each of them is owned separately. */
export const lists = ['workspaceRoles', 'projectRoles'] as const
export type List = (typeof lists)[number]

type Brand<T, Name extends string> = T & { readonly __brand: Name }
/** The name of a workspace in the declaration; the settings bind it to a slug. */
export type WorkspaceName = Brand<string, 'WorkspaceName'>
/** The name of a group, exactly as the identity provider's claim sends it: the service compares case-sensitively. */
export type GroupName = Brand<string, 'GroupName'>
/** The identifier as the service stores it: upper-case, at most 12 characters. */
export type ProjectIdentifier = Brand<string, 'ProjectIdentifier'>
/** An opaque slug: the service has custom roles. */
export type Role = Brand<string, 'Role'>
export type MappingId = Brand<string, 'MappingId'>
/** The service's own id of a project (a UUID). It stays when the identifier changes, and is never used for another project. */
export type ProjectId = string & { readonly __brand: 'ProjectId' }

/** The projects of one workspace that the credential's owner sees, archived ones included. */
export type ProjectIndex = ReadonlyMap<ProjectIdentifier, KnownProject>
export type KnownProject = { readonly id: ProjectId; readonly archived: boolean }

/** Workspace, target and group in one printable, sortable string: `acme/project/ENG/engineering`. */
export type Key = Brand<string, 'Key'>

export const listOf = (target: Target): List => (target.kind === 'workspace' ? 'workspaceRoles' : 'projectRoles')

/** The group comes last, because only a group may contain a slash. So two different keys never have the same text. */
export function keyOf(workspace: WorkspaceName, target: Target, group: GroupName): Key {
  return `${workspace}/${target.kind === 'project' ? `project/${target.project}` : target.kind}/${group}` as Key
}

export const workspaceOfKey = (key: Key): WorkspaceName => key.split('/', 1)[0] as WorkspaceName

/** Where the mapping of a key is, as a person reads it: `workspace`, `ENG`. */
export const placeOfKey = (key: Key): string => targetText(targetOfKey(key))

/** The name of the group in a key. Only it may contain a slash. */
export const groupOfKey = (key: Key): GroupName => {
  const [, kind, ...rest] = key.split('/')
  return (kind === 'project' ? rest.slice(1) : rest).join('/') as GroupName
}

export const targetOfKey = (key: Key): Target => {
  const [, kind, project] = key.split('/')
  if (kind === 'project') return { kind, project: project as ProjectIdentifier }
  return { kind: kind === 'allProjects' ? kind : 'workspace' }
}

export const listOfKey = (key: Key): List => (key.split('/', 2)[1] === 'workspace' ? 'workspaceRoles' : 'projectRoles')

/** The text of a target for a person: `workspace`, `ENG`, `all projects`. */
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

/** A role as a person reads it. */
export const presentRole = (role: Role | null): string => role ?? 'no role'

/** The service's limit for a project's identifier. */
export const projectCharactersMax = 12

/**
 * The service stores and compares project identifiers in upper case. A letter that would become ASCII in upper case, such as `ſ` or `ﬁ`, stays as
 * it is: no look-alike of an identifier names the project.
 */
export const projectIdentifier = (text: string): ProjectIdentifier =>
  text.replaceAll(/[^A-Z]/gu, (letter) => {
    const upper = letter.toUpperCase()
    return letter > '\u007f' && /[A-Z]/.test(upper) ? letter : upper
  }) as ProjectIdentifier

const identifierPattern = new RegExp(`^[^\\s/∕]{1,${projectCharactersMax}}$`, 'u')

/** Whether the service can have stored the identifier: 1 to 12 characters, no blanks, no slash and no replaced slash, all in upper case. */
export const isProjectIdentifier = (text: ProjectIdentifier): boolean => identifierPattern.test(text) && text.toUpperCase() === text
