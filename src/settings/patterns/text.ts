/**
 * Parts of patterns. Each pattern is also in the JSON Schemas, where Helm reads it as RE2 and editors read it with the `u` flag: no
 * look-around, no back-references, no `\u` escapes.
 */

/** The whole numbers from `low` to `high`, without leading zeros: `(?:[5-9]|1\d|2[0-3])` for 5 to 23. */
export function between(low: number, high: number): string {
  const lengths = Array.from({ length: String(high).length }, (_, index) => index + 1)
  const parts = lengths.flatMap((length) => {
    const from = Math.max(low, length === 1 ? 0 : 10 ** (length - 1))
    const to = Math.min(high, 10 ** length - 1)
    return from > to ? [] : sameLength(String(from), String(to))
  })
  return `(?:${parts.join('|')})`
}

/** Alternatives for the numbers from `from` to `to`, which have the same number of digits. */
function sameLength(from: string, to: string): readonly string[] {
  const a = Number(from[0])
  const b = Number(to[0])
  const rest = from.length - 1
  if (rest === 0) return [digits(a, b)]
  const below = from.slice(1)
  const above = to.slice(1)
  if (a === b) return sameLength(below, above).map((part) => `${a}${part}`)
  const first = /^0+$/.test(below) ? a : a + 1
  const last = /^9+$/.test(above) ? b : b - 1
  return [
    ...(first > a ? sameLength(below, '9'.repeat(rest)).map((part) => `${a}${part}`) : []),
    ...(first <= last ? [`${digits(first, last)}${'\\d'.repeat(rest)}`] : []),
    ...(last < b ? sameLength('0'.repeat(rest), above).map((part) => `${b}${part}`) : []),
  ]
}

const digits = (from: number, to: number): string => {
  if (from === to) return String(from)
  return from === 0 && to === 9 ? '\\d' : `[${from}-${to}]`
}

/** A word with each letter in upper or lower case. */
export const anyCase = (word: string): string => word.replaceAll(/[a-z]/gi, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`)

export const oneOf = (parts: readonly string[]): string => `(?:${parts.join('|')})`

export type Keywords = { readonly [keyword: string]: unknown }

/**
 * Keywords of JSON Schema for a long pattern. For a wrong value a validator prints `hint`, not the pattern, nor the value, which may contain a
 * password.
 *
 * @param condition keywords that a value must match
 * @param hint the condition in words. A value that equals this text is refused, too.
 */
export const withHint = (condition: Keywords, hint: string): Keywords => ({ if: condition, else: { const: hint }, not: { const: hint } })
