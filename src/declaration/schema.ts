import { groupNameCharactersMax } from '../core/safeName.ts'
import { atMost, z } from '../yaml/zod.ts'
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
  skipsCaptured,
  startsBeforeExpires,
  targetChoices,
} from './constraints.ts'
import { dayOrMoment } from './moment.ts'
import { groupName, groupSync, note, steadyText } from './nameFields.ts'
import {
  exactGroupKeys,
  exactProjectKeys,
  exceptionsOfRule,
  exceptionsOfUnmanaged,
  groupKeys,
  oneOrMore,
  projectKeys,
  roleField,
  ruleGroupKeys,
  workspaceKey,
} from './selectors.ts'
import { waiver } from './waiverSchema.ts'

const sayings = {
  reason: note.optional().describe('Why this is so, for readers of the plan: a ticket or a sentence'),
  owner: note.optional().describe("Who is responsible for this. Default: the file's owner"),
}

/** The directories of a rule, or of all rules of a file or a workspace that do not name any. */
const from = oneOrMore(atMost(groupNameCharactersMax, z.string().min(1))).optional()

const ruleKeys = {
  role: roleField,
  from: from.describe(
    'The directory, or a list of directories, in which to look for the groups. Default: from of the workspace, then from of the file, then all of them',
  ),
  allowProtected: z.boolean().optional().describe('true: this rule may grant a protected role without further approval'),
  unknownGroups: z
    .enum(['hold', 'send'])
    .optional()
    .describe(
      'For a group that is in none of the directories that the rule asks: hold the mapping, or send it anyway. Default: unknownGroups of the settings',
    ),
  starts: dayOrMoment
    .optional()
    .describe(
      'The first day of validity, from its first moment in UTC, or a moment with Z or an offset. Before it the rule gives no role, and an existing mapping stays as it is',
    ),
  expires: dayOrMoment
    .optional()
    .describe(
      'The last day of validity, written as 2099-01-31, or the moment of the end, as 2099-01-31T18:00Z. The mapping is deleted after the end of that day in UTC, or from that moment on',
    ),
  previously: groupName.optional().describe('The former name of the group. Its mapping is renamed instead of deleted and created again'),
  label: steadyText('the label cannot be compared', 'write it as people read it, with visible characters only')
    .optional()
    .describe(
      'What the directory calls the group, where names are ids, as in Microsoft Entra. It is for readers, and it is checked: while the directory calls the group otherwise, its grants wait',
    ),
  ...sayings,
}

const workspaceRule = constrained(
  z.strictObject({ ...ruleGroupKeys, ...ruleKeys }),
  oneGroupChoice,
  companions,
  exceptionsOfRule,
  definedCaptures,
  startsBeforeExpires,
).meta(groupSelectors)

const projectRule = constrained(
  z.strictObject({
    ...ruleGroupKeys,
    ...projectKeys,
    ...ruleKeys,
    unknownProjects: z
      .enum(['hold', 'send', 'skip'])
      .optional()
      .describe(
        "For a project that the credential's owner cannot see: hold the mapping, or send it anyway. For a captured project also skip: leave out a project that was never known. Default: unknownProjects of the settings",
      ),
  }),
  oneGroupChoice,
  oneProjectChoice,
  companions,
  exceptionsOfRule,
  definedCaptures,
  startsBeforeExpires,
  skipsCaptured,
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
  exceptionsOfUnmanaged,
).meta(groupSelectors)

export const workspaceSchema = z
  .strictObject({
    from: from.describe('The directory, or a list of directories, for the rules of this workspace in this file that have no from'),
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
    waivers: z
      .array(waiver)
      .optional()
      .describe('Changes that may pass the guards until a time. Only files that the settings name may have waivers'),
    groupSync: groupSync.optional().describe("The workspace's own group-sync settings. A setting that is absent here stays as it is"),
  })
  .describe('The declaration of one workspace. {} manages nothing')

/** One file of a declaration: the source of types, error sentences, JSON Schema and reference. */
export const fileSchema = z.strictObject({
  version: z.literal(1).describe('The version of this format: 1'),
  owner: note.optional().describe('Who is responsible for this file. Plans and the journal show it'),
  from: from.describe('The directory, or a list of directories, for the rules of this file that have no from'),
  workspaces: z.record(atMost(groupNameCharactersMax, z.string()), workspaceSchema).describe('Workspaces, by their names in the settings'),
})

export type DeclaredRule = z.output<typeof projectRule>

const items = <T extends z.ZodType>({ element }: z.ZodArray<T>) => z.array(element.optional().catch(undefined)).optional().catch(undefined)
const { shape } = workspaceSchema

/**
 * A lenient parse of a file with mistakes, so that contradictions are shown together with the mistakes. An entry that does not fit the schema
 * becomes undefined and keeps its place in the list. Every valid file also fits this schema.
 */
export const lenientSchema = z.object({
  owner: z.string().optional().catch(undefined),
  from: shape.from.catch(undefined),
  workspaces: z
    .record(
      z.string(),
      z
        .object({
          from: shape.from.catch(undefined),
          workspaceRoles: items(shape.workspaceRoles.unwrap()),
          projectRoles: items(shape.projectRoles.unwrap()),
          removed: items(shape.removed.unwrap()),
          unmanaged: items(shape.unmanaged.unwrap()),
          waivers: items(shape.waivers.unwrap()),
          groupSync: shape.groupSync.catch(undefined),
        })
        .catch({}),
    )
    .catch({}),
})

export type LenientFile = z.output<typeof lenientSchema>
