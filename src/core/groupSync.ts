import { object, optional, settingValue } from './codec.ts'
import type { Key, Role, WorkspaceName } from './mapping.ts'

/** The workspace's group-sync settings, in the declaration's words. Only declared fields are compared. */
export type GroupSync = {
  readonly enabled?: boolean
  readonly syncOnLogin?: boolean
  readonly autoRemove?: boolean
  readonly offlineSync?: boolean
  readonly groupAttribute?: string
  readonly defaultWorkspaceRole?: Role | null
}

export const storedGroupSync = object<GroupSync>({
  enabled: optional(settingValue()),
  syncOnLogin: optional(settingValue()),
  autoRemove: optional(settingValue()),
  offlineSync: optional(settingValue()),
  groupAttribute: optional(settingValue()),
  defaultWorkspaceRole: optional(settingValue()),
})

/** The key of the settings of a workspace. A lost write of them puts it into quarantine. */
export const groupSyncKey = (workspace: WorkspaceName): Key => `${workspace}/groupSync` as Key

type Aliases = Readonly<Record<string, string>>

/** The names of the wanted settings that have another value. @param aliases role → the service's name for it */
export function differingSettings(wanted: GroupSync, has: GroupSync, aliases: Aliases = {}): readonly (keyof GroupSync)[] {
  const { defaultWorkspaceRole: role } = wanted
  const byItsOwnName = typeof role === 'string' && Object.hasOwn(aliases, role) && aliases[role] === has.defaultWorkspaceRole
  const names = Object.keys(wanted) as (keyof GroupSync)[]
  return names.filter((name) => wanted[name] !== has[name] && !(name === 'defaultWorkspaceRole' && byItsOwnName))
}

/** The settings of Plane's answer that differ from those that were sent. A setting that the answer lacks is left out: its value is unknown. */
export function answeredOtherwise(sent: GroupSync, answer: GroupSync, aliases?: Aliases): GroupSync {
  const differing = differingSettings(sent, answer, aliases).filter((name) => answer[name] !== undefined)
  return Object.fromEntries(differing.map((name) => [name, answer[name]]))
}
