import type { Place } from './declared.ts'

/** What the files of one team may say. Paths of its files begin with `teams/`, then the owner. Shares no code with the program. */
export type Fence = {
  readonly owner: string
  readonly workspace: string
  readonly workspaceRoles?: { readonly groups: readonly string[]; readonly roles: readonly string[] }
  readonly projectRoles?: {
    readonly projects: readonly string[]
    readonly allProjects: boolean
    readonly groups: readonly string[]
    readonly roles: readonly string[]
  }
  readonly may: readonly Word[]
}
export type Word = 'removed' | 'expires' | 'unmanaged' | 'unknownGroups' | 'allowProtected' | 'waivers'

/** Whether a text names the group: an exact name, or a glob of the form `prefix*`. */
export const names = (text: string, group: string): boolean => (text.endsWith('*') ? group.startsWith(text.slice(0, -1)) : text === group)

/** Whether the fence contains the mapping of a group at a target, whatever its role. */
export function contains({ workspaceRoles, projectRoles }: Fence, { group, at }: Place): boolean {
  const list = at === 'workspace' ? workspaceRoles : projectRoles
  return list?.groups.some((text) => names(text, group)) === true && (at === 'workspace' || isTargetOf(projectRoles, at))
}

const isTargetOf = (list: Fence['projectRoles'], at: string): boolean =>
  at === '*' ? list?.allProjects === true : list?.projects.includes(at) === true

/** Whether the fence contains the mapping with this role. */
export const containsRole = (fence: Fence, place: Place, role: string): boolean =>
  contains(fence, place) && (place.at === 'workspace' ? fence.workspaceRoles : fence.projectRoles)?.roles.includes(role) === true
