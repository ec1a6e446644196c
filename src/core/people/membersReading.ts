import type { Reading } from '../reading.ts'
import type { Memberships } from './members.ts'

/** The answer of a directory about the members of some groups. `unread`: id of a group that the value lacks → why. A kind without `unread` says why of all together. */
export type MembersReading = Reading<Memberships> & { readonly unread?: ReadonlyMap<string, UnreadGroup> }

/** `notAsked`: the reading ended before the group was asked for, so it did not fail itself. `pause`: it is not asked for in each cycle. */
export type UnreadGroup = {
  readonly why: string
  readonly cure?: string
  readonly notAsked?: true
  readonly pause?: { readonly sinceMs: number; readonly againMs: number }
}

const longestMs = 3_600_000

/**
 * How long a group whose members were not read is left alone: until the next cycle, then twice as long after each further failure, at most an hour.
 *
 * @param failures in a row, 1 or more
 * @param cycleMs the time from one cycle to the next
 */
export const memberPauseMs = (failures: number, cycleMs: number): number => Math.min(longestMs, cycleMs * 2 ** Math.min(failures - 1, 30))
