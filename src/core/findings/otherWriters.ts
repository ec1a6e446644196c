import { type Change } from '../change.ts'
import { type Finding } from '../finding.ts'
import { type Key, lists, type Mapping, presentRole, type WorkspaceName } from '../mapping.ts'
import { knownIds, listName } from '../memory/knownMappings.ts'
import { isEchoed, type LastApplied, lastAppliedAt, type RevertContext, reverts } from '../memory/lastApplied.ts'
import { type Memory } from '../memory/memory.ts'
import { at } from '../memory/shardedMap.ts'
import { type Plan } from '../plan.ts'
import { counted, listedFirst, momentText } from '../quantity.ts'
import { echoFinding } from './diffFindings.ts'

type Known = Pick<Memory, 'mappings' | 'lastApplied'>

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
  const ours = new Map(lastApplied.map((entry) => [entry.key, entry]))
  if (ours.size === 0) return new Map()
  const seen = [...lists].flatMap((mappings) => mappings.filter(({ key }) => ours.has(key)))
  const byKey = Map.groupBy(seen, ({ key }) => key)
  const isTwin = ({ key, made = [] }: LastApplied) => {
    const ids = (byKey.get(key) ?? []).map(({ id }) => id)
    return ids.some((id) => made.includes(id)) && ids.some((id) => !made.includes(id))
  }
  return new Map([...ours].filter(([, entry]) => isTwin(entry)))
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

/**
 * The finding needs one key that was undone twice, or three keys that were undone once. One or two corrections by hand are ordinary drift,
 * which this program repairs.
 */
const roundsMin = 2
const keysMin = 3
const revertsShownMax = 3

/**
 * A finding if written changes have to be written again, because another writer undoes them. A second program undoes many keys at once, or the same
 * key each time; a person undoes one or two, once. If the service itself stores another role, the finding is `role-echoed` instead.
 *
 * @param existing all mappings that were read
 */
export function anotherWriterFindings(
  { workspace, changes, holds }: Plan,
  context: RevertContext & { readonly memory: Known },
  existing: readonly Mapping[],
): readonly Finding[] {
  // Holds by the policy may be thousands, and these changes were never written.
  const waiting = holds.filter(({ reason }) => reason.kind !== 'undeclared' && reason.kind !== 'policy')
  const allChanges = [...changes, ...waiting.flatMap(({ change }) => change ?? [])]
  const echoed: Finding[] = []
  const back = allChanges.flatMap((change) => {
    if (isEchoed(change, context)) {
      echoed.push(echoFinding(workspace, change.role, change.before))
      return []
    }
    const times = reverts(change, context)
    return isUndone(change, times, context) ? [{ change, times }] : []
  })
  const most = back.toSorted((a, b) => b.times.length - a.times.length)
  if ((most[0]?.times.length ?? 0) < roundsMin && back.length < keysMin) return echoed
  const now = (change: Change) => keyNow(workspace, change, context.memory, existing)?.slice(workspace.length + 1)
  const shown = most.slice(0, revertsShownMax).map(({ change, times }) => undoneText(workspace, change, times, now(change)))
  const cure =
    'a workspace must have one writer: look for a second plane-group-sync with its own journal, or for a person who edits in Plane; stop one of the two writers, or add these groups to unmanaged: in this declaration, so that only the other writer manages them'
  const ofRoles = most.some(({ change }) => change.action === 'patch') ? '; if Plane itself stores another role, set roles.aliases' : ''
  return [
    ...echoed,
    {
      code: 'another-writer',
      severity: 'warning',
      place: workspace,
      sentence: `another writer undoes our changes: ${listedFirst(shown, back.length)}`,
      cure: cure + ofRoles,
    },
  ]
}

/** Whether the change was undone. A slow list may show the earlier state, but for no longer than Δ, and not twice. */
function isUndone({ key }: Change, times: readonly number[], { memory, readAtMs }: RevertContext): boolean {
  if (times.length === 0) return false
  return times.length >= roundsMin || (lastAppliedAt(memory.lastApplied, key)?.shownFromMs ?? 0) <= readAtMs
}

/** Where a mapping of the key is now, by its id: a person may have renamed it in Plane. */
function keyNow(
  workspace: WorkspaceName,
  { key }: Change,
  { mappings, lastApplied }: Known,
  existing: readonly Mapping[],
): Key | undefined {
  const ids = lists.flatMap((list) => knownIds(at(mappings, listName(workspace, list)), key))
  const ownIds = new Set<string>([...ids, ...(lastAppliedAt(lastApplied, key)?.made ?? [])])
  return existing.find(({ id }) => ownIds.has(id))?.key
}

function undoneText(workspace: WorkspaceName, change: Change, times: readonly number[], now: string | undefined): string {
  const place = change.key.slice(workspace.length + 1)
  const often = times.length === 1 ? 'written at' : `written ${times.length} times since`
  return `${place} (${often} ${momentText(times[0] as number)}, found ${foundText(change, now)})`
}

function foundText(change: Change, now: string | undefined): string {
  switch (change.action) {
    case 'create':
      return now === undefined ? 'missing' : `under ${now}`
    case 'patch':
      return `as ${presentRole(change.before)}`
    case 'rename':
      return `under ${change.fromGroup}`
    case 'delete':
      return `back as ${presentRole(change.before)}`
    case 'settings':
      return 'changed'
    default:
      return change satisfies never
  }
}
