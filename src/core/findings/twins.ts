import type { Finding } from '../finding.ts'
import type { Key, Mapping, WorkspaceName } from '../mapping.ts'
import type { LastApplied } from '../memory/lastApplied.ts'
import { counted, listedFirst, momentText } from '../quantity.ts'

/** Key → our last write to it. The list shows two mappings of the key: one that this program made, and one that it did not make. */
export type Twins = ReadonlyMap<Key, LastApplied>

const shownMax = 10

/**
 * Mappings that this program made, and that exist a second time. A create is only sent if the whole list lacks the mapping. So another writer
 * made the second one after that list was requested, or the list hid it.
 *
 * @param lists the managed mappings
 */
export function foreignTwins(lists: Iterable<readonly Mapping[]>, lastApplied: readonly LastApplied[]): Twins {
  const ours = new Map(lastApplied.map((one) => [one.key, one]))
  if (ours.size === 0) return new Map()
  const seen = [...lists].flatMap((mappings) => mappings.filter(({ key }) => ours.has(key)))
  const byKey = Map.groupBy(seen, ({ key }) => key)
  const isTwin = ({ key, made = [] }: LastApplied) => {
    const ids = (byKey.get(key) ?? []).map(({ id }) => id)
    return ids.some((id) => made.includes(id)) && ids.some((id) => !made.includes(id))
  }
  return new Map([...ours].filter(([, one]) => isTwin(one)))
}

/** One finding for all of them: another program creates in this workspace. While they exist, the gate holds all further creates. */
export function twinsFinding(workspace: WorkspaceName, twins: Twins): readonly Finding[] {
  if (twins.size === 0) return []
  const shown = [...twins.values()]
    .slice(0, shownMax)
    .map(({ key, atMs }) => `${key.slice(workspace.length + 1)} (made at ${momentText(atMs.at(-1) ?? 0)})`)
  const exist = twins.size === 1 ? 'exists' : 'exist'
  return [
    {
      code: 'another-writer',
      severity: 'error',
      place: workspace,
      sentence: `${counted(twins.size, 'mapping')} of this program ${exist} twice, and another writer made the second one: ${listedFirst(shown, twins.size)}; nothing more is created in this workspace`,
      cure: 'a workspace must have one writer: look for a second plane-group-sync with its own journal, and stop it; then delete one mapping of each pair in Plane, or add these groups to unmanaged: in this declaration, so that only the other writer manages them; creates go on when no pair is left',
    },
  ]
}

/** Whether the finding is about the duplicate of a key that `twinsFinding` names. */
export const isNamedAsTwin = ({ code, place }: Finding, twins: Twins): boolean => code === 'duplicate-mapping' && twins.has(place as Key)
