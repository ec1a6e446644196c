import type { Change } from '../core/change.ts'
import { defined, whole } from '../core/fields.ts'
import { grantsProtected } from '../core/judge/guards.ts'
import type { RoleSettings } from '../core/roles.ts'
import type { DocumentChange } from '../documents/change.ts'
import { documentEffect, effectFromDocument } from './documentEffect.ts'
import {
  becauseFromDocument,
  documentBecause,
  documentSettings,
  documentTarget,
  settingsFromDocument,
  targetFromDocument,
} from './documentParts.ts'

export function documentChange(change: Change, roles: RoleSettings): DocumentChange {
  const because = change.because && documentBecause(change.because)
  if (change.action === 'settings') {
    const { id, action, key, before, after, because: _, requires, ...rest } = change
    const fields = { id, action, key, before: documentSettings(before), after: documentSettings(after), because, requires }
    return whole(fields, rest)
  }
  const { id, key, target, group, label, groupId, people, effect, allowProtected, because: _, requires, ...write } = change
  const place = { key, target: documentTarget(target), group }
  const grants = grantsProtected(change, roles) ? (true as const) : undefined
  const about = { label, groupId, people, effect: effect && documentEffect(effect), allowProtected, protected: grants, because, requires }
  switch (write.action) {
    case 'create': {
      const { action, role, ...rest } = write
      return whole({ id, action, ...place, role, ...about }, rest)
    }
    case 'patch': {
      const { action, mapping, before, role, ...rest } = write
      return whole({ id, action, ...place, mapping, before, role, ...about }, rest)
    }
    case 'rename': {
      const { action, mapping, from, fromGroup, before, role, ...rest } = write
      return whole({ id, action, ...place, mapping, from, fromGroup, before, role, ...about }, rest)
    }
    case 'delete': {
      const { action, mapping, before, why, ...rest } = write
      return whole({ id, action, ...place, mapping, before, why, ...about }, rest)
    }
    default:
      return write satisfies never
  }
}

/** Other fields of the document are ignored, because a later program may add fields without a new version. */
export function changeFromDocument(document: DocumentChange): Change {
  const because = document.because && becauseFromDocument(document.because)
  const { id, key, requires } = document
  if (document.action === 'settings') {
    const { action, before, after } = document
    return defined({ id, action, key, before: settingsFromDocument(before), after: settingsFromDocument(after), because, requires })
  }
  const { group, label, groupId, people, allowProtected } = document
  const effect = document.effect && effectFromDocument(document.effect)
  const about = {
    id,
    key,
    target: targetFromDocument(document.target),
    group,
    label,
    groupId,
    people,
    effect,
    allowProtected,
    because,
    requires,
  }
  switch (document.action) {
    case 'create': {
      const { action, role } = document
      return defined({ ...about, action, role })
    }
    case 'patch': {
      const { action, mapping, before, role } = document
      return defined({ ...about, action, mapping, before, role })
    }
    case 'rename': {
      const { action, mapping, from, fromGroup, before, role } = document
      return defined({ ...about, action, mapping, from, fromGroup, before, role })
    }
    case 'delete': {
      const { action, mapping, before, why } = document
      return defined({ ...about, action, mapping, before, why })
    }
    default:
      return document satisfies never
  }
}
