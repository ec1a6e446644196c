import { defined } from '../core/fields.ts'
import type { DescribedChange } from '../core/waiverWords.ts'
import type { DocumentChange } from '../documents/change.ts'
import { settingsFromDocument } from './documentParts.ts'

type Rename = Extract<DocumentChange, { readonly action: 'rename' }>
/** A change that gives a role. Only a create has no role before it, and only a rename has an old group. */
type Grant = Pick<Rename, 'key' | 'role' | 'groupId'> & Partial<Pick<Rename, 'before' | 'fromGroup'>>

/** A change of a document in words. A delete has no id of its group: it takes the role away from whichever group has it. */
export function describedChange(change: DocumentChange): DescribedChange {
  if (change.action === 'settings') return { before: settingsFromDocument(change.before), after: settingsFromDocument(change.after) }
  if (change.action === 'delete') return { key: change.key, before: change.before }
  const { key, fromGroup, before, role, groupId }: Grant = change
  return defined({ key, fromGroup, before, after: role, groupId })
}
