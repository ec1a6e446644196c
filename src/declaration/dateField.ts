import { z } from '../yaml/zod.ts'
import { dayOrMomentPattern, spanFault, spanOf } from './moment.ts'

/** The text of a day or a moment. */
export const dayOrMoment = z
  .string()
  .superRefine((text, context) => {
    if (spanOf(text) !== undefined) return
    const { message, cure } = spanFault(text)
    context.addIssue({ code: 'custom', message, params: { cure } })
  })
  .meta({ pattern: dayOrMomentPattern })
