import { z } from 'zod'
import type { GroupName, Key, Role } from '../core/mapping.ts'
import { because, target } from './parts.ts'
import { reasonSchema } from './reason.ts'
import { branded, type DeepReadonly, isoText, sizeSchema } from './shape.ts'

export const laterSchema = z
  .object({
    date: isoText.describe('The moment at which it happens.'),
    why: z.enum(['starts', 'ends']).describe('starts: a rule starts then, and decides. ends: a rule ends then.'),
    action: z
      .enum(['create', 'patch', 'rename', 'delete', 'unknown'])
      .describe('unknown: the mapping is held from then on, and it is not known what the declaration wants.'),
    key: branded<Key>(),
    target,
    group: branded<GroupName>(),
    label: z.string().optional().describe('How people call the group, if its name is an id.'),
    groupId: z.string().optional().describe('The id of the group in its directory.'),
    fromGroup: z.string().optional().describe('Of a rename: the group that has the mapping before.'),
    before: branded<Role>()
      .nullable()
      .optional()
      .describe('The role before the date; null if the mapping has none; absent if there is no mapping.'),
    role: branded<Role>().optional().describe('The role from the date on; absent if the mapping is deleted, or if the role is not known.'),
    size: sizeSchema.optional().describe('Of the group, today.'),
    allowProtected: z.boolean().optional(),
    protected: z.literal(true).optional().describe('It grants a protected role.'),
    waits: z
      .object({ reason: reasonSchema, sentence: z.string(), cure: z.string() })
      .optional()
      .describe(
        'Why it will wait at its date, as far as it is known today. A set that will wait has an empty `pass`. Absent: it will be written.',
      ),
    waivedBy: z.string().optional().describe('The place of the waiver that will let it pass.'),
    because: because.describe('The rule that decides from the date on, or the one that ends.'),
  })
  .meta({ id: 'later', description: 'What a date will change, if everything else stays as it is today.' })

export type DocumentLater = DeepReadonly<z.infer<typeof laterSchema>>
