import { z } from 'zod'
import { finding, revision, service } from './parts.ts'
import { lastPlanSchemas } from './plan.ts'
import { amount, type DeepReadonly, isoText, personText } from './shape.ts'

const names = z.array(z.string())

const approval = z
  .object({
    name: z.string().describe('`approve --withdraw` takes it.'),
    workspace: z.string(),
    by: z.string().describe('The name that the person gave. Nothing proves it.'),
    account: z.string(),
    reason: personText,
    from: isoText,
    until: isoText,
    people: z.union([amount, z.literal('any')]).optional(),
    keys: names.describe('The keys of the changes that may pass; the first ones, if there are many.'),
    changes: amount.describe('How many changes may pass.'),
    roles: z
      .array(z.object({ before: z.string().nullable().optional(), after: z.string().optional() }))
      .optional()
      .describe(
        'For each of `keys`: the role before and after. Absent: no mapping, or a change of the settings. null: a mapping without a role.',
      ),
    passes: names.describe('Projects and groups with another id that are accepted.'),
  })
  .meta({ id: 'approval', description: 'An approval that an order gave to the daemon, and that has not ended.' })

const about = {
  outcome: z.enum(['success', 'waiting', 'incomplete', 'planned', 'partial', 'stale', 'failed']),
  lastSuccess: isoText.optional().describe('Absent: none is known.'),
}
const planned = z.object({
  ...about,
  plan: lastPlanSchemas.planned,
  leftOut: z
    .object({ changes: amount, holds: amount, later: amount, findings: amount })
    .optional()
    .describe('How many rows are not here, because the document would be too large. The least dangerous rows are left out first.'),
})
const failed = z.object({ ...about, plan: lastPlanSchemas.failed })

/** The document that a daemon leaves beside its journal after each cycle. */
export const lastSchema = z
  .object({
    format: z.literal('plane-group-sync/last'),
    version: z.literal(1),
    program: z.string().describe('The version of the program.'),
    pid: amount,
    host: z.string(),
    lock: z.string().optional().describe('The token of the lock of the journal that this process held.'),
    service,
    began: isoText,
    ended: isoText,
    next: isoText.describe('When the next cycle begins at the latest, without the jitter of the schedule.'),
    overdue: isoText.describe('If no newer document is there at this time, the daemon has missed two cycles.'),
    everyMs: amount.describe('The shortest time between two ticks of the schedule.'),
    declaration: z.object({
      hash: z.string(),
      files: amount,
      revision: revision.optional().describe('Absent: it is not known.'),
      kept: z.string().optional().describe('What is wrong with the present files. Absent: nothing.'),
      keptFiles: z
        .array(
          z.object({
            file: z.string(),
            owner: z.string().optional().describe('The owner of its fence. Absent: no fence gives it an owner.'),
            isUsed: z
              .boolean()
              .describe('Whether its last valid text is used. If not, nothing of it is, and what it names or gave is held.'),
            unread: z.literal(true).optional().describe('It cannot be read. Of a folder: nothing in it. Absent: it is invalid.'),
          }),
        )
        .optional()
        .describe('The files and folders that are not used as they are now. Empty beside `kept`: files contradict each other.'),
    }),
    settings: z
      .object({
        hash: z.string().describe('Of the settings in use.'),
        kept: z.string().optional().describe('Why the present file is not used. Absent: it is in use.'),
      })
      .optional()
      .describe('Absent: an older version wrote the document.'),
    directories: lastPlanSchemas.planned.shape.directories,
    budgets: z.array(
      z.object({
        credential: z.string(),
        limit: amount.describe('Requests that Plane allows in one window.'),
        remaining: amount.describe('Requests that could be sent, after the reserve is subtracted.'),
        others: amount.describe('Estimated requests of others in the window.'),
        waitMs: amount,
      }),
    ),
    approvals: z.array(approval),
    workspaces: z.array(z.union([planned, failed])),
    leftOut: amount.optional().describe('How many workspaces are not here, because the document would be too large.'),
    findings: z.array(finding).describe('Findings that concern several workspaces.'),
  })
  .describe('What a daemon of plane-group-sync read and decided in its last cycle.')

export type LastDocument = DeepReadonly<z.infer<typeof lastSchema>>
export type LastWorkspace = LastDocument['workspaces'][number]
/** A workspace with a plan. */
export type LastPlanned = DeepReadonly<z.infer<typeof planned>>
export type LastFailed = DeepReadonly<z.infer<typeof failed>>
export type LastApproval = DeepReadonly<z.infer<typeof approval>>
