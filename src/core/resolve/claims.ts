import type { Wish } from '../desired.ts'
import type { HoldReason } from '../hold.ts'
import { comparePositions } from '../rule.ts'

export type Claim = {
  readonly weight: (typeof weights)[number]
  readonly wish: Wish
  /** Weak: counts only beside another claim, or if the mapping exists. */
  readonly shadow?: boolean
  /** Used instead of `wish` if no existing mapping shows that the project exists. */
  readonly unvouched?: Wish
  /** The rule says `unknownProjects: send`, so an existing mapping of it does not show that the project exists. */
  readonly sends?: boolean
  /** Only beside a wish that removes a mapping: used instead of `wish` unless another text, which means today's project, removes it too. */
  readonly changed?: Wish
}

/** The strongest first. */
const weights = ['removed', 'exact', 'pattern'] as const

/** Resolves all claims on one key to one wish. The table above `resolve` has the cases. */
export function settle(all: readonly Claim[]): Wish {
  if (all.length === 1) return (all[0] as Claim).wish
  const claims = ruling(all)
  const wishes = claims.map(({ wish }) => wish).toSorted((a, b) => comparePositions(a.because.at, b.because.at))
  const unsure = wishes.find((wish) => wish.want === 'unknown' && wish.reason.kind !== 'groupUnknown')
  const granting = wishes.filter((wish) => wish.want === 'role')
  const roles = new Set(granting.map(({ role }) => role))
  if (roles.size > 1) {
    const [first] = granting as [Wish]
    const reason: HoldReason = { kind: 'conflict', roles: [...roles].toSorted(), rules: granting.map(({ because }) => because) }
    return { group: first.group, target: first.target, because: first.because, want: 'unknown', reason }
  }
  // Exact rules of one key give the same role: the declaration is invalid otherwise. So a role beats `unknown`: another directory may know the group.
  const granted = granting.find(({ allowProtected }) => allowProtected) ?? granting[0]
  // Without a role and without `unsure`, either all wishes are absent, or all groups are unknown.
  const settled = ((claims[0]?.weight === 'exact' ? granted : undefined) ?? unsure ?? granted ?? wishes[0]) as Wish
  // The earlier names of the mapping are kept from all wishes, not only from the one that is used.
  const previously = [...new Set(wishes.flatMap((wish) => wish.previously ?? []))]
  return previously.length === 0 ? settled : { ...settled, previously }
}

/** The claims that decide about a key: those of the strongest weight. Expired rules count only if all claims are expired rules. */
export function ruling(all: readonly Claim[]): readonly Claim[] {
  const living = all.filter(({ weight, wish }) => weight === 'removed' || wish.want !== 'absent')
  const claims = living.length === 0 ? all : living
  const strongest = weights.find((one) => claims.some(({ weight }) => weight === one))
  return claims.filter(({ weight }) => weight === strongest)
}
