import type { Existing } from '../core/existing.ts'
import { type GroupName, type Key, type List, listOf, type MappingId } from '../core/mapping.ts'
import type { ToldById } from '../core/memory/knownMappings.ts'
import type { Plan } from '../core/plan.ts'
import { valueIfRead } from '../core/reading.ts'
import { type Presence, type Reader, Stopped } from './readExisting.ts'

/** What the memory knows of the mappings of a list: the ids of a key, and the keys of an id. */
export type KnownIds = {
  idsOf(list: List, key: Key): readonly MappingId[]
  keysOf(list: List, id: MappingId): readonly Key[]
  /** The keys of all mappings of a group that are known. */
  keysOfGroup(list: List, group: GroupName): readonly Key[]
  /** False: Plane may not show our last write to the key yet, so its answer about the key proves nothing. The gate holds a create there. */
  isSettled(key: Key): boolean
}

type Told = { readonly gone: Set<MappingId>; readonly moved: Map<MappingId, Key> }

/**
 * Asks by id for each mapping that the memory knows at another key than the list shows, or that the list does not show, where a change relies on that: it
 * would make the mapping again, replace it, or write to it. If the service does not say the same as its list, the list proves nothing: the reading becomes
 * partial. So it does if the answer proves nothing.
 *
 * Before a group gets a new mapping, its known mappings of all projects are asked for that the list does not show: a project may have another identifier
 * now. Each list is asked about for itself: an id of one list means nothing in the other.
 *
 * @param formerKeys the keys that a create replaces by `previously`
 * @throws {Stopped}
 */
export async function askById(
  { changes }: Plan,
  existing: Existing,
  known: KnownIds,
  formerKeys: (key: Key) => readonly Key[],
  read: Pick<Reader, 'mapping'>,
  signal: AbortSignal,
): Promise<{ readonly existing: Existing; readonly told: ReadonlyMap<List, ToldById> }> {
  const lists = new Map(existing.lists)
  const told = new Map([...lists.keys()].map((list): [List, Told] => [list, { gone: new Set(), moved: new Map() }]))
  const shownAt = new Map(
    [...lists].map(([list, reading]) => [list, new Map((valueIfRead(reading) ?? []).map(({ id, key }) => [id, key]))]),
  )
  const groups = new Set<string>()
  /** The other known keys of the group; empty from the second time on. */
  const otherKeys = (list: List, group: GroupName, own: Key) => {
    const name = `${list}/${group}`
    return groups.has(name) ? [] : groups.add(name) && known.keysOfGroup(list, group).filter((key) => key !== own)
  }
  for (const change of changes) {
    if (change.action === 'settings') continue
    const list = listOf(change.target)
    const made = (change.action === 'create' || change.action === 'rename') && known.isSettled(change.key) ? [change.key] : []
    const missing = change.action === 'create' ? [...made, ...formerKeys(change.key), ...otherKeys(list, change.group, change.key)] : made
    const asked = missing.flatMap((key) => known.idsOf(list, key).map((id) => [id, key] as const))
    if (change.action !== 'create') for (const key of known.keysOf(list, change.mapping)) asked.push([change.mapping, key])
    for (const [id, key] of asked) {
      const reading = lists.get(list)
      const shown = shownAt.get(list)?.get(id)
      const { gone, moved } = told.get(list) as Told
      if (reading?.status !== 'complete' || shown === key || gone.has(id) || moved.has(id)) continue
      const answer = await read.mapping(list, id, signal)
      if (signal.aborted) throw new Stopped('stopped before its lists were read whole')
      if (answer.is === 'there' && answer.key === shown) moved.set(id, shown)
      else if (answer.is === 'gone' && shown === undefined && known.isSettled(key)) gone.add(id)
      else lists.set(list, { ...reading, status: 'partial', ...whyUnproved(id, key, shown, answer) })
    }
  }
  return { existing: { ...existing, lists }, told }
}

/** `cure`: absent if it ends by itself. */
type Unproved = { readonly missing: string; readonly cure?: string }

const otherRows =
  'a proxy, a cache or a replica gives other rows than Plane: compare the list with the mapping at its own address, once through the proxy and once without it, and correct what hides the rows'

/** @param shown the key at which the list shows the mapping; undefined if it does not show it */
function whyUnproved(id: MappingId, key: Key, shown: Key | undefined, answer: Presence): Unproved {
  const name = (fullKey: Key) => fullKey.slice(fullKey.indexOf('/') + 1)
  const mapping = `the mapping ${name(key)} (id ${id})`
  if (answer.is === 'gone' && shown === undefined)
    return { missing: `the list does not show ${mapping} yet, which this program wrote a moment ago` }
  if (answer.is === 'unproved')
    return {
      missing:
        shown === undefined
          ? `the list lacks ${mapping}, and Plane did not say whether it still has it: ${answer.why}`
          : `the list shows ${mapping} as ${name(shown)}, and Plane did not say whether that is so: ${answer.why}`,
      cure: `let the address …-mappings/${id}/ through to Plane`,
    }
  if (shown === undefined)
    return { missing: `the list lacks ${mapping}, which Plane still has, so it may lack others, too`, cure: otherRows }
  const itself = answer.is === 'gone' ? 'Plane does not have it any more' : `Plane itself has it as ${name(answer.key)}`
  return { missing: `the list shows ${mapping} as ${name(shown)}, and ${itself}, so it may show others wrongly, too`, cure: otherRows }
}
