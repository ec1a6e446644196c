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
import { exactGroupKeys, exactProjectKeys, groupKeys, projectKeys, roleField, roleSlug, ruleGroupKeys, workspaceKey } from './selectors.ts'

const sayings = {
  reason: z.string().min(1).optional().describe('Why this is so, for readers of the plan: a ticket or a sentence'),
  owner: z.string().min(1).optional().describe("Who is responsible for this. Default: the file's owner"),
}

const ruleKeys = {
  role: roleField,
  from: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
    .optional()
    .describe('The directory, or a list of directories, in which to look for the groups. Default: all of them'),
  allowProtected: z.boolean().optional().describe('true: this rule may grant a protected role without further approval'),
  unknownGroups: z
    .enum(['hold', 'send'])
    .optional()
    .describe('For a group that is in no directory: hold the mapping, or send it anyway. Default: unknownGroups of the settings'),
  expires: z
    .string()
    .refine((text) => endOfDayMs(text) !== undefined, {
      error: ({ input }) => (isDay(String(input)) ? 'this day is not between 2000 and 2999' : 'this is not a day of the calendar'),
      params: { cure: 'write a day from 2000-01-01 to 2999-12-31, as in 2027-01-31' },
    })
    .optional()
    .meta({ pattern: '^2\\d{3}-\\d{2}-\\d{2}$' })
    .describe('The last day of validity, written as 2027-01-31. The mapping is deleted after the end of that day in UTC'),
  previously: exactGroupKeys.group.describe('The former name of the group. Its mapping is renamed instead of deleted and created again'),
  ...sayings,
}

const workspaceRule = constrained(z.strictObject({ ...ruleGroupKeys, ...ruleKeys }), oneGroupChoice, companions, definedCaptures).meta(
  groupSelectors,
)

const projectRule = constrained(
  z.strictObject({
    ...ruleGroupKeys,
    ...projectKeys,
    ...ruleKeys,
    unknownProjects: z
      .enum(['hold', 'send'])
      .optional()
      .describe(
        "For a project that the credential's owner cannot see: hold the mapping, or send it anyway. Default: unknownProjects of the settings",
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
    enabled: z.boolean().optional().describe('Whether Plane turns mappings into memberships at all'),
    syncOnLogin: z.boolean().optional().describe('Update memberships at each login'),
    autoRemove: z.boolean().optional().describe('Remove access from people who left a group, or whose group lost its mapping'),
    offlineSync: z.boolean().optional().describe('Update memberships every two hours, without a login (OIDC and LDAP)'),
    groupAttribute: z.string().min(1).optional().describe('The claim or attribute that contains the groups'),
    defaultWorkspaceRole: roleSlug.nullable().optional().describe('The role of people who are in no mapped group. null: no role'),
  })
  .refine((settings) => Object.keys(settings).length > 0, {
    error: '"groupSync" says nothing',
    params: { cure: 'remove it, or name a setting' },
  })

export const workspaceSchema = z
  .strictObject({
    workspaceRoles: z
      .array(workspaceRule)
      .optional()
      .describe('Groups → roles in the workspace. Omitted: not managed. []: managed, and none should exist'),
    projectRoles: z
      .array(projectRule)
      .optional()
      .describe('Groups → roles in projects. Omitted: not managed. []: managed, and none should exist'),
    removed: z
      .array(removal)
      .optional()
      .describe('Mappings that you used to manage. They are deleted under every policy except observe, within the limits of the guards'),
    unmanaged: z.array(unmanaged).optional().describe('Mappings that are never changed and never reported'),
    groupSync: groupSync.optional().describe("The workspace's own group-sync settings. A setting that is absent here stays as it is"),
  })
  .describe('The declaration of one workspace. {} manages nothing')

/** One file of a declaration: the source of types, error sentences, JSON Schema and reference. */
export const fileSchema = z.strictObject({
  version: z.literal(1).describe('The version of this format: 1'),
  owner: z.string().min(1).optional().describe('Who is responsible for this file. Plans and the journal show it'),
  workspaces: z.record(z.string(), workspaceSchema).describe('Workspaces, by their names in the settings'),
})

export type DeclaredRule = z.output<typeof projectRule>

/** The first moment after a day (YYYY-MM-DD) in UTC, epoch ms; undefined if the calendar has no such day from 2000 to 2999. */
export function endOfDayMs(day: string): number | undefined {
  return day.startsWith('2') && isDay(day) ? Date.parse(`${day}T00:00:00Z`) + 24 * 60 * 60 * 1000 : undefined
}

/** Whether the calendar has this day. Date.parse reads 2027-02-30 as the second of March. */
function isDay(day: string): boolean {
  const startMs = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(startMs) && new Date(startMs).toISOString().startsWith(day)
}
