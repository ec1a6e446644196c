import type { Violation } from './audit/violation.ts'
import type { Plant } from './plants.ts'
import { type Simulation, simulate } from './simulate.ts'
import { most, pairsPossible, type Summary } from './summary.ts'

/** What came of many worlds, as a program reads it. */
export type Report = Pick<Summary, 'worlds' | 'brokenWorlds' | 'broken' | 'cycles' | 'requests' | 'writes' | 'crashes' | 'throttled'> & {
  readonly seeds: { readonly from: number; readonly to: number }
  /** Those of the crashes that were no power failures. */
  readonly kills: number
  /** How often each kind struck, the most frequent first. */
  readonly faults: Readonly<Record<string, number>>
  /** Two kinds of faults in one world, of the kinds that there were. */
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

/** A planted fault, and the first world that shows it. */
export type Found = Pick<Plant, 'name' | 'file' | 'from' | 'to'> & {
  readonly worlds: number
  readonly seed?: number
  /** By which check. */
  readonly violation?: Violation
}

/** Worlds are given out in order, and all that were given out are run: whatever the number of workers, the seed found is the first. */
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
