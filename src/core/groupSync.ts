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

/** The key of the settings of a workspace. A lost write of them puts it into quarantine. */
export const groupSyncKey = (workspace: WorkspaceName): Key => `${workspace}/groupSync` as Key

/** The settings of Plane's answer that differ from those that were sent. A setting that the answer lacks is left out: its value is unknown. */
export function answeredOtherwise(sent: GroupSync, answer: GroupSync): GroupSync {
  const names = Object.keys(sent) as (keyof GroupSync)[]
  const differing = names.filter((name) => answer[name] !== undefined && answer[name] !== sent[name])
  return Object.fromEntries(differing.map((name) => [name, answer[name]]))
}
