import type { Role, Target } from './mapping.ts'
import { didYouMean } from './nearest.ts'
import { firstNames } from './quantity.ts'

/** The three settings about roles. To all other code a role is an opaque slug. */
export type RoleSettings = {
  /** From lowest to highest; a slug that is not in this list is incomparable. */
  readonly order: readonly string[]
  /** Every other role is protected. A list counts for every target. */
  readonly ordinary: readonly string[] | OrdinaryRoles
  /** Sent slug → the slug that the service answers with: `{member: contributor}`. */
  readonly aliases: Readonly<Record<string, string>>
}

/** The ordinary roles of each kind of target. A mapping to all projects gives a role in projects. */
type OrdinaryRoles = { readonly project: readonly string[]; readonly workspace: readonly string[] }

/** The ordinary roles on a target. */
function ordinaryOn({ kind }: Target, { ordinary }: Pick<RoleSettings, 'ordinary'>): readonly string[] {
  if (!('project' in ordinary)) return ordinary
  return kind === 'workspace' ? ordinary.workspace : ordinary.project
}

/** `incomparable`: one of the slugs is not in the order. This counts as a raise where that is safer. */
export type Direction = 'same' | 'raise' | 'lower' | 'incomparable'

/** The direction of a patch. A mapping without a role is raised by any role. */
export function direction(before: Role | null, after: Role, roles: RoleSettings): Direction {
  if (before === null) return 'raise'
  if (before === after) return 'same'
  const [from, to] = [rankOf(before, roles), rankOf(after, roles)]
  if (from < 0 || to < 0) return 'incomparable'
  if (from > to) return 'lower'
  return from < to ? 'raise' : 'same'
}

/** Whether a mapping with the role `gone` may give access that a mapping with the role `has` does not give. */
export const mayGiveMore = (gone: Role | null, has: Role | null, roles: RoleSettings): boolean =>
  gone !== null && (direction(has, gone, roles) === 'raise' || direction(has, gone, roles) === 'incomparable')

/** Of several mappings, the one with most access; undefined if there are none. */
export function highest<T extends { readonly role: Role | null }>(mapped: readonly T[], roles: RoleSettings): T | undefined {
  const rank = ({ role }: T) => (role === null ? -2 : rankOf(role, roles))
  return mapped.toSorted((a, b) => rank(b) - rank(a))[0]
}

export function isProtected(role: Role, target: Target, roles: RoleSettings): boolean {
  const ordinary = ordinaryOn(target, roles)
  return !ordinary.includes(role) && !ordinary.some((ordinaryRole) => roles.aliases[ordinaryRole] === role)
}

/**
 * Whether a role is `admin` or higher in the order. If the order has no `admin`, only its highest role is.
 *
 * @param echoes for the list of workspace mappings: the role that was sent → the role that the service answered with. An administrator role may
 *   be known only under the service's name for it
 */
export function isAdministrator(role: Role | null, roles: RoleSettings, echoes: Readonly<Record<string, string>> = {}): boolean {
  if (role === null) return false
  const admin = roles.order.indexOf('admin')
  const rank = Math.max(rankOf(role, roles), rankOf(role, { ...roles, aliases: echoes }))
  return rank >= 0 && rank >= (admin < 0 ? roles.order.length - 1 : admin)
}

/**
 * The place of a role in the order, or -1. The order uses the declaration's names of roles; existing mappings use the service's names. A
 * service's name that is not in the order gets the place of the declaration's name for it: with the alias `member: contributor`,
 * `contributor` gets the place of `member`.
 */
export function rankOf(role: Role, { order, aliases }: Pick<RoleSettings, 'order' | 'aliases'>): number {
  const rank = order.indexOf(role)
  if (rank >= 0) return rank
  return order.findIndex((wanted) => aliases[wanted] === role)
}

/** How an existing role compares with the wanted role. A mapping without a role (`null`) gives `other`. */
export type RoleComparison = 'same' | 'echoed' | 'echoedHigher' | 'other'

/**
 * If the service once answered with a role that the settings do not know, that role may be its name for the one that was sent. It counts as the wanted
 * one then, since otherwise the mapping would be patched for ever. If it is higher than the wanted one, it counts only if `aliases` names it (then the
 * result is `same`); without an alias the result is `echoedHigher`.
 *
 * @param echoes the role that was sent → the role that the service answered with
 */
export function compareRoles(
  wanted: Role,
  has: Role | null,
  target: Target,
  echoes: Readonly<Record<string, string>>,
  roles: RoleSettings,
): RoleComparison {
  if (has === null) return 'other'
  if (wanted === has || roles.aliases[wanted] === has) return 'same'
  if (echoes[wanted] !== has) return 'other'
  const higher = direction(wanted, has, roles) === 'raise' || (isProtected(has, target, roles) && !isProtected(wanted, target, roles))
  return higher ? 'echoedHigher' : 'echoed'
}

/** The roles that settings and declaration may name: those in the order, and the service's names for them. */
export const knownRoles = ({ order, aliases }: RoleSettings): readonly string[] => [...new Set([...order, ...Object.values(aliases)])]

/** The sentence about a role that is none of `knownRoles`. */
export const unknownRole = (role: string): string => `"${role}" is not one of the roles in roles.order`

export function unknownRoleCure(role: string, known: readonly string[]): string {
  return `${didYouMean(role, known)}roles.order in the settings has: ${firstNames(known)}. If Plane has this role, add it there, at its place from least to most access`
}
