import type { Cause } from '../cause.ts'
import type { MappingChange } from '../change.ts'
import type { Hold, HoldReason } from '../hold.ts'
import { type GroupName, type Key, listOfKey, type Mapping, type Role, type WorkspaceName } from '../mapping.ts'
import { once } from '../once.ts'
import { defined } from '../optionalFields.ts'
import type { Provenance } from '../rule.ts'
import { knownIds, listName } from './knownMappings.ts'
import { lastAppliedAt } from './lastApplied.ts'
import type { MeantIds } from './meantIds.ts'
import type { Memory } from './memory.ts'
import { ownedListOf } from './ownership.ts'
import type { Since } from './seen.ts'
import { at } from './shardedMap.ts'

type Known = Pick<Memory, 'seen' | 'edits' | 'mappings' | 'lastApplied' | 'ownership' | 'meantGroups'>

type CausesInput = {
  readonly workspace: WorkspaceName
  /** Before this reading is stored. */
  readonly memory: Known
  readonly existing: readonly Mapping[]
  /** The groups that texts mean, as far as the memory does not have them: `directory/name` → id → texts. */
  readonly meant: MeantIds
  /** After the lists were read, epoch ms. */
  readonly nowMs: number
}

/**
 * Where the entries of a plan come from, as far as the memory knows it.
 *
 * | entry                                                               | cause                       |
 * |---------------------------------------------------------------------|-----------------------------|
 * | a delete since a rule ended, a rule that has not started            | `date`                      |
 * | a mapping that was as it is wanted now, or that others made         | `plane`, with the span      |
 * | the role that Plane answered instead of this one                    | `service`                   |
 * | a group that a known text selects for the first time                | `directory`                 |
 * | a group that no directory has, or another group under its name      | `directory`                 |
 * | a mapping of ours that another role or none is wanted for           | `file`                      |
 * | any other                                                           | not known                   |
 */
export function openCauses({ workspace, memory, existing, meant, nowMs }: CausesInput) {
  const byKey = once(() => Map.groupBy(existing, ({ key }) => key))
  const knownTexts = once(() => new Set(Object.values(at(memory.meantGroups, workspace) ?? {}).flatMap((ids) => Object.values(ids).flat())))
  const seenOf = (key: Key) => at(memory.seen, listName(workspace, listOfKey(key)))

  /** Since when others made the mapping so; undefined: they did not, or it is not known. */
  function editOf({ id, key, role }: Mapping): Since | undefined {
    const list = seenOf(key)
    if (list === undefined || Object.hasOwn(list.doubts, key)) return undefined
    const known = at(list.mappings, id)
    const isNew = known?.key !== key || known.role !== role
    const since = isNew ? ({ by: 'others', afterMs: list.readMs, atMs: nowMs } as const) : known.since
    return since.by === 'others' ? since : undefined
  }

  /** Since when others took the mapping of a key away. */
  function removalAt(key: Key): Since | undefined {
    const list = seenOf(key)
    if (list === undefined || Object.hasOwn(list.doubts, key)) return undefined
    const edit = memory.edits.findLast((candidate) => candidate.key === key)
    if (edit !== undefined && edit.after === undefined) return edit.by === 'others' ? edit : undefined
    return knownIds(at(memory.mappings, listName(workspace, listOfKey(key))), key).length > 0
      ? { by: 'others', afterMs: list.readMs, atMs: nowMs }
      : undefined
  }

  const ownRole = (key: Key): Role | null | undefined => at(ownedListOf(memory, workspace, listOfKey(key)).keys, key)?.role
  /** Whether the key once had this role, by a write or by a rule. */
  const hadRole = (key: Key, role: Role): boolean => lastAppliedAt(memory.lastApplied, key)?.role === role || ownRole(key) === role

  /** A text that the memory knows selects the group for the first time. */
  function isNewInDirectory(group: GroupName, because: Provenance | undefined): boolean {
    const name = `${because?.directory}/${group}`
    if (because?.directory === undefined || Object.hasOwn(at(memory.meantGroups, workspace) ?? {}, name)) return false
    return Object.values(Object.hasOwn(meant, name) ? (meant[name] ?? {}) : {}).some((texts) =>
      texts.some((text) => knownTexts().has(text)),
    )
  }

  function causeOfChange(change: MappingChange): Cause | undefined {
    const { key, group, because } = change
    switch (change.action) {
      case 'delete':
        if (change.why === 'expired') return { kind: 'date' }
        return change.why === 'duplicate' ? undefined : { kind: 'file' }
      case 'rename':
        return { kind: change.sameGroup === true ? 'directory' : 'file' }
      case 'create': {
        const removal = removalAt(key)
        if (removal !== undefined || hadRole(key, change.role)) return planeCause(removal)
        return isNewInDirectory(group, because) ? { kind: 'directory' } : undefined
      }
      case 'patch': {
        const last = lastAppliedAt(memory.lastApplied, key)
        if (last?.role === change.role && last.echoed !== undefined && last.echoed === change.before) return { kind: 'service' }
        const edit = editOf({ id: change.mapping, key, group, target: change.target, role: change.before })
        if (hadRole(key, change.role)) return planeCause(edit)
        return ownRole(key) === change.before ? { kind: 'file' } : undefined
      }
      default:
        return change satisfies never
    }
  }

  function causeOfHold({ key, reason, change }: Hold): Cause | undefined {
    if (ofDirectory.has(reason.kind)) return { kind: 'directory' }
    if (reason.kind === 'notStarted' || reason.kind === 'clocksDiffer') return { kind: 'date' }
    if (reason.kind === 'roleEchoed' || reason.kind === 'nameEchoed') return { kind: 'service' }
    if (reason.kind === 'flapping') return { kind: 'plane' }
    if (reason.kind !== 'undeclared' && reason.kind !== 'perhapsRenamed')
      return change === undefined || change.action === 'settings' ? undefined : causeOfChange(change)
    const edits = (byKey().get(key) ?? []).map(editOf)
    const edit = edits.find((since) => since !== undefined)
    if (edit !== undefined) return planeCause(edit)
    return ownRole(key) === undefined ? undefined : { kind: 'file' }
  }
  return { ofChange: causeOfChange, ofHold: causeOfHold }
}

const planeCause = (since: Since | undefined): Cause => ({
  kind: 'plane',
  ...defined({ afterMs: since?.afterMs, atMs: since?.atMs }),
})

const ofDirectory: ReadonlySet<HoldReason['kind']> = new Set(['groupUnknown', 'groupChanged', 'labelDiffers', 'ambiguous', 'unsafeName'])
