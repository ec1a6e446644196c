import { z } from 'zod'
import { lists } from '../core/mapping.ts'
import { because, revision, service, target } from './parts.ts'
import { amount, type DeepReadonly, isoText, sizeSchema } from './shape.ts'

const names = z.array(z.string())

/** Since when a mapping is as it is. */
const since = z
  .object({
    by: z
      .enum(['program', 'others', 'unknown'])
      .describe(
        '`program`: this program wrote it. `others`: somebody else did, between two readings. `unknown`: it was so when the list was first seen, or a write of this program without an answer may have done it.',
      ),
    at: isoText.describe('`program`: when it was written. `others`, `unknown`: the first reading that shows it.'),
    after: isoText.optional().describe('The last reading that does not show it. Absent: `program`, or there is none.'),
  })
  .meta({ id: 'since' })

/** `name` is a claim; the account is that of the process. */
const approval = z.object({
  name: z.string(),
  account: z.string().optional(),
  source: z.string(),
  at: isoText,
  reason: z.string().optional(),
})

const place = z.object({ target, group: z.string() })

const row = z.object({
  id: z.string().describe('The id of the mapping in Plane.'),
  group: z.string(),
  label: z.string().optional(),
  target,
  role: z.string().nullable(),
  protected: z.literal(true).optional(),
  size: sizeSchema.optional().describe('Of the group, as its directory says. Absent: not known.'),
  standing: z
    .enum(['declared', 'held', 'undeclared', 'unmanaged', 'notManaged', 'ending', 'unknown'])
    .describe('What the declaration says. `ending`: the plan deletes it. `unknown`: it is of the past.'),
  because: because.optional().describe('The rule.'),
  ends: isoText.optional(),
  since: since.optional().describe('Absent: the journal has not seen the mapping.'),
  revision: revision.optional().describe('The commit of the declaration from which this program wrote the mapping.'),
  approved: z.array(approval).optional().describe('Who let the last write pass the guards, as far as the journal goes back.'),
  unsure: z
    .object({
      after: isoText,
      at: isoText,
      moved: place.optional().describe('What the mapping is about at the second reading, if that is not what the first one shows.'),
      role: z.string().nullable().optional().describe('The role at the second reading. Absent: it shows no such mapping.'),
      isNew: z.literal(true).optional().describe('The first reading does not show the mapping.'),
    })
    .optional()
    .describe('The mapping changed between these two readings, and the moment of the report is between them.'),
})

const role = z.string().nullable().optional().describe('Absent: no mapping.')
const edit = z
  .object({
    by: z.enum(['others', 'unknown']).describe('`unknown`: a write of this program without an answer may have done it.'),
    after: isoText.optional().describe('The last reading that does not show it.'),
    at: isoText.describe('The first reading that shows it.'),
    target,
    group: z.string(),
    from: place.optional().describe('What the mapping was about before.'),
    before: role,
    role,
  })
  .meta({ id: 'edit' })

export const reportSchema = z
  .object({
    format: z.literal('plane-group-sync/report'),
    version: z.literal(1),
    at: isoText.describe('The moment that the report is about.'),
    from: z.enum(['readings', 'journal']),
    service: service.optional(),
    declaration: z
      .object({ hash: z.string(), files: amount.optional(), revision: revision.optional() })
      .optional()
      .describe('Of the past: the last one that the journal names before. Absent: not known.'),
    journal: z
      .object({ folder: z.string(), from: isoText.optional() })
      .optional()
      .describe('The journal, and the oldest entry that it has. Absent: the settings have none.'),
    filter: z
      .object({ roles: names, owners: names, groups: names, endsBefore: isoText.optional() })
      .optional()
      .describe('Only these rows are in the report. Absent: all are.'),
    planned: isoText.optional().describe('The date by which a recording was planned, if that is not `at`.'),
    workspaces: z.array(
      z.object({
        workspace: z.string(),
        failed: z.string().optional(),
        fingerprint: z.string().optional(),
        lists: z.array(
          z.object({
            list: z.enum(lists),
            status: z.enum(['complete', 'partial', 'failed', 'notRead']),
            read: isoText.optional(),
            seenFrom: isoText.optional(),
            why: z.string().optional(),
          }),
        ),
        rows: z.array(row),
        edits: z
          .array(edit)
          .optional()
          .describe(
            'What was changed in Plane in the last 14 days, and not by this program as far as it knows. Absent: without a journal, and of the past.',
          ),
        withoutRule: amount.optional().describe('Of the past: rows left out because their rule is not known, and the filter asks for it.'),
      }),
    ),
  })
  .describe('Which group has which role, why, and since when.')
export type ReportDocument = DeepReadonly<z.infer<typeof reportSchema>>
export type ReportRow = ReportDocument['workspaces'][number]['rows'][number]
