import { z } from '../yaml/zod.ts'
import { roleSlug, steadyText } from './nameFields.ts'

/** The value of each setting of group sync. The default role can also be null, for no role. */
export const groupSyncValues = {
  enabled: z.boolean(),
  syncOnLogin: z.boolean(),
  autoRemove: z.boolean(),
  offlineSync: z.boolean(),
  groupAttribute: steadyText(
    'Plane cannot store this text as it is',
    'write the name of the claim or attribute with visible characters only, without blanks around it',
  ),
  defaultWorkspaceRole: roleSlug,
}

export const groupSync = z
  .strictObject({
    enabled: groupSyncValues.enabled.optional().describe('Whether Plane turns mappings into memberships at all'),
    syncOnLogin: groupSyncValues.syncOnLogin.optional().describe('Update memberships at each login'),
    autoRemove: groupSyncValues.autoRemove
      .optional()
      .describe('Remove access from people who left a group, or whose group lost its mapping'),
    offlineSync: groupSyncValues.offlineSync.optional().describe('Update memberships every two hours, without a login (OIDC and LDAP)'),
    groupAttribute: groupSyncValues.groupAttribute.optional().describe('The claim or attribute that contains the groups'),
    defaultWorkspaceRole: groupSyncValues.defaultWorkspaceRole
      .nullable()
      .optional()
      .describe('The role of people who are in no mapped group. null: no role'),
  })
  .refine((settings) => Object.keys(settings).length > 0, {
    error: '"groupSync" says nothing',
    params: { cure: 'remove it, or name a setting' },
  })
