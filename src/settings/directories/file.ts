import { z } from '../../yaml/zod.ts'
import { plainText } from '../scalars.ts'
import { expect, shrink } from './shared.ts'

export const groupFileSchema = z.strictObject({
  kind: z.literal('file'),
  path: plainText.describe('A YAML file with `groups: [{name: …}]`.'),
  shrink,
  expect,
})
