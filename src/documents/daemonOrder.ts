import { z } from 'zod'
import { waiverDigits } from '../core/change.ts'
import { idWithPeople } from '../core/idWithPeople.ts'
import type { GroupName, Key, ProjectIdentifier, Role, WorkspaceName } from '../core/mapping.ts'
import { service, settings } from './parts.ts'
import { runningSchema } from './running.ts'
import { branded, type DeepReadonly } from './shape.ts'

const workspace = branded<WorkspaceName>()
const role = branded<Role>()
const id = z.string().regex(idWithPeople(waiverDigits))
/** The form of the name of an approval. */
export const approvalName = /^[0-9a-f]{32}$/

const sentence = z.string().min(1).max(500)

/** How the answer is shown, as the command that asks would show it. */
const show = z.strictObject({
  format: z.enum(['text', 'json', 'markdown']),
  all: z.boolean(),
  columns: z.int().min(20).max(1_000),
  colour: z.boolean(),
  /** Whether its standard output is a terminal. */
  terminal: z.boolean(),
})

const only = z.array(workspace).min(1).max(100_000).optional()
const hash = z.string().regex(/^[0-9a-f]{64}$/)
/**
 * The plans that a person saw. `changes`: the hash of the ids of all changes, also of those that wait. `shown`: how each of them stood, compressed. A change
 * that waited is written only if `allow` names it. `laterUntilMs`: the plan says up to this moment what dates will change.
 */
const review = z.strictObject({ workspace, fingerprint: hash, laterUntilMs: z.int(), changes: hash, shown: z.base64() })
export type SentReview = DeepReadonly<z.infer<typeof review>>
const reviewed = z.array(review)

const words = z.strictObject({
  changes: z
    .array(
      z.union([
        z.strictObject({
          key: branded<Key>(),
          fromGroup: branded<GroupName>().optional(),
          before: role.nullable().optional(),
          after: role.optional(),
          groupId: z.string().optional(),
        }),
        z.strictObject({ before: settings, after: settings }),
      ]),
    )
    .min(1),
  people: z.union([z.int().nonnegative(), z.literal('any')]).optional(),
})

/** What the changes of a saved plan leave: a digest for each key and its role, so that the daemon can see whether all of them were written before. */
const left = z.array(z.strictObject({ workspace, states: z.base64() })).optional()

/** With `reviewed`, only the reviewed plans of these workspaces are written. */
const run = { service, only, allow: z.array(id), by: sentence, show, reviewed: reviewed.optional(), left }

const target = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('workspace') }),
  z.strictObject({ kind: z.literal('project'), project: branded<ProjectIdentifier>() }),
  z.strictObject({ kind: z.literal('allProjects') }),
])

/** What a command asks of the daemon that has the journal open. `service`: that of its settings. */
export const orderSchema = z.discriminatedUnion('kind', [
  /** Makes the plan that a person is asked about, and writes nothing. */
  z.strictObject({ kind: z.literal('plan'), ...run }),
  z.strictObject({ kind: z.literal('cycle'), ...run }),
  /** Lets changes pass the guards for a time, then runs a cycle. `several`: the ID of a set of changes or of a plan; the daemon knows its changes. */
  z.strictObject({
    kind: z.literal('approve'),
    service,
    approvals: z
      .array(z.strictObject({ workspace, words: words.optional(), several: id.optional(), passes: z.array(id) }))
      .min(1)
      .max(1_000),
    forMs: z
      .int()
      .min(1_000)
      .max(30 * 86_400_000),
    reason: sentence,
    by: sentence,
    show,
  }),
  /** Answers with a recording of what the last cycles have read. */
  z.strictObject({ kind: z.literal('record'), service, memberships: z.boolean(), declaredGroups: z.boolean(), by: sentence }),
  /** Explains one key from what the last cycles have read. `workspace`: its name in the settings. */
  z.strictObject({ kind: z.literal('explain'), service, workspace, target, group: branded<GroupName>(), by: sentence, show }),
  /**
   * Answers with the document of `report`, from what the last cycles have read. `filter`: an empty list chooses all. `endsWithinMs`: only rules that end within
   * this time.
   */
  z.strictObject({
    kind: z.literal('report'),
    service,
    only,
    filter: z.strictObject({
      roles: z.array(z.string()),
      owners: z.array(z.string()),
      groups: z.array(z.string()),
      endsWithinMs: z.int().nonnegative().optional(),
    }),
    by: sentence,
    show,
  }),
  /** Looks at Plane and the directories, and writes nothing. */
  z.strictObject({ kind: z.literal('doctor'), service, only, by: sentence }),
  /** Asks what the present cycle of the daemon does. `order`: the nonce of an order that waits. */
  z.strictObject({ kind: z.literal('running'), service, order: z.uuid().optional() }),
  z.strictObject({ kind: z.literal('withdraw'), service, approval: z.string().regex(approvalName), by: sentence }),
])
export type SentLeft = NonNullable<DeepReadonly<z.infer<typeof left>>>
export type Order = DeepReadonly<z.infer<typeof orderSchema>>
export type OrderShow = Order extends infer One ? (One extends { readonly show: infer Show } ? Show : never) : never

/** The answer of the daemon. `exit`: the exit code of the command. */
export const orderAnswerSchema = z.strictObject({
  exit: z.int(),
  out: z.string(),
  err: z.string(),
  /** Of the order `plan`: the question, without it if there is nothing to write; and the plans that the person sees. */
  question: z.string().optional(),
  reviewed: reviewed.optional(),
})
/** What the order `running` is answered with, as JSON on standard output. `running` is absent while no cycle runs. */
export const runningAnswerSchema = z.strictObject({
  running: runningSchema.optional(),
  /** Whether it is the cycle of the order that was named. */
  isOfOrder: z.boolean(),
})
export type RunningAnswer = DeepReadonly<z.infer<typeof runningAnswerSchema>>
export type OrderAnswer = DeepReadonly<z.infer<typeof orderAnswerSchema>>
