import { between, type Keywords, oneOf } from './text.ts'

/** Unit → milliseconds. */
const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

export const durationPattern = `^\\d{1,6}(${Object.keys(units).join('|')})$`

const written = new RegExp(durationPattern, 'u')

/** `30s` → milliseconds; undefined if the text is not a duration. */
export const durationMs = (text: string): number | undefined =>
  written.test(text) ? Number.parseInt(text, 10) * (units[text.replace(/^\d+/, '')] ?? Number.NaN) : undefined

/** JSON Schema keywords for a duration within bounds, in addition to the pattern of every duration. */
export const durationsWithin = (leastMs: number, mostMs: number): Keywords => {
  const inUnits = Object.entries(units).flatMap(([unit, ms]) => {
    const [low, high] = [Math.ceil(leastMs / ms), Math.min(999_999, Math.floor(mostMs / ms))]
    return low > high ? [] : [`${between(low, high)}${unit}`]
  })
  return { allOf: [{ pattern: `^0*${oneOf(inUnits)}$` }] }
}
