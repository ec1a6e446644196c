import type { GroupSync } from '../../core/groupSync.ts'
import type { Role } from '../../core/mapping.ts'
import { defined } from '../../core/optionalFields.ts'
import { parse, UnexpectedBody, z } from './fields.ts'

const groupSyncBody = z.object({
  is_enabled: z.boolean().optional(),
  sync_on_login: z.boolean().optional(),
  auto_remove: z.boolean().optional(),
  sync_offline: z.boolean().optional(),
  group_attribute_key: z.string().optional(),
  default_workspace_role: z.string().nullish(),
})

/** @throws {UnexpectedBody} also if the body has none of the settings */
export function groupSyncFrom(body: unknown): GroupSync {
  const fields = parse(groupSyncBody, body, '')
  const groupSync: GroupSync = defined({
    enabled: fields.is_enabled,
    syncOnLogin: fields.sync_on_login,
    autoRemove: fields.auto_remove,
    offlineSync: fields.sync_offline,
    groupAttribute: fields.group_attribute_key,
    defaultWorkspaceRole: (fields.default_workspace_role === '' ? null : fields.default_workspace_role) as Role | null | undefined,
  })
  if (Object.keys(groupSync).length === 0) throw new UnexpectedBody('the body: none of the group-sync settings')
  return groupSync
}

export const groupSyncPatchBody = (after: GroupSync): object =>
  defined({
    is_enabled: after.enabled,
    sync_on_login: after.syncOnLogin,
    auto_remove: after.autoRemove,
    sync_offline: after.offlineSync,
    group_attribute_key: after.groupAttribute,
    default_workspace_role: after.defaultWorkspaceRole,
  })
