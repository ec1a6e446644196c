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

export function direction(before: Role, after: Role, { order }: RoleSettings): Direction {
  if (before === after) return 'same'
  const [from, to] = [order.indexOf(before), order.indexOf(after)]
  if (from < 0 || to < 0) return 'incomparable'
  return from < to ? 'raise' : 'lower'
}

export const isProtected = (role: Role, { ordinary }: RoleSettings): boolean => !ordinary.includes(role)

/** `admin` and all above it in the order; where the order has no `admin`, its highest role. */
export function isAdministrator(role: Role, { order }: RoleSettings): boolean {
  const rank = order.indexOf(role)
  const admin = order.indexOf('admin')
  return rank >= 0 && rank >= (admin < 0 ? order.length - 1 : admin)
}
