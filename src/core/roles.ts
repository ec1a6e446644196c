import type { Role } from './mapping.ts'

/** The three settings that say what the program may know of roles, which are otherwise opaque slugs. */
export type RoleSettings = {
  /** From least to most; a slug that is not in it is incomparable. */
  readonly order: readonly string[]
  /** Every other role is protected. */
  readonly ordinary: readonly string[]
  /** What the service answers where another slug was sent: `{member: contributor}`. */
  readonly aliases: Readonly<Record<string, string>>
}

/** `incomparable`: a slug that the order does not know; it is treated as a raise where that is the safer reading. */
export type Direction = 'same' | 'raise' | 'lower' | 'incomparable'

export function direction(before: Role, after: Role, roles: RoleSettings): Direction {
  if (before === after) return 'same'
  const [from, to] = [rankOf(before, roles), rankOf(after, roles)]
  if (from < 0 || to < 0) return 'incomparable'
  if (from > to) return 'lower'
  return from < to ? 'raise' : 'same'
}

export const isProtected = (role: Role, { ordinary, aliases }: RoleSettings): boolean =>
  !ordinary.includes(role) && !ordinary.some((one) => aliases[one] === role)

/**
 * `admin` and all above it in the order; where the order has no `admin`, its highest role.
 *
 * @param echoes sent → answered, as seen in the workspace's own list: an administrator may only be known by what the service calls it
 */
export function isAdministrator(role: Role, roles: RoleSettings, echoes: Readonly<Record<string, string>> = {}): boolean {
  const admin = roles.order.indexOf('admin')
  const rank = Math.max(rankOf(role, roles), rankOf(role, { ...roles, aliases: echoes }))
  return rank >= 0 && rank >= (admin < 0 ? roles.order.length - 1 : admin)
}

/** The order speaks the declaration's words, existing mappings the service's: a slug that it lacks counts as what it is an alias of. */
function rankOf(role: Role, { order, aliases }: RoleSettings): number {
  const rank = order.indexOf(role)
  if (rank >= 0) return rank
  return order.findIndex((wanted) => aliases[wanted] === role)
}

/** How far a role that exists is the one that is wanted. */
export type Likeness = 'same' | 'echoed' | 'echoedHigher' | 'other'

/**
 * What the service answered to the wanted role before counts as that role, so that nobody patches it for ever; but where it would be more
 * than what was asked for, a person has to say that it is right (`aliases`).
 *
 * @param echoes sent → answered, as seen
 */
export function likeness(wanted: Role, has: Role, echoes: Readonly<Record<string, string>>, roles: RoleSettings): Likeness {
  if (wanted === has || roles.aliases[wanted] === has) return 'same'
  if (echoes[wanted] !== has) return 'other'
  const higher = direction(wanted, has, roles) === 'raise' || (isProtected(has, roles) && !isProtected(wanted, roles))
  return higher ? 'echoedHigher' : 'echoed'
}
