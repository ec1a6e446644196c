import type { Wish } from './desired.ts'
import type { HoldReason } from './hold.ts'
import { comparePositions } from './rule.ts'

export type Claim = {
  readonly weight: (typeof weights)[number]
  readonly wish: Wish
  /** It says something of its key only beside other claims, or where a mapping exists. */
  readonly shadow?: boolean
  /** The wish instead, where no mapping vouches for the project. */
  readonly unvouched?: Wish
  /** It is followed whether the project is known or not: that its mapping is there says nothing of the project. */
  readonly sends?: boolean
  /** Of a wish that takes a mapping away: the wish instead, since the project is not the one that was meant. */
  readonly changed?: Wish
}

/** The strongest first. */
const weights = ['removed', 'exact', 'pattern'] as const

/** The one wish that the claims on a key come to: the table stands above `resolve`. */
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
  // Exact rules of one key agree, or the declaration would be invalid: what one directory lacks, another may know.
  const granted = granting.find(({ allowProtected }) => allowProtected) ?? granting[0]
  // Where nothing is granted and nothing unsure, all wishes are unknown groups, or all absent.
  const settled = ((claims[0]?.weight === 'exact' ? granted : undefined) ?? unsure ?? granted ?? wishes[0]) as Wish
  // Whichever of them can be followed now, what the mapping was called before stays said.
  const previously = [...new Set(wishes.flatMap((wish) => wish.previously ?? []))]
  return previously.length === 0 ? settled : { ...settled, previously }
}

/** The claims that decide about a key: the strongest of those that hold. */
export function ruling(all: readonly Claim[]): readonly Claim[] {
  const living = all.filter(({ weight, wish }) => weight === 'removed' || wish.want !== 'absent')
  const claims = living.length === 0 ? all : living
  const strongest = weights.find((one) => claims.some(({ weight }) => weight === one))
  return claims.filter(({ weight }) => weight === strongest)
}
