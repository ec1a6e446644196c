import { type Bounds, exactly, type GroupSize, sumOf } from '../../src/core/bounds.ts'
import type { CountedEffect, PeopleOver } from '../../src/core/peopleEffect.ts'

/* Sizes of groups, and numbers of people, in a short notation. */

export const people = (n: number): GroupSize => ({ of: 'people', ...exactly(n) })
export const members = (n: number): GroupSize => ({ of: 'members', ...exactly(n) })

/** So many or more. */
export const atLeast = (least: number): Bounds => ({ least })
export const between = (least: number, most: number): Bounds => ({ least, most })

const boundsOf = (number: number | Bounds): Bounds => (typeof number === 'number' ? exactly(number) : number)

export type Numbers = { readonly [Name in keyof Omit<CountedEffect, 'kind' | 'why'>]?: number | Bounds } & Pick<CountedEffect, 'why'>

/** An effect with these numbers, and 0 of the others. `raise`: if absent, `newly` and `raised` together. */
export function counted({ why, ...given }: Numbers = {}): CountedEffect {
  const { newly = 0, raised = 0, lowered = 0, lost = 0, gainProtected = 0, lose = 0 } = given
  return {
    kind: 'counted',
    newly: boundsOf(newly),
    raised: boundsOf(raised),
    lowered: boundsOf(lowered),
    lost: boundsOf(lost),
    raise: boundsOf(given.raise ?? sumOf([boundsOf(newly), boundsOf(raised)])),
    gainProtected: boundsOf(gainProtected),
    lose: boundsOf(lose),
    ...(why === undefined ? {} : { why }),
  }
}

/** A change that waits since it concerns these people. */
export const forPeople = (over: Omit<PeopleOver, 'people'> & { readonly people: number | Bounds }) =>
  ({ kind: 'approval', why: 'people', ...over, people: boundsOf(over.people) }) as const
