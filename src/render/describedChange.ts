import { defined } from '../core/fields.ts'
import type { DescribedChange } from '../core/waiverWords.ts'
import type { DocumentChange } from '../documents/change.ts'
import { settingsFromDocument } from './documentParts.ts'

/** A change of a document in words. A delete has no id of its group: it takes the role away from whichever group has it. */
export function describedChange(change: DocumentChange): DescribedChange {
  switch (change.action) {
    case 'create':
      return defined({ key: change.key, after: change.role, groupId: change.groupId })
    case 'patch':
      return defined({ key: change.key, before: change.before, after: change.role, groupId: change.groupId })
    case 'rename':
      return defined({
        key: change.key,
        fromGroup: change.fromGroup,
        before: change.before,
        after: change.role,
        groupId: change.groupId,
      })
    case 'delete':
      return { key: change.key, before: change.before }
    case 'settings':
      return { before: settingsFromDocument(change.before), after: settingsFromDocument(change.after) }
    default:
      return change satisfies never
  }
}
