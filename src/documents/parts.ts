import { z } from 'zod'
import type { Cause } from '../core/cause.ts'
import { limitNames } from '../core/hold.ts'
import type { ProjectIdentifier, Role } from '../core/mapping.ts'
import type { Provenance } from '../core/rule.ts'
import { branded, type DeepReadonly, personText } from './shape.ts'

/* The fields that several parts of the document of a plan have in common. */

export const target = z
  .union([
    z.object({ kind: z.literal('workspace') }),
    z.object({ kind: z.literal('project'), project: branded<ProjectIdentifier>() }),
    z.object({ kind: z.literal('allProjects') }),
  ])
  .meta({ id: 'target' })
export type DocumentTarget = DeepReadonly<z.infer<typeof target>>

export const exceeds = z.enum(limitNames).optional().describe('The limit that the set `fileGone` exceeds.')

export const service = z
  .object({ host: z.string(), slugs: z.record(z.string(), z.string()) })
  .meta({ id: 'service', description: 'A Plane: host, port and base path, and the slug of each workspace of the settings.' })

const commitId = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/)
export const revision = z
  .union([
    z.object({ kind: z.enum(['commit', 'editedAfter']), id: commitId }),
    z.object({ kind: z.literal('said'), id: z.string().regex(/^[0-9a-f]{7,64}$/), by: z.enum(['.revision', 'link']) }),
  ])
  .meta({
    id: 'revision',
    description:
      'The commit of the declaration. `commit`: its text equals that of the commit. `editedAfter`: its text differs. `said`: not compared; the file .revision, or the link of git-sync, has this id.',
  })

const becauseFields = {
  at: z.object({ file: z.string(), line: z.number(), column: z.number() }),
  owner: personText.optional(),
  reason: personText.optional(),
  pattern: z
    .object({ syntax: z.enum(['glob', 'regex']), source: z.string() })
    .optional()
    .describe('The groupGlob or groupRegex of the rule that selects the group; absent if the rule names the group.'),
  directory: z.string().optional(),
  expiresMs: z.number().optional().describe('When the rule ends, epoch milliseconds.'),
} satisfies Record<keyof Provenance, z.ZodType>
export const because = z.object(becauseFields).meta({ id: 'because', description: 'The rule behind this entry.' })
export type DocumentBecause = DeepReadonly<z.infer<typeof because>>

const causeFields = {
  kind: z
    .enum(['file', 'plane', 'directory', 'date', 'service'])
    .describe(
      'file: the declaration was edited. plane: somebody changed it in Plane. service: Plane has stored another role or name than was sent.',
    ),
  afterMs: z.number().optional().describe('plane: the last reading before the edit, epoch milliseconds.'),
  atMs: z.number().optional().describe('plane: the first reading that shows it.'),
} satisfies Record<keyof Cause, z.ZodType>
export const cause = z.object(causeFields).meta({ id: 'cause', description: 'Where the entry comes from. Absent: it is not known.' })
export type DocumentCause = DeepReadonly<z.infer<typeof cause>>

export const givenBy = z
  .string()
  .optional()
  .describe('Of a mapping whose line is gone: the file that gave it, as the journal knows it. Its fence says the owner.')

export const settings = z
  .object({
    enabled: z.boolean().optional(),
    syncOnLogin: z.boolean().optional(),
    autoRemove: z.boolean().optional(),
    offlineSync: z.boolean().optional(),
    groupAttribute: z.string().optional(),
    defaultWorkspaceRole: branded<Role>().nullable().optional(),
  })
  .meta({ id: 'groupSync', description: 'Settings of group sync of a workspace.' })
export type DocumentSettings = DeepReadonly<z.infer<typeof settings>>

const findingFields = {
  code: z.string(),
  severity: z.enum(['info', 'warning', 'error']),
  sentence: z.string(),
  cure: z.string().optional(),
}
/** A finding about a directory, which names no other place. */
export const directoryFinding = z.object(findingFields)
export const finding = z.object({ ...findingFields, place: z.string() }).meta({ id: 'finding' })
export type DocumentFinding = DeepReadonly<z.infer<typeof finding>>
