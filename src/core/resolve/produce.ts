import { isProjectIn } from '../fencedProjects.ts'
import { projectIdentifier, type Role, type Target } from '../mapping.ts'
import type { Captures, Rule } from '../rule.ts'

/** The targets on which a rule gives a role to one group name, and the role. */
type Produced = { readonly targets: readonly Target[]; readonly role: ResolvedRole }
export type ResolvedRole = { readonly role: Role } | { readonly unmapped: string; readonly allowed: readonly string[] }

/** The targets and the role that a rule gives to a group name from which its pattern captured these texts. */
export function produce({ target, role }: Rule, captured: Captures): Produced {
  return { targets: targetsFrom(target, captured), role: roleFrom(role, captured) }
}

/** How many targets a rule gives to one group name. */
export function targetCount({ target }: Pick<Rule, 'target'>, captured: Captures): number {
  const named = target.kind === 'fixed' ? undefined : target.map.get(captured[target.capture] ?? '')
  if (target.kind === 'fixed' || named === undefined) return 1
  const { only } = target
  return only === undefined ? named.length : named.filter((project) => isProjectIn(only, project)).length
}

function targetsFrom(target: Rule['target'], captured: Captures): readonly Target[] {
  if (target.kind === 'fixed') return [target.target]
  const value = captured[target.capture] ?? ''
  // Only the group of a key may contain a slash. A slash in the captured text is replaced by a similar character. No project identifier
  // contains that character, so the rule is held.
  const projects = target.map.get(value) ?? [projectIdentifier(value.replaceAll('/', '∕'))]
  const { only } = target
  return projects.flatMap((project) => (only === undefined || isProjectIn(only, project) ? { kind: 'project', project } : []))
}

function roleFrom(role: Rule['role'], captured: Captures): ResolvedRole {
  if (role.kind === 'fixed') return { role: role.role }
  const value = captured[role.capture] ?? ''
  const mapped = role.map.get(value)
  return mapped === undefined ? { unmapped: value, allowed: [...role.map.keys()] } : { role: mapped }
}
