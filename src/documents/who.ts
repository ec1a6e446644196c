import { z } from 'zod'
import { lists, type Role } from '../core/mapping.ts'
import { because, finding, target } from './parts.ts'
import { branded, type DeepReadonly } from './shape.ts'

const role = z
  .union([branded<Role>(), z.array(branded<Role>())])
  .nullable()
  .describe('null: no role. A list: several roles, and roles.order does not say which is the highest.')

/** The document of `who --format json`. */
export const whoSchema = z
  .object({
    format: z.literal('plane-group-sync/who'),
    version: z.literal(1),
    person: z.string().describe('As the command line names the person.'),
    workspaces: z.array(
      z.object({
        workspace: z.string(),
        failed: z.string().optional().describe('Why the roles in this workspace are not known.'),
        groups: z.array(z.string()).describe('The groups of the person that have, get or lose a role here.'),
        unknown: z.array(z.string()).describe('Groups of which not all members are known: the person may be in them.'),
        unread: z
          .array(z.object({ list: z.enum(lists), why: z.string() }))
          .optional()
          .describe('Lists of mappings that were not read whole: other groups of the person may have roles there.'),
        labels: z.record(z.string(), z.string()).optional().describe('How people call those of these groups whose names are ids.'),
        findings: z.array(finding).optional().describe('About directories that did not say all groups, or all members.'),
        hint: z.string().optional().describe('Why the directories can know no person by this text.'),
        roles: z.array(
          z.object({
            target,
            before: role,
            after: role,
            by: z.array(z.object({ group: z.string(), target, before: role, after: role, because: because.optional() })),
          }),
        ),
        held: z
          .array(z.object({ group: z.string(), target: target.optional(), reason: z.string() }))
          .describe('Changes for groups of the person that wait, with the reason.'),
      }),
    ),
  })
  .describe('The roles of one person today and after the plan, by the members of groups in the directories.')
export type WhoDocument = DeepReadonly<z.infer<typeof whoSchema>>
