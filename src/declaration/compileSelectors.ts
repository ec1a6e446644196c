import { type GroupName, projectIdentifier, type Role, type Target } from '../core/mapping.ts'
import type { GroupSelector, RoleSelector, TargetSelector } from '../core/rule.ts'
import { patternOf } from './pattern.ts'
import type { DeclaredRule } from './schema.ts'

/** The place of a group in an entry; empty if the entry has no list of groups. */
export type Item = {
  /** The index in the list of groups. */
  readonly item?: number
  /** The list has this old word instead of `group`. */
  readonly word?: 'groups'
}

export type GroupKeys = {
  readonly group?: string | readonly string[] | undefined
  readonly groups?: readonly string[] | undefined
  readonly groupGlob?: string | undefined
  readonly groupRegex?: string | undefined
  readonly except?: readonly string[] | undefined
}

/** Each name in a list of groups has a place of its own; any other selector has the place of its entry. */
export function groupSelectorsOf(keys: GroupKeys): readonly (Item & { readonly groups: GroupSelector })[] {
  const exact = (name: string): GroupSelector => ({ kind: 'exact', name: name as GroupName })
  if (typeof keys.group === 'string') return [{ groups: exact(keys.group) }]
  if (keys.group !== undefined) return keys.group.map((name, item) => ({ item, groups: exact(name) }))
  if (keys.groups !== undefined) return keys.groups.map((name, item) => ({ item, word: 'groups', groups: exact(name) }))
  const pattern = keys.groupRegex === undefined ? patternOf('glob', keys.groupGlob ?? '') : patternOf('regex', keys.groupRegex)
  return [{ groups: { kind: 'pattern', pattern, except: new Set(keys.except as GroupName[] | undefined) } }]
}

export type TargetKeys = {
  readonly project?: string | readonly string[] | undefined
  readonly projects?: readonly string[] | undefined
  readonly allProjects?: true | undefined
  readonly workspace?: true | undefined
}

export function fixedTargets({ project, projects, allProjects, workspace }: TargetKeys): Target[] {
  if (workspace) return [{ kind: 'workspace' }]
  if (allProjects) return [{ kind: 'allProjects' }]
  return [project ?? projects ?? []].flat().map((name) => ({ kind: 'project', project: projectIdentifier(name) }))
}

export function targetSelectors({ project, ...rest }: DeclaredRule): TargetSelector[] {
  if (typeof project !== 'object' || Array.isArray(project))
    return fixedTargets({ project, ...rest }).map((target) => ({ kind: 'fixed', target }))
  const identifiers = (named: string | readonly string[]) => [...new Set([named].flat().map(projectIdentifier))]
  const map = new Map(Object.entries(project.map ?? {}).map(([value, named]) => [value, identifiers(named)]))
  return [{ kind: 'captured', capture: project.capture, map }]
}

export function roleSelector(role: DeclaredRule['role']): RoleSelector {
  if (typeof role === 'string') return { kind: 'fixed', role: role as Role }
  return { kind: 'captured', capture: role.capture, map: new Map(Object.entries(role.map) as [string, Role][]) }
}
