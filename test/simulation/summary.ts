import type { Violation } from './audit/violation.ts'
import type { Outcome } from './world.ts'

/** The results of many worlds. */
export type Summary = {
  readonly worlds: number
  readonly requests: number
  readonly writes: number
  readonly cycles: number
  readonly crashes: number
  readonly throttled: number
  readonly cpuMs: number
  /** How often each fault happened. */
  readonly faults: Readonly<Record<string, number>>
  /** Pair of faults → number of worlds in which both happened. */
  readonly pairs: Readonly<Record<string, number>>
  readonly broken: readonly Broken[]
  readonly brokenWorlds: number
}
export type Broken = { readonly seed: number; readonly violation: Violation }

export const emptySummary: Summary = {
  worlds: 0,
  requests: 0,
  writes: 0,
  cycles: 0,
  crashes: 0,
  throttled: 0,
  cpuMs: 0,
  faults: {},
  pairs: {},
  broken: [],
  brokenWorlds: 0,
}

const brokenMax = 100

/** The summary with one more world, without its time. */
export function sumOf(sum: Summary, seed: number, { violations, requests, writes, cycles, crashes, throttled, faults }: Outcome): Summary {
  const kinds = Object.keys(faults).toSorted()
  const pairs = kinds.flatMap((one, index) => kinds.slice(index + 1).map((other) => [`${one} + ${other}`, 1] as const))
  const [violation] = violations
  return joined(sum, {
    ...{ worlds: 1, requests, writes, cycles, crashes, throttled, cpuMs: 0, faults },
    pairs: Object.fromEntries(pairs),
    broken: violation === undefined ? [] : [{ seed, violation }],
    brokenWorlds: violation === undefined ? 0 : 1,
  })
}

export function joined(a: Summary, b: Summary): Summary {
  const added = (name: { [Name in keyof Summary]: Summary[Name] extends number ? Name : never }[keyof Summary]) => a[name] + b[name]
  return {
    worlds: added('worlds'),
    requests: added('requests'),
    writes: added('writes'),
    cycles: added('cycles'),
    crashes: added('crashes'),
    throttled: added('throttled'),
    cpuMs: added('cpuMs'),
    faults: counts(a.faults, b.faults),
    pairs: counts(a.pairs, b.pairs),
    broken: [...a.broken, ...b.broken].toSorted((one, other) => one.seed - other.seed).slice(0, brokenMax),
    brokenWorlds: added('brokenWorlds'),
  }
}

function counts(a: Summary['faults'], b: Summary['faults']): Summary['faults'] {
  const sum = { ...a }
  for (const [name, count] of Object.entries(b)) sum[name] = (sum[name] ?? 0) + count
  return sum
}

export const pairsPossible = (kinds: number): number => (kinds * (kinds - 1)) / 2

const count = (n: number): string => n.toLocaleString('en-US')
export const most = (of: Summary['faults']): [string, number][] => Object.entries(of).toSorted(([, a], [, b]) => b - a)

export const brokenText = ({ seed, violation: { promise, what } }: Broken): string => `seed ${seed}: ${promise}: ${what}`

/** The results as text for a person. */
export function summaryText({
  worlds,
  requests,
  writes,
  cycles,
  crashes,
  throttled,
  cpuMs,
  faults,
  pairs,
  broken,
  brokenWorlds,
}: Summary): string {
  const per = (n: number) => count(Math.round((n * 1_000) / Math.max(1, worlds)))
  const kinds = Object.keys(faults).length
  return [
    `${count(worlds)} worlds, ${count(brokenWorlds)} broken; ${(cpuMs / Math.max(1, worlds)).toFixed(1)} ms of a processor each`,
    `for each thousand worlds: ${per(cycles)} cycles, ${per(requests)} requests, ${per(writes)} of them writes, ${per(crashes)} crashes, ${per(throttled)} refusals of the limiter, and`,
    ...most(faults).map(([name, times]) => `  ${per(times).padStart(8)}  ${name}`),
    `${Object.keys(pairs).length} of the ${pairsPossible(kinds)} pairs of these met, the rarest ${most(pairs)
      .slice(-3)
      .map(([name, times]) => `${name} (${count(times)})`)
      .join(', ')}`,
    ...broken.map(brokenText),
  ].join('\n')
}
