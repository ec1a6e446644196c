import { projectIdentifier, type Role, type Target } from '../mapping.ts'
import type { Captures, Rule } from '../rule.ts'

/** The target and the role that a rule gives to one group name. */
type Produced = { readonly target: Target; readonly role: ResolvedRole }
export type ResolvedRole = { readonly role: Role } | { readonly unmapped: string; readonly allowed: readonly string[] }

/** The target and role that a rule gives to a group name from which its pattern captured these texts. */
export function produce({ target, role }: Rule, captured: Captures): Produced {
  return { target: targetFrom(target, captured), role: roleFrom(role, captured) }
}

function targetFrom(target: Rule['target'], captured: Captures): Target {
  if (target.kind === 'fixed') return target.target
  const value = captured[target.capture] ?? ''
  // Only the group of a key may contain a slash. A slash in the captured text is replaced by a similar character. No project identifier
  // contains that character, so the rule is held.
  return { kind: 'project', project: target.map.get(value) ?? projectIdentifier(value.replaceAll('/', '∕')) }
}

function roleFrom(role: Rule['role'], captured: Captures): ResolvedRole {
  if (role.kind === 'fixed') return { role: role.role }
  const value = captured[role.capture] ?? ''
  const mapped = role.map.get(value)
  return mapped === undefined ? { unmapped: value, allowed: [...role.map.keys()] } : { role: mapped }
}
