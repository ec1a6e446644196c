import { z } from 'zod'
import { lastSchema } from './last.ts'
import { runningSchema } from './running.ts'
import { amount, type DeepReadonly, isoText } from './shape.ts'

/** The document of `status --format json`. */
export const statusSchema = z
  .object({
    format: z.literal('plane-group-sync/status'),
    version: z.literal(1),
    at: isoText,
    ageMs: amount.describe('How long ago the last cycle ended.'),
    daemon: z
      .enum(['running', 'restarted', 'none'])
      .describe('`restarted`: another daemon holds the journal now, and has not ended a cycle yet. `none`: no daemon holds it.'),
    running: runningSchema.optional().describe('The cycle that the daemon runs now. Absent: none runs, or the daemon did not say.'),
    trouble: z.array(z.string()).describe('Why the exit code is 1. Empty: it is 0.'),
    last: lastSchema,
  })
  .describe('What the last cycle of the daemon of plane-group-sync read and decided.')
export type StatusDocument = DeepReadonly<z.infer<typeof statusSchema>>
