import type { Group } from '../../core/group.ts'
import type { Pages } from '../overHttp/paging.ts'
import { pathPart } from '../overHttp/pathPart.ts'
import type { DirectMembers, MembershipsFound, ReadDirect } from './membership.ts'
import { readPermitted } from './permitted.ts'

/** How the members of a group are listed by an API that has one list for each group. */
type MemberList<Row> = {
  /** The address below which the paths are, as sentences show it. */
  readonly address: string
  readonly path: (group: string) => string
  readonly rows: (path: string, signal: AbortSignal) => Promise<Pages<Row>>
  /** Why these rows do not tell how many people the group has. */
  readonly unclear?: (rows: readonly Row[], group: string, signal: AbortSignal) => Promise<string | undefined> | string | undefined
  readonly membersOf: (rows: readonly Row[], where: string) => DirectMembers
  /** Whether the groups inside a group are read, too. */
  readonly nested: boolean
}

/** The members of groups, each of which has one list. A group whose list is not whole or not clear is left out. */
export function readMemberLists<Row>(groups: readonly Group[], list: MemberList<Row>, signal: AbortSignal): Promise<MembershipsFound> {
  const { address, unclear = () => undefined } = list
  const direct: ReadDirect = async (group, signal) => {
    const path = list.path(pathPart(group))
    const where = `${address.replace(/\/$/, '')}${path}`
    const { items, missing } = await list.rows(path, signal)
    const why = missing ?? (await unclear(items, group, signal))
    return why === undefined ? list.membersOf(items, where) : { missing: `${where}: ${why}` }
  }
  const ids = groups.map(({ id }) => id)
  return readPermitted(ids, direct, { nested: list.nested }, signal)
}
