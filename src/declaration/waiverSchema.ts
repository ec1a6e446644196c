import { noteCharactersMax } from '../core/safeName.ts'
import { atMost, former, z } from '../yaml/zod.ts'
import { constrained, oneTargetChoice, targetChoices } from './constraints.ts'
import { dayOrMoment } from './moment.ts'
import { groupName, groupSyncValues, note, project, roleSlug } from './nameFields.ts'
import { oneOrMore, workspaceKey } from './selectors.ts'

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

const mappingKeys = ['group', 'project', 'allProjects', 'workspace', 'from', 'to', 'previously', 'id']

/** A described change is about mappings or about settings. */
const oneChange = (written: Written, context: Context): void =>
  checkChange(written, context, 'add group, with its target, from and to; or groupSync')

const describedChange = constrained(z.strictObject(changeKeys), oneChange).meta({ ...beside, ...oneRequired(['group', 'groupSync']) })

const formerLimit = 'a waiver names changes and no number: remove "guard" and "count", and keep "changes"'

/** An entry of `waivers`. */
export const waiver = constrained(
  z.strictObject({
    ...changeKeys,
    people: z
      .union([z.int().min(0), z.literal('any')])
      .optional()
      .describe(
        'For how many people the changes may pass the limits on people, each alone and all together in one plan. any: for every number',
      ),
    guard: former('guard', formerLimit),
    count: former('count', formerLimit),
    changes: z
      .array(describedChange)
      .min(1)
      .optional()
      .describe('Several changes that may pass, each written like an entry of its own, without until, reason and people'),
    until: dayOrMoment.describe(
      'The last day, written as 2099-01-31, or the moment of the end, as 2099-01-31T18:00Z. It is at most 30 days from now',
    ),
    reason: note.describe('Why this may pass, for readers of the plan: a ticket or a sentence'),
    owner: note.optional().describe("Who lets this pass. Default: the file's owner"),
  }),
  oneForm,
).meta({
  ...beside,
  ...oneRequired(['group', 'groupSync', 'changes']),
})

export type WaiverEntry = z.output<typeof waiver>

/** The keys and values of an entry, which may be wrong. */
type Written = Readonly<Record<string, unknown>>
type Context = z.core.$RefinementCtx

/** A waiver is about mappings, about settings, or about a list of both. */
function oneForm(written: Written, context: Context): void {
  if (!('changes' in written))
    return checkChange(written, context, 'add group, with its target, from and to; or groupSync; or changes, a list of such entries')
  const { refuseKey } = adding(written, context)
  for (const key of [...mappingKeys, 'groupSync']) refuseKey(key, 'changes', 'write the change as an entry of "changes"')
}

function checkChange(written: Written, context: Context, cure: string): void {
  const { add, refuseKey } = adding(written, context)
  if ('groupSync' in written) {
    for (const key of mappingKeys) refuseKey(key, 'groupSync', 'a mapping and the settings change by two changes: write two entries')
    refuseKey('people', 'groupSync', 'the limits on people are not about settings: remove it')
    return settingsChange(written, context)
  }
  if (!mappingKeys.some((key) => key in written)) return add([], 'this does not say what may pass', cure)
  mappingChange(written, context)
}

function settingsChange(written: Written, context: Context): void {
  const { add } = adding(written, context)
  for (const [name, step] of Object.entries(written['groupSync'] ?? {})) {
    if (typeof step !== 'object' || step === null || !('from' in step) || !('to' in step) || step.from !== step.to) continue
    add(['groupSync', name], `"${name}" is the same before and after`, 'remove it, or correct "from" or "to"')
  }
}

function mappingChange(written: Written, context: Context): void {
  const { add, addMissing, addAtKey, refuseKey } = adding(written, context)
  addMissing('group', 'the exact name of the group, or a list of names')
  oneTargetChoice(written, context)
  addMissing('from', 'the role before the change; none if there is no mapping yet')
  addMissing('to', 'the role after the change; none if the mapping is deleted')
  const { group, from, to, previously } = written
  if ('from' in written && from === to && to !== null) {
    if (from === 'none')
      add(['to'], '"from" and "to" are both none, so there is no change', 'write the role before a delete, or after a create')
    else if (!('previously' in written))
      add(
        ['to'],
        '"from" and "to" are the same, so there is no change',
        'write the role before and the role after; for a rename add "previously"',
      )
  }
  if (Array.isArray(group) && group.length > 1) {
    addAtKey('id', '"id" needs one "group"', 'it is the id of that one group: write an entry for each group')
    addAtKey('previously', '"previously" needs one "group"', 'it is the old name of that one group: write an entry for each group')
  }
  if (to === 'none') refuseKey('id', 'to: none', 'a delete takes the role from the group of this name, whatever its id is: remove "id"')
  if (from === 'none' || to === 'none')
    addAtKey('previously', '"previously" needs a role before and after', 'a rename has the role of the mapping in "from" and in "to"')
  if (typeof previously === 'string' && previously === group)
    add(['previously'], '"previously" is the group itself', 'write the group that the mapping has now')
}

/** Functions that add issues about an entry. */
function adding(written: Written, context: Context) {
  const add = (path: readonly string[], message: string, cure: string, key = false): void =>
    context.addIssue({ code: 'custom', path: [...path], message, params: { cure, key } })
  const addAtKey = (key: string, message: string, cure: string): void => {
    if (key in written) add([key], message, cure, true)
  }
  return {
    add,
    addAtKey,
    addMissing: (key: string, cure: string): void => {
      if (!(key in written)) add([], `"${key}" is missing`, cure)
    },
    refuseKey: (key: string, neighbour: string, cure: string): void => addAtKey(key, `"${key}" cannot stand beside "${neighbour}"`, cure),
  }
}
