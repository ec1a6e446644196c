import { z } from 'zod'
import { whyNotKinds } from '../core/explain/nearRules.ts'
import type { GroupName, Key, MappingId, Role } from '../core/mapping.ts'
import { changeSchema } from './change.ts'
import { laterSchema } from './later.ts'
import { outcomeSchema } from './outcome.ts'
import { because, settings, target } from './parts.ts'
import { aboutFields, holdSchema, unchangedSchema } from './plan.ts'
import { branded, type DeepReadonly, isoText, sizeSchema } from './shape.ts'

const role = branded<Role>()

const claim = z
  .object({
    because,
    says: z.string().describe('The entry in a few words: glob eng-* → member'),
    role: role.optional().describe('The role that it gives, or would give without its hold.'),
    decides: z.boolean(),
    lost: z.enum(['notStarted', 'ended', 'fenced', 'removed', 'exact']).optional().describe('Why it does not decide.'),
    sentence: z.string().optional().describe('Why it does not decide, or what holds it.'),
    captured: z.record(z.string(), z.string()).optional().describe('What its pattern takes from the name of the group.'),
  })
  .meta({ id: 'claim', description: 'A rule, or an entry of removed, that names the key.' })

const near = z
  .object({ because, says: z.string(), why: z.enum(whyNotKinds), sentence: z.string() })
  .meta({ id: 'near', description: 'A rule that comes near to the key and does not count for it, and why not.' })

const directory = z.object({
  name: z.string(),
  status: z.enum(['complete', 'partial', 'failed']),
  at: isoText.optional(),
  why: z.string().optional(),
  groups: z.array(
    z.object({
      place: z.string().describe('The place in the directory: a DN or a path. Of a recording, or beside a daemon: a number.'),
      id: z.string().optional(),
      label: z.string().optional(),
      size: sizeSchema.optional(),
    }),
  ),
})

const mapping = z.object({
  mapping: branded<MappingId>(),
  role: role.nullable(),
  origin: z
    .enum(['made', 'adopted', 'named', 'intended', 'others'])
    .optional()
    .describe('Where it comes from, as the journal knows it. Absent: there is no journal.'),
  ours: z.boolean().optional().describe('Whether policy sync deletes it when its rule goes.'),
  oursFrom: isoText.optional().describe('When an exact rule that still names it makes it ours.'),
})

const event = z
  .object({
    at: isoText.optional(),
    run: z.string(),
    command: z.string().optional(),
    event: z.enum(['write', 'ownership', 'seen', 'approval']).describe('`seen`: a list of Plane showed it otherwise than before.'),
    role: z.string().nullable().optional().describe('Of `seen`.'),
    isFirst: z.literal(true).optional().describe('It was so in the first reading that the journal has.'),
    change: changeSchema.optional(),
    outcome: outcomeSchema.optional().describe('Of a write; absent if no result is recorded.'),
    origin: z.enum(['made', 'adopted', 'named', 'intended']).nullable().optional(),
    by: z.string().optional().describe('The name that a person gave. Nothing proves it.'),
    account: z.string().optional().describe('Of the process that handed the approval over.'),
    reason: z.string().optional(),
    until: isoText.optional(),
  })
  .meta({ id: 'event', description: 'An entry of the journal about the key.' })

const outcome = {
  changes: z.array(changeSchema),
  holds: z.array(holdSchema),
  unchanged: z.array(unchangedSchema),
  later: z.array(laterSchema),
}

/** The document of `explain --format json`. */
export const explainSchema = z
  .object({
    format: z.literal('plane-group-sync/explain'),
    version: z.literal(1),
    ...aboutFields,
    key: branded<Key>(),
    target,
    group: branded<GroupName>(),
    label: z.string().optional(),
    answer: z.string().describe('The answer in one sentence.'),
    claims: z.array(claim).describe('The one that decides first, then the others in the order of the files.'),
    near: z.array(near).describe('The nearest first. Empty if a rule decides.'),
    unmanaged: because.optional().describe('The entry for which the key is never touched.'),
    managed: z.boolean().describe('Whether the declaration manages the key.'),
    directories: z.array(directory),
    unasked: z.array(z.string()).describe('The directories of the settings that no rule of the workspace asks.'),
    mappings: z.array(mapping),
    mappingsUnread: z.string().optional().describe('Why the mappings were not read whole.'),
    ...outcome,
    everywhere: z
      .object({ mappings: z.array(mapping.pick({ mapping: true, role: true })), ...outcome })
      .optional()
      .describe('For a project: the same for the mapping of the group to all projects.'),
    groupSync: settings.optional(),
    events: z
      .array(event)
      .optional()
      .describe('The last entries of the journal about the key, the newest first. Absent: there is no journal.'),
  })
  .describe('Why a group has a role on a target, or why not.')

export type ExplainDocument = DeepReadonly<z.infer<typeof explainSchema>>
