import { visible } from '../../core/safeName.ts'
import { httpDate } from '../../http/rateHeaders.ts'
import type { GroupList, Listed } from './list.ts'

/** The clocks of Okta's servers may differ by this much. */
const clocksDifferMs = 60_000

/**
 * Whether a list of several pages moved while it was read. Okta has no total, and does not say by what its cursor sorts: a rename may move a group from
 * the pages that are still to come to those that were read. So the groups whose profiles have changed since the first page are listed once more; each of
 * them must have been read, and with the same name.
 *
 * @param changedSince lists the groups whose profiles have changed since this time (ISO 8601)
 * @returns why the list is perhaps not whole
 */
export async function changedMeanwhile(
  { items, pages, server }: GroupList,
  changedSince: (time: string) => Promise<GroupList>,
): Promise<string | undefined> {
  if (pages < 2) return undefined
  const beganMs = httpDate(server)
  if (beganMs === undefined)
    return 'the answers have no header Date, so it cannot be asked whether groups have changed while they were read'
  const changed = await changedSince(new Date(beganMs - clocksDifferMs).toISOString())
  if (changed.missing !== undefined) return changed.missing
  const read = new Map(items.map((group) => [group.id, group]))
  for (const group of changed.items) {
    const why = difference(read.get(group.id), group)
    if (why !== undefined) return `the group ${visible(group.name ?? group.id)} ${why}`
  }
  return undefined
}

function difference(read: Listed | undefined, now: Listed): string | undefined {
  if (read === undefined) return 'was made or renamed while the groups were read, and was not among them'
  return read.name === now.name ? undefined : `had another name, ${visible(read.name ?? 'none')}, when it was read a moment before`
}
