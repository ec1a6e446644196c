import { counted } from '../core/quantity.ts'
import { positionText } from '../core/rule.ts'
import type { Problem } from '../yaml/problem.ts'

/** So many places of one mistake have a problem each, and a problem for more places names so many of them. */
const placesShown = 3

/**
 * Collects problems that one edit of the settings may repair, such as a workspace that they do not name. A mistake in many places becomes one
 * problem, with their number and the first places.
 */
export function repeatedProblems() {
  const byText = new Map<string, { readonly first: Problem[]; places: number }>()
  return {
    add(problem: Problem): void {
      const text = `${problem.message}\n${problem.cure ?? ''}`
      const same = byText.get(text) ?? { first: [], places: 0 }
      byText.set(text, same)
      same.places++
      if (same.first.length < placesShown) same.first.push(problem)
    },
    /** Different mistakes. */
    size: () => byText.size,
    problems: (): readonly Problem[] =>
      [...byText.values()].flatMap(({ first, places }) => (places > placesShown ? [forAll(first, places)] : first)),
  }
}

function forAll([first, ...others]: readonly Problem[], places: number): Problem {
  const { message, cure, ...rest } = first as Problem
  const named = others.map(({ at }) => positionText(at)).join(', ')
  const also = `the same is in ${named} and ${counted(places - placesShown, 'other place')}`
  return { ...rest, message: `${message} (${counted(places, 'place')})`, cure: cure === undefined ? also : `${cure}; ${also}` }
}
