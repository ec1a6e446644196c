import { by } from './compare.ts'
import type { GroupName, Key, MappingId, Role, Target } from './mapping.ts'
import type { Because, GroupSync } from './rule.ts'

/** One write, as data. */
export type Change = UnorderedChange & {
  /** Changes that must succeed before this one. */
  readonly requires: readonly ChangeId[]
}
export type UnorderedChange = ChangeBody & {
  /** Names the change to people and to waivers: a hash of what it does, not of why. */
  readonly id: ChangeId
}
export type ChangeId = string & { readonly __brand: 'ChangeId' }

/**
 * Hex digits of a name that a waiver may use. Whoever may name groups can look for two changes with one name: with 8 digits a second is enough
 * (measured), 128 bits are out of reach.
 */
export const waiverDigits = 32

/** What `--allow` takes: a change's id, or as much of a plan's fingerprint. */
export const waiverName = (digest: string): ChangeId => digest.slice(0, waiverDigits) as ChangeId

/** What a change does, before it has a name. */
export type ChangeBody = MappingChangeBody | SettingsChangeBody

export type MappingChangeBody = {
  readonly key: Key
  readonly group: GroupName
  readonly target: Target
  readonly because?: Because
  readonly people?: number
  /** The reviewed file says that this rule may grant a protected role. */
  readonly allowProtected?: boolean
} & (
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
)

export type DeleteWhy = 'removed' | 'expired' | 'duplicate' | 'undeclared'

/** The workspace's own group-sync settings: only the fields that differ. */
export type SettingsChangeBody = {
  readonly action: 'settings'
  readonly key: Key
  readonly before: GroupSync
  readonly after: GroupSync
  readonly because?: Because
}

/** A hash of text as lower-case hex; SHA-256 in the program. It comes in as an argument because the core imports nothing. */
export type Hash = (text: string) => string

/** What the write does, in one canonical line: the change's identity, and what a fingerprint covers. Not why, not for how many people. */
export function canonical(change: ChangeBody): string {
  switch (change.action) {
    case 'create':
      return JSON.stringify(['create', change.key, change.role])
    case 'patch':
      return JSON.stringify(['patch', change.key, change.mapping, change.before, change.role])
    case 'rename':
      return JSON.stringify(['rename', change.key, change.mapping, change.from, change.before, change.role])
    case 'delete':
      return JSON.stringify(['delete', change.key, change.mapping, change.before])
    case 'settings':
      return JSON.stringify(['settings', change.key, entries(change.before), entries(change.after)])
    default:
      return change satisfies never
  }
}

const entries = (settings: GroupSync) => Object.entries(settings).toSorted(by(([name]) => name))

/** Every key that the write touches: what a write of unknown outcome puts in quarantine. */
export function keysTouched(change: Change): readonly Key[] {
  return change.action === 'rename' ? [change.key, change.from] : [change.key]
}
