import { z } from 'zod'
import type { Key } from '../core/mapping.ts'
import { settings } from './parts.ts'
import { branded, type DeepReadonly } from './shape.ts'

const earlier = { earlierLastByteMs: z.number().optional() }

/** An outcome as the document of a plan has it. */
export const outcomeSchema = z
  .union([
    z.object({
      is: z.literal('done'),
      mapping: z.string().optional(),
      echoed: z.string().optional(),
      keptAs: branded<Key>().optional(),
      answered: settings
        .optional()
        .describe('The settings that Plane answered with other values than were sent; absent if there are none.'),
      ...earlier,
    }),
    z.object({ is: z.literal('notSent'), why: z.string(), retryAfterMs: z.number().optional(), ...earlier }),
    z.object({
      is: z.literal('refused'),
      status: z.number(),
      code: z.enum(['credential', 'forbidden', 'rejected', 'gone', 'conflict', 'throttled', 'redirected']),
      sentence: z.string(),
      retryAfterMs: z.number().optional(),
      ...earlier,
    }),
    z.object({ is: z.literal('unknown'), why: z.string(), lastByteMs: z.number(), status: z.number().optional() }),
  ])
  .meta({ id: 'outcome', description: 'The result of one write.' })
export type DocumentOutcome = DeepReadonly<z.infer<typeof outcomeSchema>>
