import type { Role, Target } from '../mapping.ts'
import { isProtected, type RoleSettings, rankOf } from '../roles.ts'

/** What a plan does to one person on one target. Several bits may be set. `raise`: newly or raised. */
export const bits = { newly: 1, raised: 2, lowered: 4, lost: 8, raise: 16, gainProtected: 32, lose: 64 } as const
const allBits = Object.values(bits).reduce((sum: number, bit) => sum | bit, 0)

/** The roles of one target in their order. A role has the same rank on each target. */
export type Ladder = { readonly rungs: ReadonlySet<Role>; rankOf(role: Role | null): number; isProtected(rank: number): boolean }

/** The rank of a person who has no role on the target. */
export const none = -1

/** The ladder, or why there is none. A role that `roles.order` lacks cannot be compared, except where it is the only role. */
export function ladderOf(rungs: ReadonlySet<Role>, target: Target, roles: RoleSettings): Ladder | string {
  const ranks = new Map([...rungs].map((role) => [role, rankOf(role, roles)]))
  const [unknown] = [...ranks].find(([, rank]) => rank < 0) ?? []
  if (unknown !== undefined && rungs.size > 1)
    return `roles.order does not have the role "${unknown}", so the highest role of a person is not known`
  const rankIn = (role: Role) => Math.max(ranks.get(role) ?? none, 0)
  const protectedRanks = new Set([...rungs].filter((role) => isProtected(role, target, roles)).map(rankIn))
  return {
    rungs,
    rankOf: (role) => (role === null || !ranks.has(role) ? none : rankIn(role)),
    isProtected: (rank) => protectedRanks.has(rank),
  }
}

/** The ranks of one person on one target in one number: before the plan, after it, and the least of a run that ends anywhere. */
export type Ranks = number & { readonly __brand: 'Ranks' }

const rankBits = 10
const rankMask = (1 << rankBits) - 1
export const ranksOf = (before: number, after: number, least: number): Ranks =>
  (((((before + 1) << rankBits) | (after + 1)) << rankBits) | (least + 1)) as Ranks
export const noRanks = ranksOf(none, none, none)
const rankBefore = (ranks: Ranks): number => (ranks >> (2 * rankBits)) - 1
const rankAfter = (ranks: Ranks): number => ((ranks >> rankBits) & rankMask) - 1
const rankLeast = (ranks: Ranks): number => (ranks & rankMask) - 1

const shifts = { before: 2 * rankBits, after: rankBits, least: 0 } as const

/** These ranks with one of them raised, if it is lower. */
export function raisedTo(ranks: Ranks, part: keyof typeof shifts, rank: number): Ranks {
  const shift = shifts[part]
  return ((ranks >> shift) & rankMask) < rank + 1 ? (((ranks & ~(rankMask << shift)) | ((rank + 1) << shift)) as Ranks) : ranks
}

/** The ranks of a person who is in the groups of both. */
export const highestRanks = (one: Ranks, other: Ranks): Ranks =>
  ranksOf(
    Math.max(rankBefore(one), rankBefore(other)),
    Math.max(rankAfter(one), rankAfter(other)),
    Math.max(rankLeast(one), rankLeast(other)),
  )

/** How a change counts people. `granted`: the rank of the protected role that it gives; `none` if it gives none. `takes`: it is the delete of an undeclared mapping. */
type Counting = { readonly ladder: Ladder; readonly granted: number; readonly takes: boolean }

/** The bits of what happens to a person with these ranks by a change of a group of the person. */
function eventBits(ranks: Ranks, { ladder, granted, takes }: Counting): number {
  const [had, has] = [rankBefore(ranks), rankAfter(ranks)]
  const loses = takes && rankLeast(ranks) < had ? bits.lose : 0
  if (had === has) return loses
  const kind = had === none ? 'newly' : has === none ? 'lost' : had < has ? 'raised' : 'lowered'
  const raise = kind === 'newly' || kind === 'raised' ? bits.raise : 0
  const gains = granted > had && has > had && !ladder.isProtected(had) ? bits.gainProtected : 0
  return loses | bits[kind] | raise | gains
}

/** What happens in each case that is possible, and what happens in some of them. */
export type Events = { readonly sure: number; readonly possible: number }

export const eitherOf = (one: Events, other: Events): Events => ({
  sure: one.sure & other.sure,
  possible: one.possible | other.possible,
})

/**
 * What happens to a person with these ranks, who may also be in any of the groups that have gaps.
 *
 * @param states the ranks that such groups may give, `noRanks` among them
 */
export function openEvents(states: readonly Ranks[], counting: Counting): (base: Ranks) => Events {
  const known = new Map<Ranks, Events>()
  return (base) => {
    const again = known.get(base)
    if (again !== undefined) return again
    let events: Events = { sure: allBits, possible: 0 }
    for (const state of states) {
      const bitsOfState = eventBits(highestRanks(base, state), counting)
      events = eitherOf(events, { sure: bitsOfState, possible: bitsOfState })
    }
    known.set(base, events)
    return events
  }
}
