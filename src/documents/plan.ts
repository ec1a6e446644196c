import { z } from 'zod'
import type { ChangeId } from '../core/change.ts'
import { limitNames } from '../core/hold.ts'
import type { GroupName, Key, MappingId, Role } from '../core/mapping.ts'
import { planFormat } from '../core/plan.ts'
import { changeSchema } from './change.ts'
import { laterSchema } from './later.ts'
import { outcomeSchema } from './outcome.ts'
import { because, cause, exceeds, finding, givenBy, revision, settings, target } from './parts.ts'
import { reasonSchema } from './reason.ts'
import { amount, branded, type DeepReadonly, isoText, sizeSchema } from './shape.ts'

export const aboutFields = {
  workspace: z.string(),
  slug: z.string(),
  host: z.string(),
  policy: z.enum(['observe', 'create-only', 'upsert-only', 'sync', 'exclusive']),
  suspend: z.union([z.boolean(), z.literal('grants')]),
  approvals: z.literal('files-only').optional().describe('Only words in a file approve what waits. Absent: `--allow` and orders, too.'),
  credential: z.string().describe('The name of the credential in the settings.'),
}

const failed = z.object({ ...aboutFields, standing: z.literal('failed'), failed: z.string(), cure: z.string().optional() })

const role = branded<Role>()
const before = role.nullable().describe('The role of the existing mapping; null if it has none.')

/** What would be written without a hold. */
const heldWrite = z
  .union([
    z.object({ action: z.literal('create'), role }),
    z.object({ action: z.literal('patch'), before, role }),
    z.object({ action: z.enum(['delete', 'keep', 'unknown']), before }),
  ])
  .meta({ id: 'heldWrite' })

export const holdSchema = z
  .object({
    key: z.string(),
    target: target.optional(),
    group: z.string().optional(),
    label: z.string().optional(),
    reason: reasonSchema,
    sentence: z.string(),
    cure: z.string(),
    until: isoText.optional(),
    change: changeSchema.optional(),
    would: heldWrite
      .optional()
      .describe(
        'What would be done without the hold, if it is known and there is no change. keep: the mapping is as declared. unknown: the mapping exists, and its declared role is not known.',
      ),
    protected: z
      .literal(true)
      .optional()
      .describe('A mapping that gives a protected role, and is undeclared, or kept since it is not known whether it is.'),
    size: sizeSchema.optional(),
    unknownTo: z
      .array(z.string())
      .optional()
      .describe('For an undeclared mapping: the directories that rules ask, all read completely, of which none has the group.'),
    unasked: z
      .array(z.string())
      .optional()
      .describe('Beside `unknownTo`: the directories of the settings that no rule of the workspace asks.'),
    because: because.optional(),
    givenBy,
    cause: cause.optional(),
  })
  .meta({ id: 'hold', description: 'A change that is not written now, or a mapping that is kept as it is.' })

export const unchangedSchema = z
  .object({
    key: branded<Key>(),
    mapping: branded<MappingId>(),
    target,
    group: branded<GroupName>(),
    role: branded<Role>().nullable(),
    label: z.string().optional(),
    size: sizeSchema.optional(),
    because,
  })
  .meta({ id: 'unchanged', description: 'A mapping that is as declared.' })

const set = z
  .object({
    id: branded<ChangeId>(),
    limit: z.enum(limitNames),
    exceeds,
    count: z.number(),
    allowed: z.number(),
    owned: z.number().optional(),
    setting: z.string(),
    sentence: z.string(),
    size: sizeSchema.optional().describe('Of the groups together; absent if the size of one of them is not known.'),
    cure: z.string(),
    changes: z.array(branded<ChangeId>()),
  })
  .meta({
    id: 'set',
    description: 'Changes that wait together, since they exceed a limit. An approval with the ID lets exactly these pass.',
  })

const kinds = { create: amount, raise: amount, lower: amount, other: amount, rename: amount, settings: amount, delete: amount }

const parts = z.object({
  changes: z.array(changeSchema),
  holds: z.array(holdSchema),
  later: z.array(laterSchema),
  findings: z.array(finding),
})

