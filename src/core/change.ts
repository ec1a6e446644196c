import type { GroupName, Key, MappingId, Role, Target } from './mapping.ts'
import type { Because, GroupSync } from './rule.ts'

/** One write, as data. */
export type Change = MappingChange | SettingsChange

export type MappingChange = Common & { readonly group: GroupName; readonly target: Target; readonly people?: number } & Action

export type Action =
  | { readonly action: 'create'; readonly role: Role }
  | { readonly action: 'patch'; readonly mapping: MappingId; readonly before: Role; readonly role: Role }
  | {
      readonly action: 'rename'
      readonly mapping: MappingId
      readonly from: Key
      readonly fromGroup: GroupName
      readonly before: Role
      readonly role: Role
    }
  | { readonly action: 'delete'; readonly mapping: MappingId; readonly before: Role; readonly why: DeleteWhy }

export type DeleteWhy = 'removed' | 'expired' | 'duplicate' | 'undeclared'

/** The workspace's own group-sync settings: only the fields that differ. */
export type SettingsChange = Common & { readonly action: 'settings'; readonly before: GroupSync; readonly after: GroupSync }

type Common = {
  /** Names the change to people and to waivers: a hash of what it does, not of why. */
  readonly id: ChangeId
  readonly key: Key
  /** Changes that must succeed before this one. */
  readonly requires: readonly ChangeId[]
  readonly because?: Because
}
export type ChangeId = string & { readonly __brand: 'ChangeId' }

/** Every key that the write touches: what a write of unknown outcome puts in quarantine. */
export function keysTouched(change: Change): readonly Key[] {
  return change.action === 'rename' ? [change.key, change.from] : [change.key]
}
