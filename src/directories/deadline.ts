import type { GroupIndex } from '../core/group.ts'
import type { Reading } from '../core/reading.ts'

/** The time that a reading may still take. A request that would have to wait for longer is not worth its wait. */
export type Deadline = { leftMs(): number }

export const noDeadline: Deadline = { leftMs: () => Number.POSITIVE_INFINITY }

/** Reads a directory once. A kind of directory is a function of its settings and its surroundings that returns such a reader. */
export type ReadGroups = (signal: AbortSignal, deadline: Deadline) => Promise<Reading<GroupIndex>>
