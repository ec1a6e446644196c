import { listed } from './quantity.ts'

/**
 * The candidate that a person most likely meant; undefined if none is similar, or if several are equally near. Case, the form of Unicode and letters
 * that look alike do not count. At most a third of the letters may differ, and at most three; one letter always may. Names that differ only in digits,
 * such as P1 and P2, mean different things. Cost: one pass over the candidates. At worst each of them compares 7 cells per letter (the band of ±3); most candidates are excluded by their length
 * or after a few letters.
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const { best, isAlone } = nearestOf(name, candidates)
  return isAlone ? best : undefined
}

/** `did you mean "ENG"? ` before other text; with the difference, if people read the two names as one. Empty if nothing is similar. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const near = nearest(name, candidates)
  if (near === undefined) return ''
  const difference = differenceOf(name, near)
  return `did you mean "${near}"?${difference === undefined ? '' : ` (It differs only in ${difference}.)`} `
}

/** Whether a candidate is similar. Several may be equally near. */
export const isNear = (name: string, candidates: Iterable<string>): boolean => nearestOf(name, candidates).best !== undefined

function nearestOf(name: string, candidates: Iterable<string>): { readonly best: string | undefined; readonly isAlone: boolean } {
  const wanted = fold(name)
  let best: string | undefined
  let isAlone = true
  let limit = Math.min(3, Math.max(1, Math.floor(wanted.length / 3)))
  for (const candidate of candidates) {
    if (candidate === name || (Math.abs(candidate.length - wanted.length) > limit && isAscii(candidate))) continue
    const folded = fold(candidate)
    if (Math.abs(folded.length - wanted.length) > limit) continue
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

function fold(text: string): string {
  const beginning = text.slice(0, charactersMax)
  return isAscii(beginning) ? beginning.toLowerCase() : lookAlike(beginning.normalize('NFKC').toLowerCase())
}

const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text)

/** Letters of other scripts that look like a Latin one in one of the two cases, and punctuation that looks alike. */
const alike: ReadonlyMap<string, string> = new Map(
  Array.from('авекмнорстухѕіјԁһӏ', (letter, at) => [letter, 'abekmhopctyxsijdhl'[at] as string] as const).concat(
    Array.from('αβεηικνορτυχ', (letter, at) => [letter, 'abehikvoptyx'[at] as string] as const),
    Array.from('ıɡɑ‐‑–—−∕’', (letter, at) => [letter, "iga-----/'"[at] as string] as const),
  ),
)

function lookAlike(text: string): string {
  return Array.from(text, (letter) => {
    const lower = letter.toLowerCase()
    const latin = alike.get(lower) ?? letter
    return letter === lower ? latin : latin.toUpperCase()
  }).join('')
}

/** How two names may differ, although people read them as one: the change that makes such a difference disappear, and its name. */
const differences = [
  [(text: string) => text.normalize('NFKC'), 'the form of Unicode (one of them has letters that are composed of parts)'],
  [(text: string) => text.toLowerCase(), 'letter case'],
  [(text: string) => text.replaceAll(/\s/gu, ''), 'a blank'],
  [(text: string) => text.replaceAll(/[-_.]/g, ''), 'a hyphen, a dot or an underscore'],
  [lookAlike, 'a letter of another script that looks the same'],
] as const

/** In what two names differ, if people read them as one: `letter case`. Undefined if other letters differ. */
export function differenceOf(a: string, b: string): string | undefined {
  const isSame = (changes: readonly (typeof differences)[number][]) => {
    const [left, right] = [a, b].map((text) => changes.reduce((now, [change]) => change(now), text.slice(0, charactersMax)))
    return left === right
  }
  if (!isSame(differences)) return undefined
  const alone = differences.find((difference) => isSame([difference]))
  const needed =
    alone === undefined ? differences.filter((difference) => !isSame(differences.filter((other) => other !== difference))) : [alone]
  return listed(needed.map(([, name]) => name))
}

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
      const isEqual = a[i - 1] === b[j - 1]
      let cost = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (isEqual ? 0 : 1))
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
