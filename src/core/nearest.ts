/**
 * The candidate that a person most likely meant; undefined if none is similar, or if several are equally near. Case does not count. At most a third
 * of the letters may differ, and at most three; one letter always may. Names that differ only in digits, such as P1 and P2, mean different things.
 * Cost: one pass over the candidates. At worst each of them compares 7 cells per letter (the band of ±3); most candidates are excluded by their length
 * or after a few letters.
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const { best, isAlone } = nearestOf(name, candidates)
  return isAlone ? best : undefined
}

/** Whether a candidate is similar. Several may be equally near. */
export const isNear = (name: string, candidates: Iterable<string>): boolean => nearestOf(name, candidates).best !== undefined

function nearestOf(name: string, candidates: Iterable<string>): { readonly best: string | undefined; readonly isAlone: boolean } {
  const wanted = fold(name)
  let best: string | undefined
  let isAlone = true
  let limit = Math.min(3, Math.max(1, Math.floor(wanted.length / 3)))
  for (const candidate of candidates) {
    if (candidate === name || Math.abs(candidate.length - wanted.length) > limit) continue
    const folded = fold(candidate)
    const [a, b] = unequalParts(wanted, folded)
    const edits = distance(a, b, limit)
    if (edits === undefined || (edits > 0 && withoutDigits(wanted) === withoutDigits(folded))) continue
    isAlone = best === undefined || edits < limit
    best = candidate
    limit = edits
  }
  return { best, isAlone }
}

const withoutDigits = (text: string): string => text.replaceAll(/\d/g, '')

const fold = (text: string): string => text.slice(0, charactersMax).toLowerCase()

/** The longest name that the service takes. The part of a longer name beyond this length is not compared. */
const charactersMax = 255

/** Cuts off the common beginning, since many names of a directory share one. */
function unequalParts(a: string, b: string): [string, string] {
  let start = 0
  while (a[start] !== undefined && a[start] === b[start]) start++
  return [a.slice(start), b.slice(start)]
}

/** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment); undefined above the limit. */
function distance(a: string, b: string, limit: number): number | undefined {
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  let beforeLast = last
  for (let i = 1; i <= a.length; i++) {
    const row: number[] = [i]
    let smallest = i
    // Only cells this near to the diagonal can stay within the limit.
    for (let j = Math.max(1, i - limit); j <= Math.min(b.length, i + limit); j++) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1))
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, at(beforeLast, j - 2) + 1)
      row[j] = cost
      smallest = Math.min(smallest, cost)
    }
    if (smallest > limit) return undefined
    beforeLast = last
    last = row
  }
  const edits = at(last, b.length)
  return edits > limit ? undefined : edits
}

const at = (row: readonly number[], index: number): number => row[index] ?? Number.POSITIVE_INFINITY
