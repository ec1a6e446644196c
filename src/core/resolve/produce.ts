import { type GroupName, projectIdentifier, type Role, type Target } from '../mapping.ts'
import { capturesOf, type Rule } from '../rule.ts'

/** What a rule makes of one group name. */
export type Produced = { readonly target: Target; readonly role: ResolvedRole }
export type ResolvedRole = { readonly role: Role } | { readonly unmapped: string; readonly allowed: readonly string[] }

/** The target and role that a rule gives to a group name; undefined if the rule does not select the name. */
export function produce({ groups, target, role }: Rule, group: GroupName): Produced | undefined {
  const captured = capturesOf(groups, group)
  if (captured === undefined) return undefined
  return { target: targetFrom(target, captured), role: roleFrom(role, captured) }
}

function targetFrom(target: Rule['target'], captured: Readonly<Record<string, string>>): Target {
  if (target.kind === 'fixed') return target.target
  const value = captured[target.capture] ?? ''
  // Only the group of a key may contain a slash. A slash in the captured text is replaced by a similar character. No project identifier
  // contains that character, so the rule is held.
  return { kind: 'project', project: target.map.get(value) ?? projectIdentifier(value.replaceAll('/', '∕')) }
}

function roleFrom(role: Rule['role'], captured: Readonly<Record<string, string>>): ResolvedRole {
  if (role.kind === 'fixed') return { role: role.role }
  const value = captured[role.capture] ?? ''
  const mapped = role.map.get(value)
  return mapped === undefined ? { unmapped: value, allowed: [...role.map.keys()] } : { role: mapped }
}
