import type { Group, GroupIndex } from '../core/group.ts'
import type { MembersReading } from '../core/people/membersReading.ts'
import type { Reading } from '../core/reading.ts'

/** The time that a reading may still take. A request that would have to wait for longer is not worth its wait. */
export type Deadline = {
  leftMs(): number
  /** The name of the limit in the settings. */
  readonly setting?: string | undefined
}

export const noDeadline: Deadline = { leftMs: () => Number.POSITIVE_INFINITY }

/** Reads the groups of a directory once. */
export type ReadGroups = (signal: AbortSignal, deadline: Deadline) => Promise<Reading<GroupIndex>>
/**
 * Reads the members of some groups of the last reading. A group that could not be read whole is not in the value.
 *
 * @param asOfMs epoch ms by the machine's clock: accounts that have ended by then are no people's
 */
type ReadMembersOf = (groups: readonly Group[], asOfMs: number, signal: AbortSignal, deadline: Deadline) => Promise<MembersReading>

/** A kind of directory is a function of its settings and its environment that returns such readers. `members`: absent if the settings ask for none. */
export type DirectoryReaders = { readonly read: ReadGroups; readonly members?: ReadMembersOf }
