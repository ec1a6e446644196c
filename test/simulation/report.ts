import type { Violation } from './audit/violation.ts'
import type { Plant } from './plants.ts'
import { type Simulation, simulate } from './simulate.ts'
import { most, pairsPossible, type Summary } from './summary.ts'

/** The results of many worlds, for programs. */
export type Report = Pick<Summary, 'worlds' | 'brokenWorlds' | 'broken' | 'cycles' | 'requests' | 'writes' | 'crashes' | 'throttled'> & {
  readonly seeds: { readonly from: number; readonly to: number }
  /** The crashes that were not power failures. */
  readonly kills: number
  /** How often each kind of fault happened, the most frequent first. */
  readonly faults: Readonly<Record<string, number>>
  /** Pairs of faults that happened in one world. `possible`: all pairs of the kinds that happened at all. */
  readonly pairs: { readonly met: number; readonly possible: number; readonly rarest: Readonly<Record<string, number>> }
}

const rarestMax = 20

export function reportOf(summary: Summary, from: number): Report {
  const { worlds, brokenWorlds, broken, cycles, requests, writes, crashes, throttled, faults, pairs } = summary
  return {
    ...{ worlds, seeds: { from, to: from + worlds - 1 }, brokenWorlds, broken },
    ...{ cycles, requests, writes, crashes, kills: faults['kill'] ?? 0, throttled },
    faults: Object.fromEntries(most(faults)),
    pairs: {
      met: Object.keys(pairs).length,
      possible: pairsPossible(Object.keys(faults).length),
      rarest: Object.fromEntries(most(pairs).toReversed().slice(0, rarestMax)),
    },
  }
}

/** A planted mistake, and the first world that shows it. */
export type Found = Pick<Plant, 'name' | 'file' | 'from' | 'to'> & {
  readonly worlds: number
  readonly seed?: number
  /** The check that found it. */
  readonly violation?: Violation
}

/** Worlds are given to workers in order, and all given worlds are run. So the found seed is the first one, for any number of workers. */
export async function search(
  { name, file, from: was, to, breaks }: Plant,
  where: Pick<Simulation, 'from' | 'worldsMax' | 'workers'>,
): Promise<Found> {
  const { broken, worlds } = await simulate({ ...where, plant: name, untilBroken: breaks })
  const first = broken.find(({ violation }) => breaks.includes(violation.promise))
  const plant = { name, file, from: was, to }
  return first === undefined ? { ...plant, worlds } : { ...plant, worlds: first.seed - where.from + 1, ...first }
}

export const foundText = ({ name, worlds, seed, violation }: Found): string =>
  violation === undefined
    ? `${name}: not found in ${worlds} worlds`
    : `${name}: found in ${worlds} worlds, seed ${seed}: ${violation.promise}: ${violation.what}`
