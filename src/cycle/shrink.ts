import { type GroupIndex, indexSize } from '../core/group.ts'
import { baselineOf, type Memory } from '../core/memory/memory.ts'
import { checkShrink, type Reading, type ShrinkLimit } from '../core/reading.ts'

/** The reading of a directory, demoted to partial if it lost too many groups since the last accepted one, which the memory knows. */
export const checkDirectory = (name: string, reading: Reading<GroupIndex>, limit: ShrinkLimit, memory: Memory): Reading<GroupIndex> =>
  checkShrink(reading, indexSize, {
    baseline: baselineOf(memory, name),
    limit,
    emptyPossible: false,
    setting: `directories.${name}.shrink`,
  })
