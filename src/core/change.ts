import type { GroupSize } from './bounds.ts'
import type { Cause } from './cause.ts'
import { by } from './compare.ts'
import type { GroupSync } from './groupSync.ts'
import type { GroupName, Key, MappingId, Role, Target } from './mapping.ts'
import type { PeopleEffect } from './peopleEffect.ts'
import { direction, type RoleSettings } from './roles.ts'
import type { Provenance } from './rule.ts'

/** One write, as data. */
export type Change = UnorderedChange & {
  /** Changes that must succeed before this one. */
  readonly requires: readonly ChangeId[]
}
export type UnorderedChange = ChangeBody & {
  /** A hash of what the change does, not of why. People and waivers name the change by it. */
  readonly id: ChangeId
}
export type MappingChange = Exclude<Change, { action: 'settings' }>
export type ChangeId = string & { readonly __brand: 'ChangeId' }

/**
 * How many hex digits a change's name in a waiver has. A person who can create groups could search for two changes with the same name: with 8
 * digits (32 bits) this takes a second (measured), with 32 digits (128 bits) it is impossible.
 */
export const waiverDigits = 32

/** The name that `--allow` takes: the first `waiverDigits` digits of the hash of a change or of a plan. */
export const waiverId = (digest: string): ChangeId => digest.slice(0, waiverDigits) as ChangeId

/** The content of a change, without its id. `before`: null if the mapping has no role. */
export type ChangeBody = MappingChangeBody | SettingsChangeBody

export type MappingChangeBody = {
  readonly key: Key
  readonly group: GroupName
  readonly target: Target
  readonly because?: Provenance
  /** How people call the group, if its name is an id. */
  readonly label?: string
  /** The id of the group in its directory, if the change gives it a role and the directory has ids of its own. */
  readonly groupId?: string
  readonly size?: GroupSize
  /** The people whose role would be another one; absent if no directory says who the members of groups are. */
  readonly effect?: PeopleEffect
  /** The reviewed file says that this rule may grant a protected role. */
  readonly allowProtected?: boolean
  readonly uncounted?: Uncounted
  /** Of a mapping whose line is gone: the file that gave it, as the journal knows it. */
  readonly givenBy?: string
  /** Where the change comes from, as far as it is known. */
  readonly cause?: Cause
} & (
  | { readonly action: 'create'; readonly role: Role }
  | { readonly action: 'patch'; readonly mapping: MappingId; readonly before: Role | null; readonly role: Role }
  | {
      readonly action: 'rename'
      readonly mapping: MappingId
      readonly from: Key
      readonly fromGroup: GroupName
      /** The directory shows that it is one group under another name: by its id, which the memory had under the former name. */
      readonly sameGroup?: true
      readonly before: Role | null
      readonly role: Role
    }
  | { readonly action: 'delete'; readonly mapping: MappingId; readonly before: Role | null; readonly why: DeleteWhy }
)

/**
 * Why a change fills no limit on amounts. `approved`: a person let it pass. `ended`: its rule ended, as believed declarations had long said
 * (`isRecordedEnd`).
 */
export type Uncounted = 'approved' | 'ended'

export type DeleteWhy = 'removed' | 'expired' | 'duplicate' | 'undeclared'

/** A change of the workspace's group-sync settings. `before` and `after` have only the fields that differ. */
export type SettingsChangeBody = {
  readonly action: 'settings'
  readonly key: Key
  readonly before: GroupSync
  readonly after: GroupSync
  readonly because?: Provenance
  readonly uncounted?: Uncounted
}

/** A hash of text as lower-case hex; SHA-256 in the program. It comes in as an argument because the core imports nothing. */
export type Hash = (text: string) => string

/**
 * One canonical line of what the write does, without the reason and the number of people. The ids of changes and the fingerprints of plans
 * are hashes of such lines.
 */
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

/**
 * All that the write touches: its keys, and the id of its mapping. The key of a mapping changes if its project gets another identifier; the id stays. A
 * write of unknown outcome puts them in quarantine.
 */
export function touched(change: Change): readonly (Key | MappingId)[] {
  const keys = change.action === 'rename' ? [change.key, change.from] : [change.key]
  return 'mapping' in change ? [...keys, change.mapping] : keys
}

/** Whether a change only takes rights away. */
export function isRevocation(change: Change, roles: RoleSettings): boolean {
  return change.action === 'delete' || (change.action === 'patch' && direction(change.before, change.role, roles) === 'lower')
}
