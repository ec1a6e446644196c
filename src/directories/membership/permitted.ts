import { DirectoryError } from '../directoryError.ts'
import { type MembershipsFound, type ReadDirect, readMemberships } from './membership.ts'

/** How many groups are read at the same time. */
const atOnce = 8

/** After so many refusals, and without any group that was read, the account has no right to read members. */
const refusalsMax = atOnce

/** The largest group whose members are read. Of a larger one the number of people is unknown. */
export const membersMax = 100_000
export const tooManyMembers = 'there are more than 100,000 members'

/** Requests of one reading of members, over all groups. It ends the reading of a server that repeats itself or always fails. */
export const membersRequestsMax = 100_000

/**
 * The members of each of these groups, as `readMemberships` gives them. A group that is not there any more (404), or that the account may not read (403),
 * is left out, and the others are read. If the account may not read any of them, the reading fails, because that failure has a cure.
 *
 * @param nested whether `read` is also asked for the groups inside a group
 */
export async function readPermitted(
  wanted: readonly string[],
  read: ReadDirect,
  { nested }: { readonly nested: boolean },
  signal: AbortSignal,
): Promise<MembershipsFound> {
  const refusals: DirectoryError[] = []
  let isAllowed = false

  const readOne: ReadDirect = async (group, signal) => {
    try {
      const members = await read(group, signal)
      isAllowed = true
      return members
    } catch (error) {
      if (!(error instanceof DirectoryError) || (error.code !== 'missing' && error.code !== 'rights')) throw error
      if (error.code === 'rights') refusals.push(error)
      if (!isAllowed && refusals.length >= refusalsMax) throw error
      return { missing: error.message }
    }
  }

  const found = await readMemberships(wanted, readOne, { nested, atOnce }, signal)
  const [refusal] = refusals
  if (refusal === undefined) return found
  if (!isAllowed) throw refusal
  return { memberships: found.memberships, missing: [found.missing, refusal.cure].filter((text) => text !== undefined).join('; ') }
}
