import { z } from '../yaml/zod.ts'
import {
  atMostOneTarget,
  companions,
  constrained,
  definedCaptures,
  exactGroupChoices,
  exactlyOneOf,
  groupSelectors,
  oneExactGroupChoice,
  oneGroupChoice,
  oneProjectChoice,
  oneTargetChoice,
  projectChoices,
  targetChoices,
} from './constraints.ts'
import { exactGroupKeys, exactProjectKeys, groupKeys, projectKeys, roleField, roleSlug, workspaceKey } from './selectors.ts'

const sayings = {
  reason: z.string().min(1).optional().describe('Why, for whoever reads the plan: a ticket, a sentence'),
  owner: z.string().min(1).optional().describe("Who answers for this; absent: the file's owner"),
}

const ruleKeys = {
  role: roleField,
  from: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
    .optional()
    .describe('The directory, or directories, that may know the groups; absent: all of them'),
  allowProtected: z.boolean().optional().describe('true: yes, this grants a protected role, and needs no further approval'),
  unknownGroups: z
    .enum(['hold', 'send'])
    .optional()
    .describe("What to do with a group that no directory knows: hold it, or send it all the same; absent: the settings' value"),
  expires: z
    .string()
    .refine((text) => endOfDayMs(text) !== undefined, {
      error: 'this is not a day of the calendar',
      params: { help: 'write it as 2027-01-31' },
    })
    .optional()
    .meta({ pattern: '^2\\d{3}-\\d{2}-\\d{2}$' })
    .describe('The last day, as 2027-01-31, on which this holds, to its end in UTC; afterwards the mapping is deleted'),
  previously: exactGroupKeys.group.describe('The name that the group had: its mapping is renamed rather than deleted and made anew'),
  ...sayings,
}

const workspaceRule = constrained(z.strictObject({ ...groupKeys, ...ruleKeys }), oneGroupChoice, companions, definedCaptures).meta(
  groupSelectors,
)

const projectRule = constrained(
  z.strictObject({
    ...groupKeys,
    ...projectKeys,
    ...ruleKeys,
    unknownProjects: z
      .enum(['hold', 'send'])
      .optional()
      .describe(
        "What to do with a project that the credential does not see: hold it, or send it all the same; absent: the settings' value",
      ),
  }),
  oneGroupChoice,
  oneProjectChoice,
  companions,
  definedCaptures,
).meta({ allOf: [...groupSelectors.allOf, ...exactlyOneOf(projectChoices).allOf] })

const removal = constrained(
  z.strictObject({ ...exactGroupKeys, ...exactProjectKeys, ...workspaceKey, ...sayings }),
  oneExactGroupChoice,
  oneTargetChoice,
).meta(exactlyOneOf(exactGroupChoices, targetChoices))

const unmanaged = constrained(
  z.strictObject({ ...groupKeys, ...exactProjectKeys, ...workspaceKey, ...sayings }),
  oneGroupChoice,
  atMostOneTarget,
  companions,
).meta(groupSelectors)

const groupSync = z
  .strictObject({
    enabled: z.boolean().optional().describe('Whether the service turns mappings into memberships at all'),
    syncOnLogin: z.boolean().optional().describe('At each login'),
    autoRemove: z.boolean().optional().describe('Take access away from people who left a group, or whose mapping went'),
    offlineSync: z.boolean().optional().describe('Every two hours, without a login (OIDC and LDAP)'),
    groupAttribute: z.string().min(1).optional().describe('The claim or attribute that carries the groups'),
    defaultWorkspaceRole: roleSlug.nullable().optional().describe('The role of people in no mapped group; null: none'),
  })
  .refine((settings) => Object.keys(settings).length > 0, {
    error: '"groupSync" says nothing',
    params: { help: 'remove it, or name a setting' },
  })

export const workspaceSchema = z
  .strictObject({
    workspaceRoles: z
      .array(workspaceRule)
      .optional()
      .describe('Groups → roles in the workspace. Without the key: not managed; []: managed, and there shall be none'),
    projectRoles: z
      .array(projectRule)
      .optional()
      .describe('Groups → roles in projects. Without the key: not managed; []: managed, and there shall be none'),
    removed: z.array(removal).optional().describe('Mappings that were ours and shall go: deleted under every policy, through the guards'),
    unmanaged: z.array(unmanaged).optional().describe('Mappings that are never touched and never reported'),
    groupSync: groupSync.optional().describe("The workspace's own group-sync settings; what is absent is not touched"),
  })
  .describe('What one workspace shall have; {} manages nothing of it')

/** One file of a declaration: the source of types, error sentences, JSON Schema and reference. */
export const fileSchema = z.strictObject({
  version: z.literal(1).describe('The version of this format: 1'),
  owner: z.string().min(1).optional().describe('Who answers for what this file says: shown in plans and in the journal'),
  workspaces: z.record(z.string(), workspaceSchema).describe('Workspaces by the names that the settings give them'),
})

export type DeclarationFile = z.output<typeof fileSchema>
export type DeclaredWorkspace = z.output<typeof workspaceSchema>
export type DeclaredRule = z.output<typeof projectRule>
export type DeclaredUnmanaged = z.output<typeof unmanaged>

/** The first moment after a day (YYYY-MM-DD) in UTC, epoch ms; undefined where the calendar has no such day from 2000 on. */
export function endOfDayMs(day: string): number | undefined {
  const startMs = /^2\d{3}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN
  // Date.parse takes 2027-02-30 for the second of March.
  if (Number.isNaN(startMs) || !new Date(startMs).toISOString().startsWith(day)) return undefined
  return startMs + 24 * 60 * 60 * 1000
}
