import { noteCharactersMax } from '../core/safeName.ts'
import { guardNames } from '../core/waiverWords.ts'
import { atMost, z } from '../yaml/zod.ts'
import { constrained, targetChoices } from './constraints.ts'
import { dayOrMoment } from './dateField.ts'
import { groupSyncValues } from './groupSyncSchema.ts'
import { groupName, note, project, roleSlug } from './nameFields.ts'
import { oneOrMore, workspaceKey } from './selectors.ts'
import { oneChange, oneForm } from './waiverConstraints.ts'

/** The word for a mapping that does not exist. A role with this slug cannot be described. */
export const noMapping = 'none'

/** A setting of group sync before and after the change. */
const step = <T extends z.ZodType, U extends z.ZodType>(before: T, after: U) =>
  z
    .strictObject({
      from: before.nullable().describe('The value that Plane has now. null: it has none'),
      to: after.describe('The value after the change'),
    })
    .optional()
    .describe('The value before and after: { from, to }')

const settingsSteps = z
  .strictObject({
    enabled: step(groupSyncValues.enabled, groupSyncValues.enabled),
    syncOnLogin: step(groupSyncValues.syncOnLogin, groupSyncValues.syncOnLogin),
    autoRemove: step(groupSyncValues.autoRemove, groupSyncValues.autoRemove),
    offlineSync: step(groupSyncValues.offlineSync, groupSyncValues.offlineSync),
    // Plane may have a value that no declaration can set.
    groupAttribute: step(atMost(noteCharactersMax, z.string().min(1)), groupSyncValues.groupAttribute),
    defaultWorkspaceRole: step(groupSyncValues.defaultWorkspaceRole, groupSyncValues.defaultWorkspaceRole.nullable()),
  })
  .refine((settings) => Object.keys(settings).length > 0, {
    error: '"groupSync" says nothing',
    params: { cure: 'name each setting that changes, with from and to' },
  })

const changeKeys = {
  group: oneOrMore(groupName).optional().describe('A group, or a list of groups, by their exact names. Lists multiply'),
  project: oneOrMore(project).optional().describe('A project by its identifier, or a list of projects'),
  allProjects: z.literal(true).optional().describe('The mapping to every project of the workspace'),
  ...workspaceKey,
  from: roleSlug.nullable().optional().describe('The role before the change. none: there is no mapping yet. null: the mapping has no role'),
  to: roleSlug.optional().describe('The role after the change. none: the mapping is deleted'),
  previously: groupName.optional().describe('For a rename: the group that the mapping has now'),
  id: z
    .string()
    .min(1)
    .max(1_000)
    .optional()
    .describe('The id of the group in its directory. A group that is deleted and made again has another id, and does not pass'),
  groupSync: settingsSteps.optional().describe("For a change of the workspace's own settings: each setting that changes, as { from, to }"),
}

/** For editors: what stands beside what. */
const beside = {
  dependentRequired: { group: ['from', 'to'], previously: ['group'], id: ['group'] },
  dependentSchemas: { group: { oneOf: targetChoices.filter((key) => key !== 'projects').map((key) => ({ required: [key] })) } },
}
const oneRequired = (keys: readonly string[]) => ({ allOf: [{ oneOf: keys.map((key) => ({ required: [key] })) }] })

const describedChange = constrained(z.strictObject(changeKeys), oneChange).meta({ ...beside, ...oneRequired(['group', 'groupSync']) })

/** An entry of `waivers`. */
export const waiver = constrained(
  z.strictObject({
    ...changeKeys,
    people: z
      .union([z.int().min(0), z.literal('any')])
      .optional()
      .describe('For how many people each change may pass the limits on people. any: for every number'),
    guard: z
      .enum([...guardNames, 'creates'])
      .optional()
      .describe('A limit of the whole plan, which the changes may exceed'),
    count: z.int().min(1).optional().describe('Up to which number the changes may exceed the limit'),
    changes: z
      .array(describedChange)
      .min(1)
      .optional()
      .describe('The changes that may exceed the limit, each written like an entry without guard. The plan may have fewer of them'),
    until: dayOrMoment.describe(
      'The last day, written as 2099-01-31, or the moment of the end, as 2099-01-31T18:00Z. It is at most 30 days from now',
    ),
    reason: note.describe('Why this may pass, for readers of the plan: a ticket or a sentence'),
    owner: note.optional().describe("Who lets this pass. Default: the file's owner"),
  }),
  oneForm,
).meta({
  ...beside,
  dependentRequired: { ...beside.dependentRequired, people: ['group'], guard: ['count'], count: ['changes'], changes: ['guard'] },
  ...oneRequired(['group', 'groupSync', 'changes']),
})

export type WaiverEntry = z.output<typeof waiver>
