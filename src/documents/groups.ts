import { z } from 'zod'
import { directoryFinding } from './parts.ts'
import { amount, type DeepReadonly, sizeSchema } from './shape.ts'

/** The document of `groups --format json`. */
export const groupsSchema = z
  .object({
    format: z.literal('plane-group-sync/groups'),
    version: z.literal(1),
    directories: z.array(
      z.object({
        name: z.string(),
        kind: z.string(),
        status: z.enum(['complete', 'partial', 'failed']),
        tookMs: amount,
        missing: z.string().optional().describe('Why the reading is partial.'),
        why: z.string().optional().describe('Why the reading failed.'),
        cure: z.string().optional(),
        findings: z.array(directoryFinding).optional(),
        groups: z.array(
          z.object({
            name: z.string(),
            id: z.string(),
            place: z.string(),
            label: z.string().optional().describe('How people call a group whose name is an id.'),
            size: sizeSchema.optional(),
            names: z.array(z.string()).optional().describe('All names of an entry that has several.'),
          }),
        ),
      }),
    ),
  })
  .describe('The groups in the directories, as plane-group-sync reads them.')
export type GroupsDocument = DeepReadonly<z.infer<typeof groupsSchema>>
