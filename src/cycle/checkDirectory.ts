import { checkExpected, type Expected } from '../core/expected.ts'
import { type GroupIndex, indexSize } from '../core/group.ts'
import { baselineOf } from '../core/memory/baselines.ts'
import type { Memory } from '../core/memory/memory.ts'
import { checkShrink, type Reading, type ShrinkLimit } from '../core/reading.ts'

/**
 * Which complete readings of a directory are believed. `expect`: the least that its groups are. `shrink`: absent for a reading that was checked before.
 */
export type DirectoryChecks = { readonly shrink?: ShrinkLimit; readonly expect?: Expected }

/**
 * The reading of a directory, demoted to partial if it lacks groups that the settings expect, or lost too many groups since the last accepted
 * reading, which the memory knows.
 */
export function checkDirectory(
  name: string,
  reading: Reading<GroupIndex>,
  { shrink, expect }: DirectoryChecks,
  memory: Memory,
): Reading<GroupIndex> {
  const setting = `directories.${name}`
  const expected = expect === undefined ? reading : checkExpected(reading, expect, `${setting}.expect`)
  if (shrink === undefined) return expected
  const baseline = baselineOf(memory, name)
  return checkShrink(expected, indexSize, { baseline, limit: shrink, setting: `${setting}.shrink` })
}
