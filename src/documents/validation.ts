import { z } from 'zod'
import { revision } from './parts.ts'
import type { DeepReadonly } from './shape.ts'

const problem = z
  .object({
    severity: z.enum(['error', 'warning', 'note']),
    code: z
      .enum(['settings', 'declaration', 'rule-ended', 'old-word', 'secret-not-checked', 'policy-sync'])
      .describe('Stable. `settings` and `declaration` are errors, in the settings with the files that they name, or in the declaration.'),
    file: z.string().describe('The path from the working directory.'),
    line: z.int().min(1).optional().describe('From 1; absent if the problem concerns the file as a whole.'),
    column: z.int().min(1).optional().describe('From 1, in characters.'),
    message: z.string(),
    cure: z.string().optional().describe('What to do, or the allowed values.'),
  })
  .meta({ id: 'problem' })

const bound = z.object({
  targets: z.array(z.string()),
  groups: z.string().describe('Groups, or the names that a pattern may match.'),
  roles: z.array(z.string()),
})

/** The document of `validate --format json`. */
export const validationSchema = z
  .object({
    format: z.literal('plane-group-sync/validation'),
    version: z.literal(1),
    valid: z.boolean().describe('Whether there is no problem of the severity `error`.'),
    settings: z.string().optional().describe('The path of the settings file; absent if it cannot be used.'),
    declaration: z
      .object({
        hash: z.string().describe('SHA-256 in hex over the names and contents of the files.'),
        files: z.int().min(0),
        revision: revision.optional().describe('Absent: it is not known.'),
        workspaces: z.int().min(0),
        rules: z.int().min(0).describe('Mappings that rules name, and patterns. The lists of one rule multiply.'),
        removed: z.int().min(0),
        unmanaged: z.int().min(0),
      })
      .optional()
      .describe('Absent if the declaration or the settings are invalid.'),
    ceiling: z
      .array(bound.extend({ at: z.string().describe('The place of the rule in the declaration.') }))
      .optional()
      .describe('With `--ceiling`: the most that the present files of the fence can give.'),
    fence: z
      .object({
        bounds: z.array(bound),
        expiresMs: z.record(z.string(), z.number()).describe('Role → how long after today a rule that gives it may end.'),
        may: z.array(z.string()).describe('The words beyond plain rules.'),
      })
      .optional()
      .describe('With `--ceiling`: the most that any files of the fence may give.'),
    problems: z.array(problem),
  })
  .describe('The result of plane-group-sync validate.')

export type ValidationDocument = DeepReadonly<z.infer<typeof validationSchema>>
export type ValidationProblem = DeepReadonly<z.infer<typeof problem>>
