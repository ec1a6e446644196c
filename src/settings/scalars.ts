import { isFilePath, isPlainName, isVariableName } from '../core/secretText.ts'
import { secretPlace } from '../yaml/secretPlaces.ts'
import { z } from '../yaml/zod.ts'
import { durationPattern, units } from './patterns/duration.ts'

/** `30s`, `10m`, `2h` → milliseconds. */
export const duration = z
  .string()
  .regex(new RegExp(durationPattern, 'u'), 'a duration is a number with a unit: 500ms, 30s, 10m, 2h, 1d')
  .transform((text) => Number.parseInt(text, 10) * (units[text.replace(/^\d+/, '')] as number))

/** `10%` → 0.1. */
export const percentage = z
  .string()
  .regex(/^(100|\d{1,2})(\.\d+)?%$/, 'a share is written as a percentage: 10%')
  .transform((text) => Math.min(1, Number.parseFloat(text) / 100))

/** A reference to a secret, never the secret itself, because the settings file may be in git. */
export const secret = secretPlace(
  z
    .union([
      z.strictObject({
        file: z
          .string()
          .min(1)
          .describe('A file that contains the secret. One line end after it is ignored. The file is read again at every cycle.'),
      }),
      z.strictObject({ env: z.string().min(1).describe('The name of an environment variable that contains the secret.') }),
    ])
    .describe('A reference to a secret: `{file: …}` or `{env: …}`.'),
  {
    shows: (name, key) => (key === 'env' ? isVariableName(name) : key === 'file' && isFilePath(name)),
    cure: 'write { file: … }, the path of a file that holds it, or { env: … }, the name of a variable',
  },
)
export type SecretReference = z.output<typeof secret>

/** The name of a credential. By mistake it may be the secret itself, so it is only shown if it looks like a name. */
export const credentialName = secretPlace(z.string(), { shows: isPlainName })

export const strings = z.array(z.string().min(1)).readonly()
