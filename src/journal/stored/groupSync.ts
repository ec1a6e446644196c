import { defined, whole } from '../../core/fields.ts'
import type { GroupSync } from '../../core/groupSync.ts'
import type { Role } from '../../core/mapping.ts'
import { read, type Tell } from './unknown.ts'

export type StoredGroupSync = {
  readonly enabled?: boolean | undefined
  readonly syncOnLogin?: boolean | undefined
  readonly autoRemove?: boolean | undefined
  readonly offlineSync?: boolean | undefined
  readonly groupAttribute?: string | undefined
  readonly defaultWorkspaceRole?: Role | null | undefined
}

export function storedGroupSync(settings: GroupSync): StoredGroupSync {
  const { enabled, syncOnLogin, autoRemove, offlineSync, groupAttribute, defaultWorkspaceRole, ...rest } = settings
  return whole({ enabled, syncOnLogin, autoRemove, offlineSync, groupAttribute, defaultWorkspaceRole }, rest)
}

export function groupSyncFromStored(stored: StoredGroupSync, tell: Tell): GroupSync {
  const { enabled, syncOnLogin, autoRemove, offlineSync, groupAttribute, defaultWorkspaceRole, ...rest } = stored
  return read(defined({ enabled, syncOnLogin, autoRemove, offlineSync, groupAttribute, defaultWorkspaceRole }), rest, tell)
}
