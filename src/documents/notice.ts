import { z } from 'zod'
import type { Key, Role } from '../core/mapping.ts'
import { noticeKinds } from '../core/memory/told.ts'
import { because } from './parts.ts'
import { amount, branded, type DeepReadonly, isoText } from './shape.ts'

const role = branded<Role>().nullable().optional()

const notice = z
  .object({
    news: z
      .enum(['new', 'changed', 'over'])
      .describe('new: it is told for the first time. changed: it stands otherwise than it was told. over: it stands no longer.'),
    kind: z.enum(noticeKinds),
    workspace: z.string().optional().describe('Absent: it is about the declaration.'),
    what: z.string().describe('Names the fact within its kind and workspace, and stays the same as long as the fact stands.'),
    owners: z.array(z.string()).describe('The owners of the fences that it concerns.'),
    sentence: z.string().optional().describe('Absent if it is over.'),
    cure: z.string().optional().describe('What to do next.'),
    id: z.string().optional().describe('What `plane-group-sync approve` takes to approve it.'),
    key: branded<Key>().optional().describe('The mapping: workspace, target and group.'),
    before: role.describe(
      'The role before; null if the mapping has none; absent if there is no mapping, or if several mappings are meant.',
    ),
    after: role.describe('The role that the mapping would get, or got.'),
    date: isoText.optional().describe('When the mapping ends.'),
    count: amount.optional().describe('How many changes or facts it stands for.'),
    because: because.optional(),
  })
  .meta({ id: 'notice' })

/** What `notify` sends in the format `full`. */
export const noticeSchema = z
  .object({
    format: z.literal('plane-group-sync/notice'),
    version: z.literal(1),
    at: isoText.describe('When the cycle ended after which it was sent.'),
    service: z.string().describe('Host, port and base path of Plane.'),
    link: z.string().optional().describe('`link` of the settings.'),
    notices: z.array(notice),
    leftOut: amount.describe('How many more there are. plane-group-sync status shows all that stands.'),
  })
  .describe('What plane-group-sync tells a receiver of notify after a cycle.')
export type NoticeDocument = DeepReadonly<z.infer<typeof noticeSchema>>
