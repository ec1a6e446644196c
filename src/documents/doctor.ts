import { z } from 'zod'
import { checkNames } from '../core/doctor/check.ts'
import { finding } from './parts.ts'
import { type DeepReadonly, isoText } from './shape.ts'

const check = z.object({
  check: z.enum(checkNames),
  place: z.string().describe('What was looked at: a file, an address, a credential, a directory or a workspace.'),
  result: z
    .enum(['ok', 'skipped', 'info', 'warning', 'error'])
    .describe('The severity of the worst finding. `skipped`: nothing was looked at, and `seen` says why.'),
  seen: z.string(),
  findings: z.array(finding),
})
/** The checks that a daemon answers with. */
export const doctorChecksSchema = z.array(check)

/** The document of `doctor --format json`. */
export const doctorSchema = z
  .object({
    format: z.literal('plane-group-sync/doctor'),
    version: z.literal(1),
    at: isoText,
    well: z.boolean().describe('Whether no finding is an error or a warning: then the exit code is 0.'),
    by: z.enum(['daemon', 'command', 'none']).describe('What asked Plane and the directories. `none`: the settings are invalid.'),
    checks: doctorChecksSchema,
  })
  .describe('What plane-group-sync doctor looked at, and what is wrong.')
export type DoctorDocument = DeepReadonly<z.infer<typeof doctorSchema>>
export type DocumentCheck = DoctorDocument['checks'][number]
