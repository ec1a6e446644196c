import { checkedList } from '../http/checkedList.ts'
import { z } from '../yaml/zod.ts'
import { abreast } from './abreast.ts'
import type { Ask } from './ask.ts'
import { DirectoryError } from './directoryError.ts'
import type { Node } from './keycloakTree.ts'
import { byOffset, readPages } from './paging.ts'

const Members = checkedList(z.object({ id: z.string().min(1), enabled: z.boolean().optional() }))

/** A group with more is not worth its pages: the number only tells a person how far a mapping reaches. */
const membersMax = 100_000

/**
 * Enabled direct members by group id. There is no count to ask for (404), so the list is read. A number that cannot be had is left out: nothing
 * is decided by it, so it does not make a reading less than complete. Where one answer says that no number can be had, the rest is not asked.
 */
export async function countPeople(
  ask: Ask,
  groups: readonly Node[],
  { pageSize, concurrency }: { readonly pageSize: number; readonly concurrency: number },
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const people = new Map<string, number>()
  let hopeless = false

  async function count({ id }: Node): Promise<void> {
    if (hopeless) return
    try {
      const members = await readMembers(ask, id, pageSize, signal)
      if (members.missing === undefined) people.set(id, members.items.filter(({ enabled }) => enabled !== false).length)
    } catch (error) {
      if (!(error instanceof DirectoryError) || error.code === 'aborted') throw error
      hopeless = error.code !== 'missing'
    }
  }

  await abreast(groups, concurrency, count)
  return people
}

function readMembers(ask: Ask, group: string, pageSize: number, signal: AbortSignal) {
  const path = `/groups/${encodeURIComponent(group)}/members`
  const idOf = ({ id }: { id: string }) => id
  const rows = (first: number, max: number, signal: AbortSignal) =>
    ask(path, { first: `${first}`, max: `${max}`, briefRepresentation: 'true' }, Members, signal)
  return readPages({ at: 0 }, byOffset({ pageSize, idOf, rows }), { idOf, pagesMax: Math.ceil(membersMax / pageSize) + 1 }, signal)
}
