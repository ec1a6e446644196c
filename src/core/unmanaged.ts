import { type GroupName, type Target, targetText } from './mapping.ts'
import type { GroupSelector, Unmanaged } from './rule.ts'

/** Whether the declaration says that a mapping is never touched and never reported. */
export function isUnmanaged(unmanaged: readonly Unmanaged[], group: GroupName, target: Target): boolean {
  return unmanaged.some((entry) => selects(entry.groups, group) && (entry.target === undefined || sameTarget(entry.target, target)))
}

export function selects(selector: GroupSelector, group: GroupName): boolean {
  if (selector.kind === 'exact') return selector.name === group
  return !selector.except.has(group) && selector.matches(group) !== undefined
}

/** Identifiers of projects are upper-case, so none reads like another target. */
const sameTarget = (a: Target, b: Target): boolean => targetText(a) === targetText(b)