const planned = z.object({
  ...aboutFields,
  standing: z.enum(['writes', 'waits', 'nothing', 'unmanaged', 'inSync', 'moved', 'same']),
  at: isoText.optional(),
  fingerprint: z
    .string()
    .describe('SHA-256 of the changes, and of the changes in later. apply takes a saved plan only if the fresh plan has the same.'),
  declaration: z.object({ hash: z.string(), files: amount, revision: revision.optional(), kept: z.string().optional() }),
  directories: z.array(
    z.object({
      name: z.string(),
      kind: z.string(),
      status: z.enum(['complete', 'partial', 'failed']),
      groups: amount,
      why: z.string().optional(),
      at: isoText.optional(),
      tookMs: amount,
    }),
  ),
  groupSync: settings.optional(),
  recorded: z
    .object({
      at: isoText,
      differs: z
        .union([z.array(z.string()), z.literal('invalid')])
        .describe('Settings of the present folder that are not as recorded. The recorded ones count.'),
      plannedAt: isoText.optional().describe('With --at: the date of the plan.'),
      base: z
        .object({ name: z.string(), behind: amount, invalid: z.boolean() })
        .optional()
        .describe(
          'With what the plan is compared. behind: commits of the base that the branch lacks. invalid: its files cannot be used, so the plan is whole.',
        ),
    })
    .optional()
    .describe('The recording from which the plan is made; absent if it is made from what Plane and the directories have now.'),
  owner: z
    .object({ name: z.string(), others: amount.describe('Rows of others, which are not shown.') })
    .optional()
    .describe('With --owner: only the rows of the rules of this owner are shown.'),
  counts: z.object({
    ...kinds,
    waiting: amount,
    held: amount,
    kept: amount.describe(
      'How many of `held` are mappings that only stay as they are until a directory or list is read whole, or a file is valid. Texts count them apart from `held`.',
    ),
    dangling: amount,
    undeclared: amount,
    later: amount,
    unchanged: amount,
  }),
  waits: z.object(kinds).describe('The changes of `waiting`, by kind.'),
  protected: z
    .object({
      create: amount,
      raise: amount,
      lower: amount,
      other: amount,
      rename: amount,
      waiting: amount,
      held: amount,
      undeclared: amount,
      later: amount,
    })
    .describe('How many of the counts grant a protected role; of `undeclared`: have one.'),
  cost: z.object({ changes: amount, calls: amount, ms: amount, perMinute: amount }),
  owned: z.object({ workspaceRoles: amount.optional(), projectRoles: amount.optional() }),
  changes: z.array(changeSchema).describe('In the order of writing.'),
  later: z.array(laterSchema).describe('What dates will change up to laterUntil, and the grants of protected roles after it, by date.'),
  laterUntil: isoText,
  sets: z.array(set).describe('The limits that are exceeded. Each change of a set is in `holds`, too.'),
  waived: z
    .array(
      z.object({
        passes: z.array(z.string()),
        by: z.string().describe('The name that the person gave, which nothing proves; of a file: its owner, or its path.'),
        account: z.string().optional().describe('The account of the process that gave it. Absent: a file gave it.'),
        until: isoText.optional(),
        source: z.string(),
      }),
    )
    .describe(
      'The approvals that were used, by --allow, an order or a file. passes: the IDs of the changes, sets and plans that pass the guards.',
    ),
  unchanged: z.array(unchangedSchema).optional().describe('Only with --all.'),
  holds: z.array(holdSchema),
  findings: z.array(finding),
  difference: z
    .object({
      gone: parts.describe('What only the base does.'),
      same: parts.describe('What both do.'),
      left: z.array(unchangedSchema).describe('Mappings that the base wants as they are, and of which the branch says nothing any more.'),
    })
    .optional()
    .describe('Only with --base: changes, holds, later and findings above are what the branch does besides, or otherwise.'),
})

const applied = z
  .object({
    stopped: z.enum(['outdated', 'credential', 'throttled', 'unreachable', 'notAsSent', 'refused', 'signal', 'journal']).optional(),
    why: z.string().optional(),
    results: z.array(z.object({ change: branded<ChangeId>(), outcome: outcomeSchema })),
    holds: z.array(holdSchema),
    left: z.array(branded<ChangeId>()).describe('Approved but not tried.'),
  })
  .meta({ id: 'applied', description: 'What apply wrote; absent if there was nothing to write.' })

const written = z.object({ ...planned.shape, applied: applied.optional() })

const since = isoText.describe('When the daemon first saw this, or an earlier one that left its last cycle in the same folder.')

/** The plan of one workspace in the last cycle of a daemon: without what is unchanged, and with the time since which something waits. */
export const lastPlanSchemas = {
  planned: z.object({
    ...written.omit({ unchanged: true }).shape,
    holds: z.array(z.object({ ...holdSchema.shape, since })),
  }),
  failed,
}

const head = { format: z.literal('plane-group-sync/plan'), version: z.literal(planFormat) }
const shared = z.array(finding).describe('Findings that concern several workspaces.')

/** The document of `plan --format json` and `plan --out`. */
export const planSchema = z
  .object({ ...head, workspaces: z.array(z.union([planned, failed])), findings: shared })
  .describe('A plan of plane-group-sync.')

/** The document of `apply --format json`: a plan, and for each workspace what was written. */
export const appliedSchema = z
  .object({ ...head, workspaces: z.array(z.union([written, failed])), findings: shared })
  .describe('A plan of plane-group-sync, and what apply wrote of it.')

export type PlanDocument = DeepReadonly<z.infer<typeof appliedSchema>>
export type PlannedWorkspace = DeepReadonly<z.infer<typeof written>>
export type DocumentUnchanged = DeepReadonly<z.infer<typeof unchangedSchema>>
export type DocumentHold = DeepReadonly<z.infer<typeof holdSchema>>
