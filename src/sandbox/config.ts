import { readBody } from './body.ts'
import type { Methods, WorkspaceCall } from './call.ts'
import { rowFields, type Shape, showOne } from './projection.ts'
import type { Reply } from './reply.ts'
import type { GroupSyncConfig } from './state.ts'

const fields = {
  is_enabled: { type: 'boolean' },
  sync_on_login: { type: 'boolean' },
  auto_remove: { type: 'boolean' },
  sync_offline: { type: 'boolean' },
  group_attribute_key: { type: 'text', charactersMax: 255 },
  default_workspace_role: { type: 'text', charactersMax: 255, nullable: true },
} as const

/** Only the default of `group_attribute_key` is documented. */
export const configDefaults: Omit<GroupSyncConfig, 'id' | 'created_at' | 'updated_at'> = {
  is_enabled: false,
  sync_on_login: true,
  auto_remove: false,
  sync_offline: false,
  group_attribute_key: 'groups',
  default_workspace_role: null,
}

const shape: Shape<GroupSyncConfig> = {
  fields: rowFields<GroupSyncConfig>({
    is_enabled: (row) => row.is_enabled,
    sync_on_login: (row) => row.sync_on_login,
    auto_remove: (row) => row.auto_remove,
    sync_offline: (row) => row.sync_offline,
    group_attribute_key: (row) => row.group_attribute_key,
    default_workspace_role: (row) => row.default_workspace_role,
  }),
}

/** `…/group-sync/config/`: the first read creates it. */
export const groupSyncConfig: Methods<WorkspaceCall> = {
  GET: { scope: 'workspaces.group_sync:read', run: (call) => showOne(shape, existing(call), call) },
  PATCH: { scope: 'workspaces.group_sync:write', writes: true, run: update },
}

function update(call: WorkspaceCall): Reply {
  const read = readBody(call, fields, [])
  if ('refusal' in read) return read.refusal
  const config = existing(call)
  Object.assign(config, read.sent, { updated_at: call.nowMs })
  return showOne(shape, config, call)
}

function existing({ workspace, chance, nowMs }: WorkspaceCall): GroupSyncConfig {
  workspace.config ??= { id: chance.uuid(), ...configDefaults, created_at: nowMs, updated_at: nowMs }
  return workspace.config
}
