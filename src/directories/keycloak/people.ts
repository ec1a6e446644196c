import { DirectoryError } from '../directoryError.ts'
import { mapConcurrently } from '../mapConcurrently.ts'
import type { Ask } from '../overHttp/ask.ts'
import { openListEnds } from './listEnds.ts'
import type { Node } from './tree.ts'
import { membersPath, openPeople, readUsers } from './users.ts'

/**
 * The number of enabled direct members by group id, without the accounts of clients. Keycloak has no address for the number (404), so the lists are read. A
 * group whose list cannot be read, or among whose members it is not known who is a person, is left out; the reading stays complete, because no decision
 * needs the number. A group whose list is empty is left out, too: an empty answer proves nothing (keycloak/keycloak#51268), and a second request for each
 * such group would double the requests of many realms. After an error of a list other than `missing` no further list is read. If a gateway cuts the
 * lists, no number is given.
 */
export async function countPeople(
  ask: Ask,
  groups: readonly Node[],
  { address, pageSize, concurrency }: { readonly address: URL; readonly pageSize: number; readonly concurrency: number },
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const people = new Map<string, number>()
  const ends = openListEnds(ask, { address, pageSize })
  const peopleAmong = openPeople(ask, pageSize)
  let hopeless = false

  async function count({ id }: Node): Promise<void> {
    if (hopeless) return
    try {
      const members = await readUsers(ask, membersPath(id), { pageSize, confirmEmpty: false }, signal)
      if (members.missing !== undefined || members.items.length === 0) return
      ends.note('members', membersPath(id), members.items.length)
      const persons = await unlessRefused(peopleAmong(members.items, signal))
      if (persons !== undefined && !('missing' in persons)) people.set(id, persons.filter(({ enabled }) => enabled !== false).length)
    } catch (error) {
      if (!(error instanceof DirectoryError) || error.code === 'aborted') throw error
      hopeless ||= error.code !== 'missing'
    }
  }

  await mapConcurrently(groups, concurrency, count)
  const areWhole = hopeless || (await unlessRefused(ends.check(signal).then(() => true)))
  return areWhole === true ? people : new Map()
}

/** @returns undefined for an error of the directory, except the end of the whole reading */
async function unlessRefused<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (!(error instanceof DirectoryError) || error.code === 'aborted') throw error
    return undefined
  }
}
