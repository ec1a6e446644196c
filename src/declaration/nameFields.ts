import { projectCharactersMax, projectIdentifier } from '../core/mapping.ts'
import { groupNameCharactersMax as groupCharactersMax, noteCharactersMax, unsafeName, visible } from '../core/safeName.ts'
import { atMost, z } from '../yaml/zod.ts'

const count = (text: unknown): number => (typeof text === 'string' ? Array.from(text).length : 0)

/** Whether a person can see all characters of a text. A blank is checked elsewhere. */
function isSeen(text: string): boolean {
  const written = text.replaceAll(/\s/gu, '')
  return visible(written) === written
}
const unseen = (what: string) => ({
  error: `${what} has a character that cannot be seen`,
  params: { cure: 'write it with visible characters only', unseen: true },
})

/** A reason or an owner: a text that people can read. */
export const note = atMost(
  noteCharactersMax,
  z
    .string()
    .min(1)
    .refine((text) => text === '' || /[\p{L}\p{N}\p{P}\p{S}]/u.test(text), {
      error: 'this text has only blanks',
      params: { cure: 'write a text that people can read' },
    })
    .meta({ minLength: 1, pattern: String.raw`\S` }),
)

/** A text of at most 255 characters that stays the same wherever it is stored. `fault`: the beginning of the message. */
export const steadyText = (fault: string, cure: string) =>
  z
    .string()
    .min(1)
    .max(groupCharactersMax)
    .superRefine((text, context) => {
      const why = text === '' || text.length > groupCharactersMax ? undefined : unsafeName(text)
      if (why !== undefined) context.addIssue({ code: 'custom', message: `${fault}: ${why}`, params: { cure, unseen: true } })
    })

export const groupName = z
  .string()
  .refine((name) => name.length > 0, { error: 'a group name cannot be empty' })
  .refine((name) => count(name) <= groupCharactersMax, {
    error: ({ input }) => `the group name has ${count(input)} characters`,
    params: { cure: `the service takes at most ${groupCharactersMax}` },
  })
  .meta({ minLength: 1, maxLength: groupCharactersMax })

/** A name for which a mapping can be written. An existing mapping, or a group of a directory, may have a name for which none can be written. */
export const sendableName = groupName.superRefine((name, context) => {
  const why = count(name) > groupCharactersMax || name === '' ? undefined : unsafeName(name)
  if (why === undefined) return
  context.addIssue({
    code: 'custom',
    message: `no mapping can be written for this name: ${why}`,
    params: {
      unseen: true,
      cure: 'if the directory has another spelling, write that one; otherwise rename the group there; if Plane has a mapping with this name that should stay, list it under "unmanaged"',
    },
  })
})

export const project = z
  .string()
  .superRefine((name, context) => {
    const issue = projectIssue(name)
    if (issue !== undefined) context.addIssue({ code: 'custom', message: issue.message, params: { cure: issue.cure } })
  })
  .refine(isSeen, unseen('the project identifier'))
  .meta({ pattern: String.raw`^[^\s/]+$`, maxLength: projectCharactersMax })

export const roleSlug = atMost(groupCharactersMax, z.string())
  .refine((slug) => /^\S(?:.*\S)?$/u.test(slug), {
    error: 'a role is a slug without blanks around it',
    params: { cure: 'such as guest, member, admin' },
  })
  .refine(isSeen, unseen('the role'))
  .meta({ pattern: String.raw`^\S(.*\S)?$` })

function projectIssue(name: string): { readonly message: string; readonly cure: string } | undefined {
  if (!/^[^\s/]+$/u.test(name)) {
    return {
      message: 'a project is named by its identifier, without blanks and slashes',
      cure: name.includes(',') ? `several projects are a list: [${name}]` : 'as in the keys of its work items: ENG for ENG-12',
    }
  }
  const upper = projectIdentifier(name).toUpperCase()
  if (upper !== projectIdentifier(name)) {
    return {
      message: `no project has this identifier: Plane stores identifiers in upper case, and this would become ${upper}`,
      cure: 'write the identifier as Plane shows it',
    }
  }
  if (count(name) <= projectCharactersMax) return undefined
  return {
    message: `the project identifier has ${count(name)} characters`,
    cure: `the service takes at most ${projectCharactersMax}: the identifier (ENG), not the project's name`,
  }
}

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
