import * as fc from 'fast-check'
import { test } from 'vitest'

/** How often each property is tried at least; absent: what takes a second or so. See CONTRIBUTING.md. */
const asked = Number(process.env.PLANE_GROUP_SYNC_RUNS ?? 0)

/** A test that a property holds. Where it does not, fast-check prints the seed, the path and the smallest world that it found. */
export function holds<T>(name: string, usualRuns: number, property: fc.IRawProperty<T>): void {
  const numRuns = Math.max(usualRuns, asked)
  // No run takes longer than this, shrinking included.
  test(name, async () => fc.assert(property, { numRuns }), 30_000 + numRuns * 100)
}
