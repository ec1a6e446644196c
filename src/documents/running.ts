import { z } from 'zod'
import { amount, type DeepReadonly, isoText } from './shape.ts'

/** The cycle that a daemon runs now. */
export const runningSchema = z.object({
  began: isoText,
  workspaces: z.object({ ended: amount, of: amount }),
  written: amount.describe('Changes that Plane has confirmed.'),
  of: amount.describe('Changes that the plans so far want to write.'),
  waitMs: amount.describe('How long the next request waits for the budget; 0 if it does not wait.'),
  waitWhy: z.string().optional().describe('Why it waits. Absent in answers of older versions.'),
  leftMs: amount.optional().describe('An estimate of the time until the last of these changes is written.'),
})
export type RunningDocument = DeepReadonly<z.infer<typeof runningSchema>>
