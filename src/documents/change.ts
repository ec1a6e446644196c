import { z } from 'zod'
import type { ChangeId } from '../core/change.ts'
import type { GroupName, Key, MappingId, Role } from '../core/mapping.ts'
import { because, cause, givenBy, settings, target } from './parts.ts'
import { boundsSchema, branded, type DeepReadonly, sizeSchema } from './shape.ts'

const id = branded<ChangeId>()
const key = branded<Key>()
const role = branded<Role>()
const place = { key, target, group: branded<GroupName>() }
const before = { mapping: branded<MappingId>(), before: role.nullable().describe('null if the mapping has no role.') }
const effect = z.union([
  z
    .object({
      newly: boundsSchema.describe('They have no role there today.'),
      raised: boundsSchema,
      lowered: boundsSchema,
      lost: boundsSchema.describe('They keep no role there.'),
      raise: boundsSchema.describe('Those of `newly` and `raised`, each person once: `guards.people.raise` counts them.'),
      gainProtected: boundsSchema.describe(
        'People who have no protected role there, and get one by this change, also if another change gives them a higher role. 0 if its role is not protected.',
      ),
      lose: boundsSchema.describe(
        'For the delete of an undeclared mapping: people who lose the role, or keep a lower one, while no grant is written but those that it requires. 0 for other changes.',
      ),
      why: z.string().optional().describe('Why not all of the numbers are exact.'),
    })
    .describe('Numbers of people.'),
  z
    .object({ notRecorded: z.literal(true) })
    .describe('The recording does not have the members. They are counted when the change is applied.'),
])
const uncounted = z
  .enum(['approved', 'ended'])
  .optional()
  .describe('Why the change fills no limit: a person let it pass, or its rule ended as the journal had long recorded.')
const about = {
  label: z.string().optional().describe('How people call the group, if its name is an id.'),
  groupId: z.string().optional().describe('The id of the group in its directory.'),
  size: sizeSchema.optional().describe('Of the group.'),
  effect: effect
    .optional()
    .describe(
      'The people whose role on the target would be another one after the whole plan, by all groups that a person is in. Roles given by hand in Plane are not seen. Absent if no directory says who the members of groups are.',
    ),
  allowProtected: z.boolean().optional(),
  uncounted,
  givenBy,
  cause: cause.optional(),
  protected: z.literal(true).optional().describe('The change grants a protected role. apply computes it anew.'),
  because: because.optional(),
  requires: z.array(id).describe('Changes that must succeed first.'),
}

const sameGroup = z.literal(true).optional().describe('By its id it is one group under another name.')

/** A change as the document of a plan has it: `planJson` writes it, and applying a saved plan reads it back. */
export const changeSchema = z
  .union([
    z.object({ id, action: z.literal('create'), ...place, role, ...about }),
    z.object({ id, action: z.literal('patch'), ...place, ...before, role, ...about }),
    z.object({
      id,
      action: z.literal('rename'),
      ...place,
      ...before,
      from: key,
      fromGroup: branded<GroupName>(),
      sameGroup,
      role,
      ...about,
    }),
    z.object({
      id,
      action: z.literal('delete'),
      ...place,
      ...before,
      why: z.enum(['removed', 'expired', 'duplicate', 'undeclared']),
      ...about,
    }),
    z.object({
      id,
      action: z.literal('settings'),
      key,
      before: settings,
      after: settings,
      uncounted,
      because: because.optional(),
      requires: z.array(id),
    }),
  ])
  .meta({ id: 'change' })
export type DocumentChange = DeepReadonly<z.infer<typeof changeSchema>>
