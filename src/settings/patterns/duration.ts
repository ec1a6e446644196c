import { between, type Keywords, oneOf } from './text.ts'

/** Unit → milliseconds. */
export const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

export const durationPattern = `^\\d{1,6}(${Object.keys(units).join('|')})$`

/** JSON Schema keywords for a duration of at most `maxMs`, in addition to the pattern of every duration. */
export const atMost = (maxMs: number): Keywords => {
  const inUnits = Object.entries(units).map(([unit, ms]) => `${between(0, Math.min(999_999, Math.floor(maxMs / ms)))}${unit}`)
  return { allOf: [{ pattern: `^0*${oneOf(inUnits)}$` }] }
}
