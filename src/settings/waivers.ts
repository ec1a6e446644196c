import { z } from '../yaml/zod.ts'
import { filePath } from './fences.ts'

export const waivers = z
  .strictObject({
    files: z
      .array(filePath)
      .default([])
      .describe(
        'The files of the declaration that may have `waivers`, by their paths below `declaration`. Their reviewers can let changes pass the guards. A file inside a fence needs `may: [waivers]` instead.',
      ),
  })
  .prefault({})
  .describe('Who may let changes pass the guards in words: see docs/guards.md.')
