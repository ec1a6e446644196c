import type { Change, ChangeId } from '../../core/change.ts'
import { defined, whole } from '../../core/fields.ts'
import type { GroupName, Key, MappingId, Role } from '../../core/mapping.ts'
import { becauseFromStored, type StoredBecause, storedBecause } from './because.ts'
import { groupSyncFromStored, type StoredGroupSync, storedGroupSync } from './groupSync.ts'
import { type StoredTarget, storedTarget, targetFromStored } from './target.ts'
import { inField, notUnderstood, read, type Tell } from './unknown.ts'

export type StoredChange = StoredCreate | StoredPatch | StoredRename | StoredDelete | StoredSettings

type Mapped = { readonly key: Key; readonly group: GroupName; readonly target: StoredTarget; readonly because?: StoredBecause | undefined }
type Granting = Mapped & { readonly role: Role; readonly allowProtected?: boolean | undefined; readonly people?: number | undefined }
type Named = { readonly id: ChangeId; readonly requires: readonly ChangeId[] }

type StoredCreate = Granting & { readonly action: 'create' } & Named
type StoredPatch = Granting & { readonly action: 'patch'; readonly mapping: MappingId; readonly before: Role | null } & Named
type StoredRename = Granting & {
  readonly action: 'rename'
  readonly mapping: MappingId
  readonly from: Key
  readonly fromGroup: GroupName
  readonly before: Role | null
} & Named
type StoredDelete = Mapped & {
  readonly allowProtected?: boolean | undefined
  readonly people?: number | undefined
  readonly action: 'delete'
  readonly mapping: MappingId
  readonly before: Role | null
  readonly why: 'removed' | 'expired' | 'duplicate' | 'undeclared'
} & Named
type StoredSettings = {
  readonly action: 'settings'
  readonly key: Key
  readonly before: StoredGroupSync
  readonly after: StoredGroupSync
  readonly because?: StoredBecause | undefined
} & Named

export function storedChange(change: Change): StoredChange {
  const because = change.because && storedBecause(change.because)
  if (change.action === 'settings') {
    const { action, key, before, after, because: _, id, requires, ...rest } = change
    const settings = { before: storedGroupSync(before), after: storedGroupSync(after) }
    return whole({ action, key, ...settings, because, id, requires }, rest)
  }
  // Labels, ids of groups, and numbers of people who are concerned, are not stored.
  const {
    key,
    group,
    label: _label,
    groupId: _groupId,
    target,
    because: _,
    allowProtected,
    people,
    effect: _effect,
    id,
    requires,
    ...write
  } = change
  const place = { key, group, target: storedTarget(target), because }
  switch (write.action) {
    case 'create': {
      const { role, action, ...rest } = write
      return whole({ ...place, role, allowProtected, people, action, id, requires }, rest)
    }
    case 'patch': {
      const { role, action, mapping, before, ...rest } = write
      return whole({ ...place, role, allowProtected, people, action, mapping, before, id, requires }, rest)
    }
    case 'rename': {
      const { role, action, mapping, from, fromGroup, before, ...rest } = write
      return whole({ ...place, role, allowProtected, people, action, mapping, from, fromGroup, before, id, requires }, rest)
    }
    case 'delete': {
      const { action, mapping, before, why, ...rest } = write
      return whole({ ...place, allowProtected, people, action, mapping, before, why, id, requires }, rest)
    }
    default:
      return write satisfies never
  }
}

const actions: Readonly<Record<StoredChange['action'], true>> = { create: true, patch: true, rename: true, delete: true, settings: true }

export function changeFromStored(stored: StoredChange, tell: Tell): Change {
  if (!Object.hasOwn(actions, stored.action)) throw notUnderstood('the change', stored.action)
  const because = stored.because && becauseFromStored(stored.because, inField(tell, 'because'))
  if (stored.action === 'settings') {
    const { action, key, before, after, because: _, id, requires, ...rest } = stored
    const settings = {
      before: groupSyncFromStored(before, inField(tell, 'before')),
      after: groupSyncFromStored(after, inField(tell, 'after')),
    }
    return read(defined({ action, key, ...settings, because, id, requires }), rest, tell)
  }
  const { key, group, target, because: _, allowProtected, people, id, requires, ...write } = stored
  const place = { key, group, target: targetFromStored(target, inField(tell, 'target')), because }
  switch (write.action) {
    case 'create': {
      const { role, action, ...rest } = write
      return read(defined({ ...place, role, allowProtected, people, action, id, requires }), rest, tell)
    }
    case 'patch': {
      const { role, action, mapping, before, ...rest } = write
      return read(defined({ ...place, role, allowProtected, people, action, mapping, before, id, requires }), rest, tell)
    }
    case 'rename': {
      const { role, action, mapping, from, fromGroup, before, ...rest } = write
      return read(defined({ ...place, role, allowProtected, people, action, mapping, from, fromGroup, before, id, requires }), rest, tell)
    }
    case 'delete': {
      const { action, mapping, before, why, ...rest } = write
      return read(defined({ ...place, allowProtected, people, action, mapping, before, why, id, requires }), rest, tell)
    }
    default:
      return write satisfies never
  }
}
