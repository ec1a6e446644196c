import * as fc from 'fast-check'
import { test } from 'vitest'
import { runs } from '../../long.ts'

/** The least number of runs of each property. If the variable is not set, the usual number takes about a second. See CONTRIBUTING.md. */
const asked = Number(process.env.PLANE_GROUP_SYNC_RUNS ?? 0)

/**
 * A test that a property holds. If it does not, fast-check prints the seed, the path and the smallest world that it found. A commit is tried with the same
 * worlds each time, so that only a change can break a test. Where a number of runs is asked for, the worlds are new.
 */
export function holds<T>(name: string, usualRuns: number, property: fc.IRawProperty<T>): void {
  const numRuns = Math.max(runs(usualRuns), asked)
  const limitMs = 30_000 + numRuns * 100
  // A world that takes long to shrink ends the test as it is.
  const options = { numRuns, interruptAfterTimeLimit: limitMs - 5_000, markInterruptAsFailure: true, ...(asked === 0 && { seed: 1 }) }
  test(name, async () => fc.assert(property, options), limitMs)
}

/** Worlds of a generator, the same ones in each run: how many of them are of a kind is then no matter of chance. */
export const sampleOf = <T>(arbitrary: fc.Arbitrary<T>): readonly T[] => fc.sample(arbitrary, { numRuns: 400, seed: 1 })
